// SPDX-License-Identifier: MIT
#include <string>

#include "vgpu/wave/memory/vector_memory_test_support.h"

namespace vgpu::buffer_test {
namespace {

constexpr uint32_t kAddress = 2;
constexpr uint32_t kData = 4;
constexpr uint32_t kOffset = 16;  // of the snippets
constexpr uint32_t kPlace = 0x100;
constexpr uint32_t kLaneBytes = 40;
constexpr uint32_t kRow = 256;  // private memory: one dword of every lane

constexpr uint32_t kDescriptor = 8;
constexpr uint32_t kSoffset = 6;

void SetDescriptor(TestMachine& m, uint32_t stride, uint32_t records, uint32_t word3) {
  m.SetSgpr64(kDescriptor, TestMachine::kMemoryVa);
  m.SetSgpr(kDescriptor + 1, m.wave().sgpr[kDescriptor + 1] | stride << 16);
  m.SetSgpr(kDescriptor + 2, records);
  m.SetSgpr(kDescriptor + 3, word3);
}

uint32_t LinearPlace(int lane, uint32_t byte) {
  return kPlace + static_cast<uint32_t>(lane) * kLaneBytes + byte;
}

AddressSpace Buffer() {
  const auto set_addresses = [](TestMachine& m) {
    SetDescriptor(m, 0, TestMachine::kMemoryBytes, 0);
    m.SetSgpr(kSoffset, 0x40);
    for (int lane = 0; lane < kLanes; ++lane) {
      m.SetVgpr(kAddress, lane, LinearPlace(lane, 0) - 0x40 - kOffset);
    }
  };
  return {"buffer_", kData, kData, set_addresses, LinearPlace};
}

TEST(Buffer, Loads) { TestLoads(Buffer()); }
TEST(Buffer, WithSramEccALoadOfOneHalfClearsTheOther) {
  TestPartLoadsWithAndWithoutSramEcc(Buffer());
}
TEST(Buffer, Stores) { TestStores(Buffer()); }
TEST(Buffer, Updates) { TestAtomics(Buffer()); }

// Each lane has a dword of LDS behind M0 and the instruction's offset.
TEST(Buffer, LoadsIntoLds) {
  struct Case {
    const char* label;
    uint32_t bytes;
    bool is_signed;
  };
  constexpr Case kCases[] = {{"buffer_load_ubyte_lds", 1, false},
                             {"buffer_load_sbyte_lds", 1, true},
                             {"buffer_load_ushort_lds", 2, false},
                             {"buffer_load_sshort_lds", 2, true},
                             {"buffer_load_dword_lds", 4, false}};
  constexpr uint32_t kM0 = 0x120;
  const AddressSpace space = Buffer();
  for (const Case& c : kCases) {
    RunSnippet(
        c.label,
        [&](TestMachine& m) {
          space.set_addresses(m);
          m.SetM0(0xabcd0000 | kM0);
        },
        [&](TestMachine& m) {
          m.ForActive([&](int lane) {
            uint64_t want = BytesBefore(space, m, lane, 0, c.bytes);
            const uint64_t limit = uint64_t{1} << (8 * c.bytes);
            if (c.is_signed && want >= limit / 2) want -= limit;
            const uint32_t place = kM0 + kOffset + 4 * static_cast<uint32_t>(lane);
            EXPECT_EQ(m.PeekLds<uint32_t>(place), static_cast<uint32_t>(want)) << "lane " << lane;
          });
        });
  }
}

TEST(Buffer, RefusesLoadsIntoLdsThatDoNotExist) {
  RunSnippet("buffer_load_dwordx2_lds", Buffer().set_addresses,
             [](TestMachine& m) { EXPECT_EQ(m.fault().code, Fault::Code::kIllegalInstruction); });
}

TEST(Buffer, ReadsZeroAndWritesNothingBehindARawBuffer) {
  const auto setup = [](TestMachine& m) {
    SetDescriptor(m, 0, 0x100, 0);
    m.SetSgpr(kSoffset, 0x10);
    // The offsets add 0x20 to each lane's address, so that lanes from 28 on lie behind byte 0xff.
    for (int lane = 0; lane < kLanes; ++lane) {
      m.SetVgpr(kAddress, lane, static_cast<uint32_t>(lane) * 8);
    }
  };
  RunSnippet("buffer_load_dwordx2", setup, [](TestMachine& m) {
    m.ForActive([&](int lane) {
      const uint32_t place = 0x20 + static_cast<uint32_t>(lane) * 8;
      EXPECT_EQ(m.Vgpr64(kData, lane), place + 8 <= 0x100 ? m.MemoryBefore<uint64_t>(place) : 0u);
    });
  });
  RunSnippet("buffer_store_dwordx2", setup, [](TestMachine& m) {
    m.ForActive([&](int lane) {
      const uint32_t place = 0x20 + static_cast<uint32_t>(lane) * 8;
      if (place + 8 > 0x100) return;
      EXPECT_EQ(m.Peek<uint32_t>(place), m.Before(kData, lane));
      EXPECT_EQ(m.Peek<uint32_t>(place + 4), m.Before(kData + 1, lane));
    });
  });
}

TEST(Buffer, AddressesWithoutARegisterAndWithAnInlineConstant) {
  RunSnippet(
      "buffer_plain", [](TestMachine& m) { SetDescriptor(m, 0, 0x100, 0); },
      [](TestMachine& m) {
        m.ForActive(
            [&](int lane) { EXPECT_EQ(m.Vgpr(kData, lane), m.MemoryBefore<uint32_t>(16)); });
      });
  RunSnippet(
      "buffer_inline_soffset", [](TestMachine& m) { SetDescriptor(m, 0, 0x100, 0); },
      [](TestMachine& m) {
        m.ForActive(
            [&](int lane) { EXPECT_EQ(m.Vgpr(kData, lane), m.MemoryBefore<uint32_t>(80)); });
      });
}

TEST(Buffer, IndexesElementsAndChecksTheirNumber) {
  constexpr uint32_t kStride = 24;
  constexpr uint32_t kRecords = 40;
  const auto setup = [](TestMachine& m) {
    SetDescriptor(m, kStride, kRecords, 0);
    for (int lane = 0; lane < kLanes; ++lane) {
      m.SetVgpr(kAddress, lane, static_cast<uint32_t>(lane));
      m.SetVgpr(kAddress + 1, lane, 4);
    }
  };
  const auto expected = [](TestMachine& m, int lane, uint32_t within) {
    const uint32_t index = static_cast<uint32_t>(lane);
    return index < kRecords ? m.MemoryBefore<uint32_t>(index * kStride + within) : 0u;
  };
  RunSnippet("buffer_index", setup, [&](TestMachine& m) {
    m.ForActive([&](int lane) { EXPECT_EQ(m.Vgpr(kData, lane), expected(m, lane, 16)); });
  });
  RunSnippet("buffer_index_offset", setup, [&](TestMachine& m) {
    m.ForActive([&](int lane) { EXPECT_EQ(m.Vgpr(kData, lane), expected(m, lane, 20)); });
  });
}

// The descriptor of private memory: swizzled, 4-byte elements, 64 lanes side by side.
void SetPrivateDescriptor(TestMachine& m) {
  constexpr uint32_t kSwizzle = 1u << 31;
  constexpr uint32_t kElement4 = 1u << 19;
  constexpr uint32_t kIndexStride64 = 3u << 21;
  constexpr uint32_t kAddLane = 1u << 23;
  SetDescriptor(m, 0, 0xffffffff, kElement4 | kIndexStride64 | kAddLane);
  m.SetSgpr(kDescriptor + 1, m.wave().sgpr[kDescriptor + 1] | kSwizzle);
  m.SetSgpr(kSoffset, kRow);  // one dword further
  for (int lane = 0; lane < kLanes; ++lane) {
    m.SetVgpr(kAddress, lane, static_cast<uint32_t>(lane) % 4 * 4);
  }
}

uint32_t SwizzledPlace(int lane, uint32_t byte) {
  const uint32_t offset = 4 + static_cast<uint32_t>(lane) % 4 * 4 + byte;
  return offset / 4 * kRow + static_cast<uint32_t>(lane) * 4 + offset % 4;
}

TEST(Buffer, ReachesPrivateMemory) {
  RunSnippet("buffer_private", SetPrivateDescriptor, [](TestMachine& m) {
    m.ForActive([&](int lane) {
      EXPECT_EQ(m.Vgpr(kData, lane), m.MemoryBefore<uint32_t>(SwizzledPlace(lane, 0)));
    });
  });
  RunSnippet("buffer_private_x4", SetPrivateDescriptor, [](TestMachine& m) {
    m.ForActive([&](int lane) {
      for (uint32_t i = 0; i < 4; ++i) {
        EXPECT_EQ(m.Vgpr(kData + i, lane), m.MemoryBefore<uint32_t>(SwizzledPlace(lane, 4 * i)));
      }
    });
  });
  RunSnippet("buffer_private_store", SetPrivateDescriptor, [](TestMachine& m) {
    m.ForActive([&](int lane) {
      EXPECT_EQ(m.Peek<uint32_t>(SwizzledPlace(lane, 0)), m.Before(kData, lane));
      EXPECT_EQ(m.Peek<uint32_t>(SwizzledPlace(lane, 4)), m.Before(kData + 1, lane));
    });
  });
}

TEST(Buffer, ReachesEveryByteOfPrivateMemory) {
  for (uint32_t byte = 0; byte < 8; ++byte) {
    RunSnippet(
        "buffer_private_byte",
        [&](TestMachine& m) {
          SetPrivateDescriptor(m);
          m.SetAllLanes(kAddress, byte);
        },
        [&](TestMachine& m) {
          m.ForActive([&](int lane) {
            const uint32_t offset = 4 + byte;
            const uint32_t place = offset / 4 * kRow + static_cast<uint32_t>(lane) * 4 + offset % 4;
            EXPECT_EQ(m.Vgpr(kData, lane), m.MemoryBefore<uint8_t>(place));
          });
        });
  }
}

TEST(Buffer, RefusesSwizzledAccessesWiderThanAnElement) {
  constexpr uint32_t kElement2 = 0;  // the field of 2-byte elements
  RunSnippet(
      "buffer_private",
      [](TestMachine& m) {
        SetPrivateDescriptor(m);
        m.SetSgpr(kDescriptor + 3, kElement2 | 3u << 21 | 1u << 23);
      },
      [](TestMachine& m) {
        EXPECT_EQ(m.fault().code, Fault::Code::kIllegalInstruction);
        EXPECT_EQ(m.fault().message.find("buffer_load_dword "), 0u);
      });
}

TEST(Buffer, HasCacheControlWithoutVisibleEffect) {
  for (const char* label : {"buffer_wbinvl1", "buffer_wbinvl1_vol"}) {
    RunSnippet(
        label, [](TestMachine&) {}, [](TestMachine&) {});
  }
}

TEST(Buffer, FaultsWhereThereIsNoPage) {
  RunSnippet(
      "buffer_load_dword",
      [](TestMachine& m) {
        SetDescriptor(m, 0, 0xffffffff, 0);
        m.SetSgpr64(kDescriptor, TestMachine::kUnmappedVa);
        m.SetSgpr(kSoffset, 0);
        m.SetAllLanes(kAddress, 0x20);
      },
      [](TestMachine& m) {
        EXPECT_EQ(m.fault().code, Fault::Code::kMemoryFault);
        EXPECT_EQ(m.fault().va, TestMachine::kUnmappedVa + 0x30);
      });
}

}  // namespace
}  // namespace vgpu::buffer_test
