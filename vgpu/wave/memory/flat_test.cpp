// SPDX-License-Identifier: MIT
#include <string>

#include "vgpu/wave/memory/vector_memory_test_support.h"

namespace vgpu::flat_test {
namespace {

constexpr uint32_t kAddress = 2;
constexpr uint32_t kData = 4;
constexpr uint32_t kResult = 8;
constexpr uint32_t kOffset = 16;  // of the snippets
constexpr uint32_t kPlace = 0x100;
constexpr uint32_t kLaneBytes = 40;
constexpr uint32_t kRow = 256;  // private memory: one dword of every lane
constexpr uint32_t kPrivatePlace = 0x20;
constexpr uint64_t kSharedAperture = uint64_t{1} << 48;
constexpr uint64_t kPrivateAperture = uint64_t{2} << 48;

uint32_t LinearPlace(int lane, uint32_t byte) {
  return kPlace + static_cast<uint32_t>(lane) * kLaneBytes + byte;
}

uint32_t PrivatePlace(int lane, uint32_t byte) {
  const uint32_t offset = kPrivatePlace + byte;
  return offset / 4 * kRow + static_cast<uint32_t>(lane) * 4 + offset % 4;
}

void SetLinearAddresses(TestMachine& m) {
  for (int lane = 0; lane < kLanes; ++lane) {
    m.SetVgpr64(kAddress, lane, TestMachine::kMemoryVa + LinearPlace(lane, 0) - kOffset);
  }
}

void SetPrivateMemory(TestMachine& m) { m.SetSgpr64(kOperandFlatScratch, TestMachine::kMemoryVa); }

AddressSpace Linear(const char* prefix) {
  return {prefix, kData, kResult, SetLinearAddresses, LinearPlace};
}

AddressSpace Scratch() {
  const auto set_addresses = [](TestMachine& m) {
    SetPrivateMemory(m);
    m.SetAllLanes(kAddress, kPrivatePlace - kOffset);
  };
  return {"scratch_", kData, kResult, set_addresses, PrivatePlace};
}

AddressSpace FlatPrivate() {
  const auto set_addresses = [](TestMachine& m) {
    SetPrivateMemory(m);
    for (int lane = 0; lane < kLanes; ++lane) {
      m.SetVgpr64(kAddress, lane, kPrivateAperture + kPrivatePlace - kOffset);
    }
  };
  return {"flat_", kData, kResult, set_addresses, PrivatePlace};
}

TEST(VectorMemory, LoadsGlobalMemory) { TestLoads(Linear("global_")); }
TEST(VectorMemory, StoresGlobalMemory) { TestStores(Linear("global_")); }
TEST(VectorMemory, UpdatesGlobalMemory) { TestAtomics(Linear("global_")); }

TEST(VectorMemory, LoadsFlatMemory) { TestLoads(Linear("flat_")); }
TEST(VectorMemory, StoresFlatMemory) { TestStores(Linear("flat_")); }
TEST(VectorMemory, UpdatesFlatMemory) { TestAtomics(Linear("flat_")); }

TEST(VectorMemory, LoadsScratchMemory) { TestLoads(Scratch()); }
TEST(VectorMemory, StoresScratchMemory) { TestStores(Scratch()); }

TEST(VectorMemory, LoadsPrivateMemoryThroughFlatAddresses) { TestLoads(FlatPrivate()); }
TEST(VectorMemory, StoresPrivateMemoryThroughFlatAddresses) { TestStores(FlatPrivate()); }
TEST(VectorMemory, UpdatesPrivateMemoryThroughFlatAddresses) { TestAtomics(FlatPrivate()); }

TEST(VectorMemory, WithSramEccALoadOfOneHalfClearsTheOther) {
  TestPartLoadsWithAndWithoutSramEcc(Linear("global_"));
  TestPartLoadsWithAndWithoutSramEcc(Linear("flat_"));
  TestPartLoadsWithAndWithoutSramEcc(Scratch());
}

TEST(VectorMemory, ReachesLdsThroughFlatAddresses) {
  const auto place = [](int lane) { return static_cast<uint32_t>(lane) * 20 + 0x40; };
  const auto setup = [&](TestMachine& m) {
    for (int lane = 0; lane < kLanes; ++lane) {
      m.SetVgpr64(kAddress, lane, kSharedAperture + place(lane) - kOffset);
    }
  };
  RunSnippet("flat_load_dwordx3", setup, [&](TestMachine& m) {
    m.ForActive([&](int lane) {
      for (uint32_t i = 0; i < 3; ++i) {
        EXPECT_EQ(m.Vgpr(kResult + i, lane), m.LdsBefore<uint32_t>(place(lane) + 4 * i));
      }
    });
  });
  RunSnippet("flat_store_dwordx2", setup, [&](TestMachine& m) {
    m.ForActive([&](int lane) {
      EXPECT_EQ(m.PeekLds<uint32_t>(place(lane)), m.Before(kData, lane));
      EXPECT_EQ(m.PeekLds<uint32_t>(place(lane) + 4), m.Before(kData + 1, lane));
    });
  });
  RunSnippet("flat_atomic_add_glc", setup, [&](TestMachine& m) {
    m.ForActive([&](int lane) {
      const uint32_t old = m.LdsBefore<uint32_t>(place(lane));
      EXPECT_EQ(m.PeekLds<uint32_t>(place(lane)), old + m.Before(kData, lane));
      EXPECT_EQ(m.Vgpr(kResult, lane), old);
    });
  });
}

TEST(VectorMemory, FlatAccessBehindLdsReadsZeroAndWritesNothing) {
  const auto setup = [&](TestMachine& m) {
    for (int lane = 0; lane < kLanes; ++lane) {
      m.SetVgpr64(kAddress, lane, kSharedAperture + TestMachine::kLdsBytes - kOffset - 4);
    }
  };
  RunSnippet("flat_load_dwordx2", setup, [&](TestMachine& m) {
    m.ForActive([&](int lane) { EXPECT_EQ(m.Vgpr64(kResult, lane), 0u); });
  });
  RunSnippet("flat_store_dwordx2", setup, [](TestMachine&) {});
  RunSnippet("flat_atomic_add_x2_glc", setup, [](TestMachine& m) {
    m.ForActive([&](int lane) { EXPECT_EQ(m.Vgpr64(kResult, lane), 0u); });
  });
}

TEST(VectorMemory, AddsAScalarBaseAndAnUnsignedLaneOffset) {
  RunSnippet(
      "global_saddr",
      [](TestMachine& m) {
        m.SetSgpr64(6, TestMachine::kMemoryVa - 0x80000000 - kOffset);
        for (int lane = 0; lane < kLanes; ++lane) {
          m.SetVgpr(kAddress, lane, 0x80000000 + LinearPlace(lane, 0));
        }
      },
      [](TestMachine& m) {
        m.ForActive([&](int lane) {
          EXPECT_EQ(m.Vgpr(kResult, lane), m.MemoryBefore<uint32_t>(LinearPlace(lane, 0)));
        });
      });
}

TEST(VectorMemory, HasSignedOffsetsExceptInFlatInstructions) {
  RunSnippet(
      "global_negative",
      [](TestMachine& m) {
        for (int lane = 0; lane < kLanes; ++lane) {
          m.SetVgpr64(kAddress, lane, TestMachine::kMemoryVa + LinearPlace(lane, 0) + 16);
        }
      },
      [](TestMachine& m) {
        m.ForActive([&](int lane) {
          EXPECT_EQ(m.Vgpr(kResult, lane), m.MemoryBefore<uint32_t>(LinearPlace(lane, 0)));
        });
      });
  RunSnippet(
      "flat_largest_offset",
      [](TestMachine& m) {
        for (int lane = 0; lane < kLanes; ++lane) {
          m.SetVgpr64(kAddress, lane, TestMachine::kMemoryVa + LinearPlace(lane, 0) - 4095);
        }
      },
      [](TestMachine& m) {
        m.ForActive([&](int lane) {
          EXPECT_EQ(m.Vgpr(kResult, lane), m.MemoryBefore<uint32_t>(LinearPlace(lane, 0)));
        });
      });
  RunSnippet(
      "scratch_negative",
      [](TestMachine& m) {
        SetPrivateMemory(m);
        m.SetAllLanes(kAddress, kPrivatePlace + 16);
      },
      [](TestMachine& m) {
        m.ForActive([&](int lane) {
          EXPECT_EQ(m.Vgpr(kResult, lane), m.MemoryBefore<uint32_t>(PrivatePlace(lane, 0)));
        });
      });
}

TEST(VectorMemory, TakesAScratchOffsetFromAScalarRegister) {
  RunSnippet(
      "scratch_saddr",
      [](TestMachine& m) {
        SetPrivateMemory(m);
        m.SetSgpr(6, kPrivatePlace - kOffset);
      },
      [](TestMachine& m) {
        m.ForActive([&](int lane) {
          EXPECT_EQ(m.Vgpr(kResult, lane), m.MemoryBefore<uint32_t>(PrivatePlace(lane, 0)));
        });
      });
}

TEST(VectorMemory, LoadsOverItsOwnAddress) {
  RunSnippet(
      "global_over_address",
      [](TestMachine& m) {
        for (int lane = 0; lane < kLanes; ++lane) {
          m.SetVgpr64(kAddress, lane, TestMachine::kMemoryVa + LinearPlace(lane, 0));
        }
      },
      [](TestMachine& m) {
        m.ForActive([&](int lane) {
          EXPECT_EQ(m.Vgpr64(kAddress, lane), m.MemoryBefore<uint64_t>(LinearPlace(lane, 0)));
        });
      });
}

TEST(VectorMemory, LoadsAndStoresUnalignedAddresses) {
  const auto setup = [](TestMachine& m) {
    for (int lane = 0; lane < kLanes; ++lane) {
      m.SetVgpr64(kAddress, lane, TestMachine::kMemoryVa + LinearPlace(lane, 3) - kOffset);
    }
  };
  RunSnippet("global_load_dwordx2", setup, [](TestMachine& m) {
    m.ForActive([&](int lane) {
      EXPECT_EQ(m.Vgpr64(kResult, lane), m.MemoryBefore<uint64_t>(LinearPlace(lane, 3)));
    });
  });
  RunSnippet("global_store_short", setup, [](TestMachine& m) {
    m.ForActive([&](int lane) {
      EXPECT_EQ(m.Peek<uint16_t>(LinearPlace(lane, 3)),
                static_cast<uint16_t>(m.Before(kData, lane)));
    });
  });
  RunSnippet("global_atomic_add", setup, [](TestMachine& m) {
    m.ForActive([&](int lane) {
      EXPECT_EQ(m.Peek<uint32_t>(LinearPlace(lane, 3)),
                m.MemoryBefore<uint32_t>(LinearPlace(lane, 3)) + m.Before(kData, lane));
    });
  });
}

TEST(VectorMemory, ManyLanesUpdateTheSameAddressOneAfterTheOther) {
  RunSnippet(
      "global_atomic_add_glc",
      [](TestMachine& m) {
        for (int lane = 0; lane < kLanes; ++lane) {
          m.SetVgpr64(kAddress, lane, TestMachine::kMemoryVa + kPlace - kOffset);
          m.SetVgpr(kData, lane, 3);
        }
        m.Poke<uint32_t>(kPlace, 100);
      },
      [](TestMachine& m) {
        uint32_t sum = 100;
        m.ForActive([&](int lane) {
          EXPECT_EQ(m.Vgpr(kResult, lane), sum);
          sum += 3;
        });
        EXPECT_EQ(m.Peek<uint32_t>(kPlace), sum);
      });
}

TEST(VectorMemory, FaultsAtTheFirstLaneWithoutAPage) {
  constexpr int kBadLane = 9;
  for (const char* label : {"global_load_dword", "flat_load_dword", "global_store_dword"}) {
    const bool write = std::string(label) == "global_store_dword";
    RunSnippet(
        label,
        [](TestMachine& m) {
          SetLinearAddresses(m);
          m.SetVgpr64(kAddress, kBadLane, TestMachine::kUnmappedVa - kOffset);
          m.SetExec(0x200);
        },
        [&](TestMachine& m) {
          EXPECT_EQ(m.fault().code, Fault::Code::kMemoryFault);
          EXPECT_EQ(m.fault().va, TestMachine::kUnmappedVa);
          EXPECT_EQ(m.fault().write, write);
          EXPECT_NE(m.fault().message.find("no page at 0x7f0000000000"), std::string::npos);
        });
  }
}

TEST(VectorMemory, DisabledLanesMayHoldAnyAddress) {
  RunSnippet(
      "global_load_dword",
      [](TestMachine& m) {
        SetLinearAddresses(m);
        m.SetVgpr64(kAddress, 5, TestMachine::kUnmappedVa);
        m.SetExec(~uint64_t{0} & ~uint64_t{0x20});
      },
      [](TestMachine& m) {
        m.ForActive([&](int lane) {
          EXPECT_EQ(m.Vgpr(kResult, lane), m.MemoryBefore<uint32_t>(LinearPlace(lane, 0)));
        });
      });
}

TEST(VectorMemory, AFlatAddressInNoApertureIsAnApertureViolation) {
  RunSnippet(
      "flat_load_dword",
      [](TestMachine& m) {
        SetLinearAddresses(m);
        m.SetVgpr64(kAddress, 0, 0x1234567890000000);
        m.SetExec(1);
      },
      [](TestMachine& m) {
        EXPECT_EQ(m.fault().code, Fault::Code::kApertureViolation);
        EXPECT_EQ(m.fault().va, 0x1234567890000010u);
      });
}

}  // namespace
}  // namespace vgpu::flat_test
