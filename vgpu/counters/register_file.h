// SPDX-License-Identifier: MIT
// register_file.h: the configuration registers of one chiplet of a GPU that packets write and read.
//
// Threads    any. Memory: static, never destroyed; pages that no packet writes are not touched
// Errors     a register that no packet wrote reads 0, as does one beyond the last
#pragma once

#include <atomic>
#include <cstdint>

namespace vgpu {

class RegisterFile {
 public:
  static constexpr uint32_t kRegisters = 1u << 17;

  // `number` is the register's dword offset, the way PM4 packets address it.
  void Write(uint32_t number, uint32_t value) {
    if (number < kRegisters) values_[number].store(value, std::memory_order_relaxed);
  }
  uint32_t Read(uint32_t number) const {
    return number < kRegisters ? values_[number].load(std::memory_order_relaxed) : 0;
  }

 private:
  std::atomic<uint32_t> values_[kRegisters] = {};
};

// As HwCountersOf.
RegisterFile& RegistersOf(int gpu, uint32_t chiplet = 0);

}  // namespace vgpu
