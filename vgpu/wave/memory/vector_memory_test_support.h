// SPDX-License-Identifier: MIT
// vector_memory_test_support.h: one set of tests for the loads, stores and atomics of every address
// space. A space defines how a lane's address is set and where its bytes then are.
#pragma once

#include <functional>
#include <string>

#include "vgpu/wave/memory/atomic_test_cases.h"
#include "vgpu/wave/wave_test_support.h"

namespace vgpu {

struct AddressSpace {
  std::string prefix;  // of the snippets: "global_"
  uint32_t data = 0;   // first VGPR of the data
  uint32_t result = 0;
  // Points every lane's address (with the snippet's offset) at its data.
  std::function<void(TestMachine&)> set_addresses;
  // Offset in the machine's memory of a byte of a lane's data.
  std::function<uint32_t(int lane, uint32_t byte)> place;
};

// The bytes as they were before the snippet ran, as a little-endian number.
inline uint64_t BytesBefore(const AddressSpace& space, TestMachine& m, int lane, uint32_t first,
                            uint32_t count) {
  uint64_t value = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t byte = m.MemoryBefore<uint8_t>(space.place(lane, first + i));
    value |= byte << (8 * i);
  }
  return value;
}

inline uint64_t BytesAfter(const AddressSpace& space, TestMachine& m, int lane, uint32_t first,
                           uint32_t count) {
  uint64_t value = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t byte = m.Peek<uint8_t>(space.place(lane, first + i));
    value |= byte << (8 * i);
  }
  return value;
}

// Loads into one half of a register, on a GPU that writes registers whole and on one that does not.
void TestPartLoadsWithAndWithoutSramEcc(const AddressSpace& space);
void TestLoads(const AddressSpace& space);
void TestStores(const AddressSpace& space);
void TestAtomics(const AddressSpace& space);

}  // namespace vgpu
