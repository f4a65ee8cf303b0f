// SPDX-License-Identifier: MIT
// Implements vector_memory_test_support.h.
#include "vgpu/wave/gfx90a.h"
#include "vgpu/wave/memory/vector_memory_test_support.h"

namespace vgpu {
namespace {

struct PartLoad {
  const char* name;
  uint32_t bytes;
  bool is_signed;
  int half;  // -1: the whole register; 0, 1: that half of it
};

constexpr PartLoad kPartLoads[] = {
    {"load_ubyte", 1, false, -1},    {"load_sbyte", 1, true, -1},
    {"load_ushort", 2, false, -1},   {"load_sshort", 2, true, -1},
    {"load_ubyte_d16", 1, false, 0}, {"load_ubyte_d16_hi", 1, false, 1},
    {"load_sbyte_d16", 1, true, 0},  {"load_sbyte_d16_hi", 1, true, 1},
    {"load_short_d16", 2, false, 0}, {"load_short_d16_hi", 2, false, 1},
};

struct PartStore {
  const char* name;
  uint32_t bytes;
  int first_bit;
};

constexpr PartStore kPartStores[] = {
    {"store_byte", 1, 0},
    {"store_byte_d16_hi", 1, 16},
    {"store_short", 2, 0},
    {"store_short_d16_hi", 2, 16},
};

constexpr const char* kWidths[] = {"dword", "dwordx2", "dwordx3", "dwordx4"};

uint32_t Extended(uint64_t value, uint32_t bytes, bool is_signed) {
  const uint64_t limit = uint64_t{1} << (8 * bytes);
  const bool negative = is_signed && value >= limit / 2;
  return static_cast<uint32_t>(negative ? value - limit : value);
}

// The other half of the register is as it was, or 0.
uint32_t ExpectedPart(const PartLoad& load, uint64_t value, uint32_t before) {
  const uint32_t extended = Extended(value, load.bytes, load.is_signed);
  if (HasSramEcc()) before = 0;
  if (load.half == 0) return before / 0x10000 * 0x10000 + extended % 0x10000;
  if (load.half == 1) return before % 0x10000 + extended % 0x10000 * 0x10000;
  return extended;
}

void TestPartLoads(const AddressSpace& space) {
  for (const PartLoad& load : kPartLoads) {
    RunSnippet((space.prefix + load.name).c_str(), space.set_addresses, [&](TestMachine& m) {
      m.ForActive([&](int lane) {
        const uint64_t value = BytesBefore(space, m, lane, 0, load.bytes);
        EXPECT_EQ(m.Vgpr(space.result, lane),
                  ExpectedPart(load, value, m.Before(space.result, lane)));
      });
    });
  }
}

}  // namespace

void TestPartLoadsWithAndWithoutSramEcc(const AddressSpace& space) {
  for (const bool on : {true, false}) {
    const ScopedSramEcc sram_ecc(on);
    TestPartLoads(space);
  }
}

void TestLoads(const AddressSpace& space) {
  TestPartLoads(space);
  for (uint32_t dwords = 1; dwords <= 4; ++dwords) {
    RunSnippet((space.prefix + "load_" + kWidths[dwords - 1]).c_str(), space.set_addresses,
               [&](TestMachine& m) {
                 m.ForActive([&](int lane) {
                   for (uint32_t i = 0; i < dwords; ++i) {
                     EXPECT_EQ(m.Vgpr(space.result + i, lane),
                               BytesBefore(space, m, lane, 4 * i, 4));
                   }
                 });
               });
  }
}

void TestStores(const AddressSpace& space) {
  for (const PartStore& store : kPartStores) {
    RunSnippet((space.prefix + store.name).c_str(), space.set_addresses, [&](TestMachine& m) {
      m.ForActive([&](int lane) {
        const uint32_t data = m.Before(space.data, lane) >> store.first_bit;
        EXPECT_EQ(BytesAfter(space, m, lane, 0, store.bytes), data % (1u << (8 * store.bytes)));
      });
    });
  }
  for (uint32_t dwords = 1; dwords <= 4; ++dwords) {
    RunSnippet((space.prefix + "store_" + kWidths[dwords - 1]).c_str(), space.set_addresses,
               [&](TestMachine& m) {
                 m.ForActive([&](int lane) {
                   for (uint32_t i = 0; i < dwords; ++i) {
                     EXPECT_EQ(BytesAfter(space, m, lane, 4 * i, 4),
                               m.Before(space.data + i, lane));
                   }
                 });
               });
  }
}

namespace {

void SetRegister(TestMachine& m, uint32_t number, int lane, int bits, uint64_t value) {
  if (bits == 64) {
    m.SetVgpr64(number, lane, value);
  } else {
    m.SetVgpr(number, lane, static_cast<uint32_t>(value));
  }
}

void TestAtomic(const AddressSpace& space, const AtomicCase& atomic, int bits, bool glc) {
  const std::string label =
      space.prefix + "atomic_" + atomic.name + (bits == 64 ? "_x2" : "") + (glc ? "_glc" : "");
  const uint32_t registers = static_cast<uint32_t>(bits) / 32;
  const int shift = 64 - bits;
  // Every lane has another pair of numbers.
  const auto values = [](int lane) { return kAtomicValues[lane % std::size(kAtomicValues)]; };
  const auto setup = [&](TestMachine& m) {
    space.set_addresses(m);
    for (int lane = 0; lane < kLanes; ++lane) {
      const uint64_t old = values(lane).old >> shift;
      for (uint32_t i = 0; i < registers * 4; ++i) {
        m.Poke<uint8_t>(space.place(lane, i), static_cast<uint8_t>(old >> (8 * i)));
      }
      SetRegister(m, space.data, lane, bits, values(lane).data >> shift);
      SetRegister(m, space.data + registers, lane, bits, values(lane).compare >> shift);
    }
  };
  RunSnippet(label.c_str(), setup, [&](TestMachine& m) {
    m.ForActive([&](int lane) {
      const uint64_t old = values(lane).old >> shift;
      const uint64_t want =
          atomic.expected(old, values(lane).data >> shift, values(lane).compare >> shift, bits);
      const uint64_t mask = ~uint64_t{0} >> shift;
      EXPECT_EQ(BytesAfter(space, m, lane, 0, registers * 4), want & mask) << "lane " << lane;
      if (!glc) return;
      const uint64_t returned =
          bits == 64 ? m.Vgpr64(space.result, lane) : m.Vgpr(space.result, lane);
      EXPECT_EQ(returned, old) << "lane " << lane;
    });
  });
}

}  // namespace

void TestAtomics(const AddressSpace& space) {
  for (const AtomicCase& atomic : kAtomicCases) {
    for (const bool glc : {false, true}) {
      TestAtomic(space, atomic, 32, glc);
      TestAtomic(space, atomic, 64, glc);
    }
  }
}

}  // namespace vgpu
