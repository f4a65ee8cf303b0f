// SPDX-License-Identifier: MIT
// hw_counters.h: what the shader engines of each GPU have done since the process started.
//
// Threads    written by every thread that runs waves, read by the command processor; relaxed sums,
//            exact once the dispatch that did the work has completed
// Memory     static, never destroyed
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "vgpu/config/config.h"

namespace vgpu {

constexpr int kShaderEngines = 8;  // at most: GpuModel says how many

// Events of the SQ block of gfx9, by the number that a select register names them with.
enum class SqEvent : uint16_t {
  kWaves = 4,
  kWavesEq64 = 6,  // waves that started with all lanes active
  kWavesLt64 = 7,
  kItems = 14,  // work-items
  kInsts = 25,
  kInstsValu = 26,
  kInstsVmemWrite = 27,
  kInstsVmemRead = 28,
  kInstsVmem = 29,
  kInstsSalu = 30,
  kInstsSmem = 31,
  kInstsFlat = 32,
  kInstsLds = 34,
};
// One more than the highest number above.
constexpr int kSqEvents = 35;

// What a select register means by a number; none: nobody counts it. GPUs with matrix instructions
// count those under 27, and what follows under the next number. `gfx`: as in GpuModel.
std::optional<SqEvent> SqEventOf(int gfx, uint32_t number);

// The events that are modelled, a line "BLOCK NUMBER" for each: what a tool reads in the topology to
// tell "nothing happened" from "not modelled".
std::string ModelledCounters(int gfx);

struct HwCounters {
  std::atomic<uint64_t> sq[kShaderEngines][kSqEvents] = {};

  void Add(int engine, SqEvent event, uint64_t count) {
    sq[engine][static_cast<int>(event)].fetch_add(count, std::memory_order_relaxed);
  }
  uint64_t Get(int engine, uint32_t number) const {
    return sq[engine][number].load(std::memory_order_relaxed);
  }
};

// `gpu` is below kMaxGpus.
HwCounters& HwCountersOf(int gpu);

}  // namespace vgpu
