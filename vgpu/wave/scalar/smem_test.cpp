// SPDX-License-Identifier: MIT
#include <string>

#include "vgpu/clock/clock.h"
#include "vgpu/wave/memory/atomic_test_cases.h"
#include "vgpu/wave/wave_test_support.h"

namespace vgpu::smem_test {
namespace {

constexpr uint32_t kBase = 8;
constexpr uint32_t kData = 20;
constexpr uint32_t kOffsetRegister = 3;
constexpr uint32_t kPlace = 0x100;     // the address in the machine's memory that the base holds
constexpr uint32_t kImmediate = 0x14;  // of the loads and stores
constexpr uint32_t kAtomicPlace = 0x110;

struct Width {
  const char* suffix;
  uint32_t dwords;
};
constexpr Width kLoadWidths[] = {{"", 1}, {"x2", 2}, {"x4", 4}, {"x8", 8}, {"x16", 16}};
constexpr Width kStoreWidths[] = {{"", 1}, {"x2", 2}, {"x4", 4}};

// A buffer with that stride and number of records.
void SetBuffer(TestMachine& m, uint32_t stride, uint32_t records) {
  m.SetSgpr64(kBase, TestMachine::kMemoryVa + kPlace);
  m.SetSgpr(kBase + 1, m.wave().sgpr[kBase + 1] | stride << 16);
  m.SetSgpr(kBase + 2, records);
  m.SetSgpr(kBase + 3, 0);
}

TEST(Smem, Loads) {
  for (const Width& width : kLoadWidths) {
    RunSnippet((std::string("s_load_dword") + width.suffix).c_str(),
               [](TestMachine& m) { m.SetSgpr64(kBase, TestMachine::kMemoryVa + kPlace); },
               [&](TestMachine& m) {
                 for (uint32_t i = 0; i < width.dwords; ++i) {
                   EXPECT_EQ(m.Sgpr(kData + i),
                             m.MemoryBefore<uint32_t>(kPlace + kImmediate + 4 * i));
                 }
               });
  }
}

TEST(Smem, IgnoresTheLowBitsOfBaseAndOffset) {
  RunSnippet(
      "s_load_dword",
      [](TestMachine& m) { m.SetSgpr64(kBase, TestMachine::kMemoryVa + kPlace + 3); },
      [](TestMachine& m) {
        EXPECT_EQ(m.Sgpr(kData), m.MemoryBefore<uint32_t>(kPlace + kImmediate));
      });
  RunSnippet(
      "smem_sgpr_offset",
      [](TestMachine& m) {
        m.SetSgpr64(kBase, TestMachine::kMemoryVa + kPlace + 3);
        m.SetSgpr(kOffsetRegister, 0x27);
      },
      [](TestMachine& m) { EXPECT_EQ(m.Sgpr(kData), m.MemoryBefore<uint32_t>(kPlace + 0x24)); });
}

TEST(Smem, AddsImmediateAndRegisterOffsets) {
  const auto setup = [](TestMachine& m) {
    m.SetSgpr64(kBase, TestMachine::kMemoryVa + kPlace);
    m.SetSgpr(kOffsetRegister, 0x40);
    m.SetM0(0x80);
  };
  const auto expect = [](uint32_t place) {
    return [=](TestMachine& m) { EXPECT_EQ(m.Sgpr(kData), m.MemoryBefore<uint32_t>(place)); };
  };
  RunSnippet("smem_negative", setup, expect(kPlace - kImmediate));
  RunSnippet("smem_sgpr_offset", setup, expect(kPlace + 0x40));
  RunSnippet("smem_m0_offset", setup, expect(kPlace + 0x80));
  RunSnippet("smem_both_offsets", setup, expect(kPlace + 0x40 + kImmediate));
}

TEST(Smem, LoadsOverItsOwnBaseAndIntoVcc) {
  const auto setup = [](TestMachine& m) { m.SetSgpr64(kBase, TestMachine::kMemoryVa + kPlace); };
  RunSnippet("smem_over_base", setup, [](TestMachine& m) {
    for (uint32_t i = 0; i < 4; ++i) {
      EXPECT_EQ(m.Sgpr(kBase + i), m.MemoryBefore<uint32_t>(kPlace + 4 * i));
    }
  });
  RunSnippet("smem_vcc", setup, [](TestMachine& m) {
    EXPECT_EQ(m.Vcc(), m.MemoryBefore<uint64_t>(kPlace + kImmediate));
  });
}

TEST(Smem, Stores) {
  for (const Width& width : kStoreWidths) {
    RunSnippet((std::string("s_store_dword") + width.suffix).c_str(),
               [](TestMachine& m) { m.SetSgpr64(kBase, TestMachine::kMemoryVa + kPlace); },
               [&](TestMachine& m) {
                 for (uint32_t i = 0; i < width.dwords; ++i) {
                   EXPECT_EQ(m.Peek<uint32_t>(kPlace + kImmediate + 4 * i),
                             m.SgprBefore(kData + i));
                 }
               });
  }
}

TEST(Smem, LoadsFromBuffersAndReadsZeroBehindThem) {
  for (const Width& width : kLoadWidths) {
    // Offset 0x14 is dword 5: 12 dwords leave 7 of them, 3 leave none.
    for (const uint32_t buffer_dwords : {64u, 12u, 3u}) {
      SCOPED_TRACE(buffer_dwords);
      RunSnippet((std::string("s_buffer_load_dword") + width.suffix).c_str(),
                 [&](TestMachine& m) { SetBuffer(m, 0, buffer_dwords * 4); },
                 [&](TestMachine& m) {
                   for (uint32_t i = 0; i < width.dwords; ++i) {
                     const bool inside = 5 + i < buffer_dwords;
                     const uint32_t there = m.MemoryBefore<uint32_t>(kPlace + kImmediate + 4 * i);
                     EXPECT_EQ(m.Sgpr(kData + i), inside ? there : 0u);
                   }
                 });
    }
  }
}

TEST(Smem, CountsElementsOfStructuredBuffers) {
  for (const uint32_t records : {2u, 1u}) {
    RunSnippet(
        "s_buffer_load_dword", [&](TestMachine& m) { SetBuffer(m, 16, records); },
        [&](TestMachine& m) {
          const uint32_t there = m.MemoryBefore<uint32_t>(kPlace + kImmediate);
          EXPECT_EQ(m.Sgpr(kData), records * 16 > kImmediate ? there : 0u);
        });
  }
}

TEST(Smem, StoresToBuffersAndDropsWhatLiesBehindThem) {
  for (const Width& width : kStoreWidths) {
    for (const uint32_t buffer_dwords : {64u, 7u, 3u}) {
      RunSnippet((std::string("s_buffer_store_dword") + width.suffix).c_str(),
                 [&](TestMachine& m) { SetBuffer(m, 0, buffer_dwords * 4); },
                 [&](TestMachine& m) {
                   for (uint32_t i = 0; i < width.dwords && 5 + i < buffer_dwords; ++i) {
                     EXPECT_EQ(m.Peek<uint32_t>(kPlace + kImmediate + 4 * i),
                               m.SgprBefore(kData + i));
                   }
                 });
    }
  }
}

// One run of an atomic. `glc`: the old value comes back.
void TestAtomic(const std::string& prefix, const AtomicCase& atomic, const AtomicValues& values,
                int bits, bool glc) {
  const std::string label = prefix + atomic.name + (bits == 64 ? "_x2" : "") + (glc ? "_glc" : "");
  const int shift = 64 - bits;
  const uint64_t old = values.old >> shift;
  const uint64_t data = values.data >> shift;
  const uint64_t compare = values.compare >> shift;
  const uint64_t want = atomic.expected(old, data, compare, bits);
  const auto setup = [&](TestMachine& m) {
    SetBuffer(m, 0, 0x100);
    if (bits == 64) {
      m.Poke<uint64_t>(kAtomicPlace, old);
      m.SetSgpr64(kData, data);
      m.SetSgpr64(kData + 2, compare);
    } else {
      m.Poke<uint32_t>(kAtomicPlace, static_cast<uint32_t>(old));
      m.SetSgpr(kData, static_cast<uint32_t>(data));
      m.SetSgpr(kData + 1, static_cast<uint32_t>(compare));
    }
  };
  RunSnippet(label.c_str(), setup, [&](TestMachine& m) {
    if (bits == 64) {
      EXPECT_EQ(m.Peek<uint64_t>(kAtomicPlace), want);
      EXPECT_EQ(m.Sgpr64(kData), glc ? old : data);
    } else {
      EXPECT_EQ(m.Peek<uint32_t>(kAtomicPlace), static_cast<uint32_t>(want));
      EXPECT_EQ(m.Sgpr(kData), static_cast<uint32_t>(glc ? old : data));
    }
  });
}

TEST(Smem, UpdatesMemoryAtomically) {
  for (const char* prefix : {"s_atomic_", "s_buffer_atomic_"}) {
    for (const AtomicCase& atomic : kAtomicCases) {
      for (const AtomicValues& values : kAtomicValues) {
        for (const bool glc : {false, true}) {
          TestAtomic(prefix, atomic, values, 32, glc);
          TestAtomic(prefix, atomic, values, 64, glc);
        }
      }
    }
  }
}

TEST(Smem, AtomicsBehindABufferReturnZeroAndChangeNothing) {
  for (const char* label : {"s_buffer_atomic_add_glc", "s_buffer_atomic_add_x2_glc"}) {
    RunSnippet(
        label, [](TestMachine& m) { SetBuffer(m, 0, 0x10); },
        [&](TestMachine& m) {
          EXPECT_EQ(m.Sgpr(kData), 0u);
          const bool wide = std::string(label).find("_x2") != std::string::npos;
          if (wide) {
            EXPECT_EQ(m.Sgpr(kData + 1), 0u);
          }
        });
  }
}

TEST(Smem, HasCacheControlWithoutVisibleEffect) {
  for (const char* label : {"s_dcache_inv", "s_dcache_wb", "s_dcache_inv_vol", "s_dcache_wb_vol",
                            "s_dcache_discard", "s_dcache_discard_x2"}) {
    RunSnippet(
        label, [](TestMachine&) {}, [](TestMachine&) {});
  }
}

TEST(Smem, ReadsTheTimestampCounterOfDispatches) {
  uint64_t before = 0;
  RunSnippet(
      "s_memrealtime", [&](TestMachine&) { before = GpuTicks(); },
      [&](TestMachine& m) {
        const uint64_t value = m.Sgpr64(kData);
        EXPECT_GE(value, before);
        EXPECT_LE(value, GpuTicks());
      });
}

TEST(Smem, ReadsACoreClockThatNeverGoesBack) {
  uint64_t last = 0;
  for (int i = 0; i < 3; ++i) {
    RunSnippet(
        "s_memtime", [](TestMachine&) {},
        [&](TestMachine& m) {
          const uint64_t value = m.Sgpr64(kData);
          EXPECT_GT(value, last);
          last = value;
        });
  }
}

TEST(Smem, FaultsWhereThereIsNoPage) {
  RunSnippet(
      "smem_unmapped", [](TestMachine& m) { m.SetSgpr64(kBase, TestMachine::kUnmappedVa); },
      [](TestMachine& m) {
        EXPECT_EQ(m.fault().code, Fault::Code::kMemoryFault);
        EXPECT_EQ(m.fault().va, TestMachine::kUnmappedVa);
        EXPECT_FALSE(m.fault().write);
      });
  RunSnippet(
      "s_store_dword",
      [](TestMachine& m) { m.SetSgpr64(kBase, TestMachine::kUnmappedVa - kImmediate); },
      [](TestMachine& m) {
        EXPECT_EQ(m.fault().code, Fault::Code::kMemoryFault);
        EXPECT_EQ(m.fault().va, TestMachine::kUnmappedVa);
        EXPECT_TRUE(m.fault().write);
      });
}

TEST(Smem, FaultsWhenOnlyTheFirstHalfIsMapped) {
  RunSnippet(
      "smem_unmapped",
      [](TestMachine& m) {
        m.SetSgpr64(kBase, TestMachine::kMemoryVa + TestMachine::kMemoryBytes - 4);
      },
      [](TestMachine& m) { EXPECT_EQ(m.fault().code, Fault::Code::kMemoryFault); });
}

}  // namespace
}  // namespace vgpu::smem_test
