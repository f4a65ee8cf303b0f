// SPDX-License-Identifier: MIT
#include "trace/write/gpu_numbers.h"

namespace rtl::store {

// If a GPU has no location and no id, only the process's number distinguishes it.
GpuNumbers::Key GpuNumbers::KeyOf(const Gpu& gpu) {
  const bool unknown = gpu.uuid.empty() && gpu.bdf == 0;
  return {gpu.host, gpu.uuid, gpu.bdf, gpu.node, unknown ? gpu.own : 0};
}

uint32_t GpuNumbers::Of(const Gpu& gpu) {
  const auto [known, is_new] = numbers_.try_emplace(KeyOf(gpu), 0);
  if (!is_new) return known->second;
  const uint32_t wishes[] = {gpu.of_a_rank ? gpu.of_host : gpu.own,
                             gpu.of_a_rank ? gpu.own : gpu.of_host};
  uint32_t number = taken_.empty() ? 0 : *taken_.rbegin() + 1;
  if (!taken_.contains(wishes[0])) {
    number = wishes[0];
  } else if (!taken_.contains(wishes[1])) {
    number = wishes[1];
  }
  taken_.insert(number);
  known->second = number;
  return number;
}

void GpuNumbers::Know(const Gpu& gpu, uint32_t number) {
  numbers_.insert_or_assign(KeyOf(gpu), number);
  taken_.insert(number);
}

}  // namespace rtl::store
