// SPDX-License-Identifier: MIT
#include <bit>
#include <string>

#include "vgpu/wave/gfx90a.h"
#include "vgpu/wave/gws.h"
#include "vgpu/wave/wave_test_support.h"

namespace vgpu::ds_test {
namespace {

constexpr uint32_t kAddress = 2;
constexpr uint32_t kData = 4;
constexpr uint32_t kSecondData = 6;
constexpr uint32_t kResult = 8;
constexpr uint32_t kOffset = 16;  // of the one-address snippets
constexpr uint32_t kLdsBytes = TestMachine::kLdsBytes;

uint32_t Place(int lane) { return static_cast<uint32_t>(lane) * 48 + kOffset; }

void SetPlaces(TestMachine& m) {
  for (int lane = 0; lane < kLanes; ++lane) m.SetVgpr(kAddress, lane, Place(lane) - kOffset);
}

TEST(Ds, NopChangesNothing) {
  RunSnippet(
      "ds_nop", [](TestMachine&) {}, [](TestMachine&) {});
}

TEST(Ds, ReadsOneToFourDwords) {
  const std::pair<const char*, uint32_t> cases[] = {
      {"ds_read_b32", 1}, {"ds_read_b64", 2}, {"ds_read_b96", 3}, {"ds_read_b128", 4}};
  for (const auto& [label, dwords] : cases) {
    RunSnippet(label, SetPlaces, [dwords = dwords](TestMachine& m) {
      m.ForActive([&](int lane) {
        for (uint32_t i = 0; i < dwords; ++i) {
          EXPECT_EQ(m.Vgpr(kResult + i, lane), m.LdsBefore<uint32_t>(Place(lane) + 4 * i));
        }
      });
    });
  }
}

TEST(Ds, WritesOneToFourDwords) {
  const std::pair<const char*, uint32_t> cases[] = {
      {"ds_write_b32", 1}, {"ds_write_b64", 2}, {"ds_write_b96", 3}, {"ds_write_b128", 4}};
  for (const auto& [label, dwords] : cases) {
    RunSnippet(label, SetPlaces, [dwords = dwords](TestMachine& m) {
      m.ForActive([&](int lane) {
        for (uint32_t i = 0; i < dwords; ++i) {
          EXPECT_EQ(m.PeekLds<uint32_t>(Place(lane) + 4 * i), m.Before(kData + i, lane));
        }
      });
    });
  }
}

TEST(Ds, ReadsZeroAndWritesNothingBehindTheAllocation) {
  const auto setup = [](TestMachine& m) {
    m.SetAllLanes(kAddress, kLdsBytes - kOffset - 4);
    m.SetVgpr(kAddress, 0, 0x7fffffff);
  };
  RunSnippet("ds_read_b64", setup, [](TestMachine& m) {
    m.ForActive([&](int lane) { EXPECT_EQ(m.Vgpr64(kResult, lane), 0u); });
  });
  RunSnippet("ds_read_u8", setup, [](TestMachine& m) {
    m.ForActive([&](int lane) {
      EXPECT_EQ(m.Vgpr(kResult, lane), lane == 0 ? 0u : m.LdsBefore<uint8_t>(kLdsBytes - 4));
    });
  });
  RunSnippet("ds_write_b64", setup, [](TestMachine&) {});
  RunSnippet("ds_add_rtn_u64", setup, [](TestMachine& m) {
    m.ForActive([&](int lane) { EXPECT_EQ(m.Vgpr64(kResult, lane), 0u); });
  });
}

TEST(Ds, ReadsAndWritesUnalignedAddresses) {
  const auto setup = [](TestMachine& m) {
    SetPlaces(m);
    for (int lane = 0; lane < kLanes; ++lane) {
      m.SetVgpr(kAddress, lane, Place(lane) + 3 - kOffset);
    }
  };
  RunSnippet("ds_read_b64", setup, [](TestMachine& m) {
    m.ForActive([&](int lane) {
      EXPECT_EQ(m.Vgpr64(kResult, lane), m.LdsBefore<uint64_t>(Place(lane) + 3));
    });
  });
  RunSnippet("ds_write_b32", setup, [](TestMachine& m) {
    m.ForActive(
        [&](int lane) { EXPECT_EQ(m.PeekLds<uint32_t>(Place(lane) + 3), m.Before(kData, lane)); });
  });
}

// Compilers make such addresses: a loop counts up to zero, and an offset is added.
TEST(Ds, AddsOffsetsToNegativeAddresses) {
  const auto setup = [](TestMachine& m) {
    for (int lane = 0; lane < kLanes; ++lane) {
      m.SetVgpr(kAddress, lane, static_cast<uint32_t>(8 * lane) - kOffset);
    }
  };
  RunSnippet("ds_read_b64", setup, [](TestMachine& m) {
    m.ForActive([&](int lane) {
      EXPECT_EQ(m.Vgpr64(kResult, lane), m.LdsBefore<uint64_t>(8u * static_cast<uint32_t>(lane)));
    });
  });
  RunSnippet("ds_write_b32", setup, [](TestMachine& m) {
    m.ForActive([&](int lane) {
      EXPECT_EQ(m.PeekLds<uint32_t>(8u * static_cast<uint32_t>(lane)), m.Before(kData, lane));
    });
  });
}

struct TwoAddresses {
  const char* label;
  uint32_t dwords;  // of an element
  uint32_t first;   // byte offsets
  uint32_t second;
  uint32_t lane_bytes;  // keeps the lanes apart
};

constexpr TwoAddresses kReads2[] = {
    {"ds_read2_b32", 1, 12, 28, 32},
    {"ds_read2_b64", 2, 24, 56, 64},
    {"ds_read2st64_b32", 1, 256, 768, 4},
    {"ds_read2st64_b64", 2, 512, 1536, 8},
};
constexpr TwoAddresses kWrites2[] = {
    {"ds_write2_b32", 1, 12, 28, 32},
    {"ds_write2_b64", 2, 24, 56, 64},
    {"ds_write2st64_b32", 1, 256, 768, 4},
    {"ds_write2st64_b64", 2, 512, 1536, 8},
};
constexpr TwoAddresses kExchanges2[] = {
    {"ds_wrxchg2_rtn_b32", 1, 12, 28, 32},
    {"ds_wrxchg2_rtn_b64", 2, 24, 56, 64},
    {"ds_wrxchg2st64_rtn_b32", 1, 256, 768, 4},
    {"ds_wrxchg2st64_rtn_b64", 2, 512, 1536, 8},
};

// act(machine, lane, address of the lane)
template <class F>
void RunTwoAddresses(const TwoAddresses& form, F act) {
  RunSnippet(
      form.label,
      [&](TestMachine& m) {
        for (int lane = 0; lane < kLanes; ++lane) {
          m.SetVgpr(kAddress, lane, static_cast<uint32_t>(lane) * form.lane_bytes);
        }
      },
      [&](TestMachine& m) {
        m.ForActive([&](int lane) { act(m, lane, static_cast<uint32_t>(lane) * form.lane_bytes); });
      });
}

TEST(Ds, ReadsTwoAddresses) {
  for (const TwoAddresses& form : kReads2) {
    RunTwoAddresses(form, [&](TestMachine& m, int lane, uint32_t place) {
      for (uint32_t i = 0; i < form.dwords; ++i) {
        EXPECT_EQ(m.Vgpr(kResult + i, lane), m.LdsBefore<uint32_t>(place + form.first + 4 * i));
        EXPECT_EQ(m.Vgpr(kResult + form.dwords + i, lane),
                  m.LdsBefore<uint32_t>(place + form.second + 4 * i));
      }
    });
  }
}

TEST(Ds, WritesTwoAddresses) {
  for (const TwoAddresses& form : kWrites2) {
    RunTwoAddresses(form, [&](TestMachine& m, int lane, uint32_t place) {
      for (uint32_t i = 0; i < form.dwords; ++i) {
        EXPECT_EQ(m.PeekLds<uint32_t>(place + form.first + 4 * i), m.Before(kData + i, lane));
        EXPECT_EQ(m.PeekLds<uint32_t>(place + form.second + 4 * i),
                  m.Before(kSecondData + i, lane));
      }
    });
  }
}

TEST(Ds, ExchangesTwoAddresses) {
  for (const TwoAddresses& form : kExchanges2) {
    RunTwoAddresses(form, [&](TestMachine& m, int lane, uint32_t place) {
      for (uint32_t i = 0; i < form.dwords; ++i) {
        const uint32_t first = place + form.first + 4 * i;
        const uint32_t second = place + form.second + 4 * i;
        EXPECT_EQ(m.Vgpr(kResult + i, lane), m.LdsBefore<uint32_t>(first));
        EXPECT_EQ(m.Vgpr(kResult + form.dwords + i, lane), m.LdsBefore<uint32_t>(second));
        EXPECT_EQ(m.PeekLds<uint32_t>(first), m.Before(kData + i, lane));
        EXPECT_EQ(m.PeekLds<uint32_t>(second), m.Before(kSecondData + i, lane));
      }
    });
  }
}

// The half of a register that a load does not write keeps its value, or becomes 0.
void TestBytesAndShorts(bool keeps_other_half) {
  struct Case {
    const char* label;
    uint32_t bytes;
    bool is_signed;
    int half;  // -1: the whole register
  };
  constexpr Case kCases[] = {
      {"ds_read_u8", 1, false, -1},     {"ds_read_i8", 1, true, -1},
      {"ds_read_u16", 2, false, -1},    {"ds_read_i16", 2, true, -1},
      {"ds_read_u8_d16", 1, false, 0},  {"ds_read_u8_d16_hi", 1, false, 1},
      {"ds_read_i8_d16", 1, true, 0},   {"ds_read_i8_d16_hi", 1, true, 1},
      {"ds_read_u16_d16", 2, false, 0}, {"ds_read_u16_d16_hi", 2, false, 1},
  };
  for (const Case& c : kCases) {
    RunSnippet(c.label, SetPlaces, [&](TestMachine& m) {
      m.ForActive([&](int lane) {
        const uint32_t limit = c.bytes == 1 ? 0x100 : 0x10000;
        const uint32_t value =
            c.bytes == 1 ? m.LdsBefore<uint8_t>(Place(lane)) : m.LdsBefore<uint16_t>(Place(lane));
        const uint32_t extended = c.is_signed && value >= limit / 2 ? value - limit : value;
        const uint32_t before = keeps_other_half ? m.Before(kResult, lane) : 0;
        uint32_t want = extended;
        if (c.half == 0) want = before / 0x10000 * 0x10000 + extended % 0x10000;
        if (c.half == 1) want = before % 0x10000 + extended * 0x10000;
        EXPECT_EQ(m.Vgpr(kResult, lane), want) << c.label;
      });
    });
  }
}

TEST(Ds, ReadsBytesAndShorts) {
  const ScopedSramEcc off(false);
  TestBytesAndShorts(true);
}

TEST(Ds, WithSramEccALoadOfOneHalfClearsTheOther) {
  const ScopedSramEcc on(true);
  TestBytesAndShorts(false);
}

TEST(Ds, WritesBytesAndShorts) {
  RunSnippet("ds_write_b8", SetPlaces, [](TestMachine& m) {
    m.ForActive([&](int lane) {
      EXPECT_EQ(m.PeekLds<uint8_t>(Place(lane)), m.Before(kData, lane) % 0x100);
    });
  });
  RunSnippet("ds_write_b16", SetPlaces, [](TestMachine& m) {
    m.ForActive([&](int lane) {
      EXPECT_EQ(m.PeekLds<uint16_t>(Place(lane)), m.Before(kData, lane) % 0x10000);
    });
  });
  RunSnippet("ds_write_b8_d16_hi", SetPlaces, [](TestMachine& m) {
    m.ForActive([&](int lane) {
      EXPECT_EQ(m.PeekLds<uint8_t>(Place(lane)), m.Before(kData, lane) / 0x10000 % 0x100);
    });
  });
  RunSnippet("ds_write_b16_d16_hi", SetPlaces, [](TestMachine& m) {
    m.ForActive([&](int lane) {
      EXPECT_EQ(m.PeekLds<uint16_t>(Place(lane)), m.Before(kData, lane) / 0x10000);
    });
  });
}

TEST(Ds, ReadsAndWritesADwordPerLaneBehindM0) {
  constexpr uint32_t kBase = 0x200;
  const auto setup = [](TestMachine& m) { m.SetM0(0xffff0000 | kBase); };
  const auto place = [](int lane) { return kBase + kOffset + 4 * static_cast<uint32_t>(lane); };
  RunSnippet("ds_read_addtid_b32", setup, [&](TestMachine& m) {
    m.ForActive(
        [&](int lane) { EXPECT_EQ(m.Vgpr(kResult, lane), m.LdsBefore<uint32_t>(place(lane))); });
  });
  RunSnippet("ds_write_addtid_b32", setup, [&](TestMachine& m) {
    m.ForActive(
        [&](int lane) { EXPECT_EQ(m.PeekLds<uint32_t>(place(lane)), m.Before(kData, lane)); });
  });
}

TEST(Ds, AppendsAndConsumesByTheNumberOfEnabledLanes) {
  constexpr uint32_t kBase = 0x40;
  const auto setup = [](TestMachine& m) {
    m.SetM0(kBase);
    m.PokeLds<uint32_t>(kBase + kOffset, 1000);
  };
  for (const bool append : {true, false}) {
    RunSnippet(append ? "ds_append" : "ds_consume", setup, [&](TestMachine& m) {
      uint32_t lanes = 0;
      m.ForActive([&](int lane) {
        EXPECT_EQ(m.Vgpr(kResult, lane), 1000u);
        ++lanes;
      });
      EXPECT_EQ(m.PeekLds<uint32_t>(kBase + kOffset), append ? 1000 + lanes : 1000 - lanes);
    });
  }
}

// --- exchange between lanes

// source(lane) is the lane whose v[data] a lane gets; disabled sources give 0.
template <class F>
void ExpectPulled(const char* label, uint32_t data, const std::function<void(TestMachine&)>& setup,
                  F source) {
  RunSnippet(label, setup, [&](TestMachine& m) {
    m.ForActive([&](int lane) {
      const int from = source(m, lane);
      EXPECT_EQ(m.Vgpr(kResult, lane), m.Active(from) ? m.Before(data, from) : 0u)
          << "lane " << lane << " from " << from;
    });
  });
}

void SetScatteredAddresses(TestMachine& m) {
  for (int lane = 0; lane < kLanes; ++lane) {
    // The low two bits and everything from bit 8 on do not count.
    m.SetVgpr(kAddress, lane, (static_cast<uint32_t>(lane) * 29 + 5) * 4 + 3);
  }
}

TEST(DsExchange, PullsFromTheLaneInTheAddress) {
  ExpectPulled("ds_bpermute_b32", kData, SetScatteredAddresses,
               [](TestMachine&, int lane) { return (lane * 29 + 5) % 64; });
  ExpectPulled("bpermute_offset", kData, SetScatteredAddresses,
               [](TestMachine&, int lane) { return (lane * 29 + 5 + 2) % 64; });
}

TEST(DsExchange, PushesToTheLaneInTheAddress) {
  for (const int shift : {0, 2}) {
    RunSnippet(shift == 0 ? "ds_permute_b32" : "permute_offset", SetScatteredAddresses,
               [&](TestMachine& m) {
                 m.ForActive([&](int lane) {
                   uint32_t want = 0;
                   for (int from = 0; from < kLanes; ++from) {
                     const bool hits = (from * 29 + 5 + shift) % 64 == lane;
                     if (hits && m.Active(from)) want = m.Before(kData, from);
                   }
                   EXPECT_EQ(m.Vgpr(kResult, lane), want);
                 });
               });
  }
}

TEST(DsExchange, TheHighestLaneWinsAPush) {
  RunSnippet(
      "ds_permute_b32", [](TestMachine& m) { m.SetAllLanes(kAddress, 4); },
      [](TestMachine& m) {
        m.ForActive([&](int lane) {
          EXPECT_EQ(m.Vgpr(kResult, lane), lane == 1 ? m.Before(kData, 63) : 0u);
        });
      });
}

// source(i) within the 32 lanes of a half
template <class F>
void ExpectSwizzled(const char* label, F source) {
  ExpectPulled(
      label, kAddress, [](TestMachine&) {},
      [&](TestMachine&, int lane) { return lane / 32 * 32 + source(lane % 32); });
}

TEST(DsExchange, SwizzlesWithinQuads) {
  constexpr int kFrom[] = {3, 2, 0, 1};
  ExpectSwizzled("ds_swizzle_b32", [&](int i) { return i / 4 * 4 + kFrom[i % 4]; });
}

TEST(DsExchange, SwizzlesByBitMasks) {
  // The masks clear, set, keep, invert and keep the bits of the lane's number, from the top bit on.
  ExpectSwizzled("swizzle_bits", [](int i) {
    const int bit2 = i / 4 % 2;
    const int bit1 = 1 - i / 2 % 2;
    return 8 + bit2 * 4 + bit1 * 2 + i % 2;
  });
  ExpectSwizzled("swizzle_reverse", [](int i) { return i / 16 * 16 + 15 - i % 16; });
  ExpectSwizzled("swizzle_broadcast", [](int i) { return i / 8 * 8 + 5; });
}

TEST(DsExchange, SwizzlesByRotation) {
  ExpectSwizzled("swizzle_rotate_up", [](int i) { return (i + 5) % 32; });
  ExpectSwizzled("swizzle_rotate_down", [](int i) { return (i + 27) % 32; });
  ExpectSwizzled("swizzle_rotate_masked", [](int i) { return i / 8 * 8 + (i + 5) % 8; });
}

TEST(DsExchange, SwizzlesInFftOrder) {
  const auto reversed = [](int i, int bits) {
    int result = 0;
    for (int bit = 0; bit < bits; ++bit) result = result * 2 + (i >> bit) % 2;
    return result;
  };
  ExpectSwizzled("swizzle_fft", [&](int i) { return reversed(i, 5); });
  ExpectSwizzled("swizzle_fft_pairs", [&](int i) { return i / 16 * 16 + reversed(i % 16, 4); });
  ExpectSwizzled("swizzle_fft_none", [](int i) { return i; });
}

// --- global wave sync; resource 3 + M0[21:16]

constexpr uint32_t kGwsBase = 7;
constexpr uint32_t kGwsResource = kGwsBase + 3;

void SetGws(TestMachine& m, uint32_t waves) {
  m.SetM0(kGwsBase << 16 | 0xffff);
  m.SetAllLanes(kAddress, 99);
  m.SetVgpr(kAddress, std::countr_zero(m.wave().exec()), waves);
}

TEST(Gws, InitSetsHowManyWavesWait) {
  RunSnippet(
      "ds_gws_init", [](TestMachine& m) { SetGws(m, 1); },
      [](TestMachine&) {
        EXPECT_NE(ArriveAtGws(0, kGwsResource, 1), 0u);
        EXPECT_EQ(ArriveAtGws(0, kGwsResource, 1), 0u);
      });
}

TEST(Gws, TheLastWaveOpensTheBarrierForTheOthers) {
  InitGws(0, kGwsResource, 1);
  uint64_t waiting = 0;
  // RunSnippet runs the snippet twice: the first wave has to wait, the second opens the barrier.
  RunSnippet(
      "ds_gws_barrier", [](TestMachine& m) { SetGws(m, 0); },
      [&](TestMachine& m) {
        const int64_t at = m.PcDelta();
        if (waiting == 0) {
          EXPECT_EQ(at, -8) << "the wave does not execute it again";
          EXPECT_TRUE(m.wave().yield);
          EXPECT_FALSE(m.wave().done);
          waiting = m.wave().gws_ticket;
          EXPECT_FALSE(GwsIsOpen(0, kGwsResource, waiting));
        } else {
          EXPECT_TRUE(m.wave().done);
          EXPECT_TRUE(GwsIsOpen(0, kGwsResource, waiting));
        }
      });
  RunSnippet(
      "ds_gws_barrier",
      [&](TestMachine& m) {
        SetGws(m, 0);
        m.wave().gws_ticket = waiting;
      },
      [](TestMachine& m) {
        EXPECT_TRUE(m.wave().done);
        EXPECT_EQ(m.wave().gws_ticket, 0u);
      });
}

}  // namespace
}  // namespace vgpu::ds_test
