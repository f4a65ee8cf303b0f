// SPDX-License-Identifier: MIT
#include "vgpu/counters/hw_counters.h"

namespace vgpu {
namespace {

constinit HwCounters g_counters[kMaxGpus];

}  // namespace

bool IsCountedSqEvent(uint32_t number) {
  switch (static_cast<SqEvent>(number)) {
    case SqEvent::kWaves:
    case SqEvent::kWavesEq64:
    case SqEvent::kWavesLt64:
    case SqEvent::kItems:
    case SqEvent::kInsts:
    case SqEvent::kInstsValu:
    case SqEvent::kInstsVmemWrite:
    case SqEvent::kInstsVmemRead:
    case SqEvent::kInstsVmem:
    case SqEvent::kInstsSalu:
    case SqEvent::kInstsSmem:
    case SqEvent::kInstsFlat:
    case SqEvent::kInstsLds:
      return true;
  }
  return false;
}

HwCounters& HwCountersOf(int gpu) { return g_counters[gpu]; }

}  // namespace vgpu
