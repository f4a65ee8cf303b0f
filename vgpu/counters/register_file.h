// SPDX-License-Identifier: MIT
// register_file.h: the configuration registers of one GPU that packets can write and read back.
//
// Threads    any; a short lock. Memory: static, never destroyed
// Errors     an unwritten register reads 0
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace vgpu {

class RegisterFile {
 public:
  // `number` is the register's dword offset, the way PM4 packets address it.
  void Write(uint32_t number, uint32_t value);
  uint32_t Read(uint32_t number) const;

 private:
  mutable std::mutex mutex_;  // guards values_
  std::unordered_map<uint32_t, uint32_t> values_;
};

// `gpu` is below kMaxGpus.
RegisterFile& RegistersOf(int gpu);

}  // namespace vgpu
