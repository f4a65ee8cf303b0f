// SPDX-License-Identifier: MIT
#include "vgpu/counters/register_file.h"

#include "vgpu/config/config.h"

namespace vgpu {

void RegisterFile::Write(uint32_t number, uint32_t value) {
  std::lock_guard lock(mutex_);
  values_[number] = value;
}

uint32_t RegisterFile::Read(uint32_t number) const {
  std::lock_guard lock(mutex_);
  const auto found = values_.find(number);
  return found == values_.end() ? 0 : found->second;
}

RegisterFile& RegistersOf(int gpu) {
  // Leaked on purpose: queue threads may outlive the static destructors.
  static auto* files = new RegisterFile[kMaxGpus];
  return files[gpu];
}

}  // namespace vgpu
