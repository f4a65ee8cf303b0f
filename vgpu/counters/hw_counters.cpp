// SPDX-License-Identifier: MIT
#include "vgpu/counters/hw_counters.h"

namespace vgpu {
namespace {

constinit HwCounters g_counters[kMaxGpus];

}  // namespace

namespace {

bool IsCounted(uint32_t number) {
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

constexpr int kFirstWithMatrices = 0x908;
constexpr uint32_t kMatrixInstructions = 27;

}  // namespace

std::optional<SqEvent> SqEventOf(int gfx, uint32_t number) {
  if (gfx >= kFirstWithMatrices && number == kMatrixInstructions) return std::nullopt;
  const bool moved = gfx >= kFirstWithMatrices && number > kMatrixInstructions;
  const uint32_t event = moved ? number - 1 : number;
  if (!IsCounted(event)) return std::nullopt;
  return static_cast<SqEvent>(event);
}

std::string ModelledCounters(int gfx) {
  std::string text = "GRBM 0\n";
  for (uint32_t number = 0; number <= kSqEvents; ++number) {
    if (SqEventOf(gfx, number).has_value()) text += "SQ " + std::to_string(number) + "\n";
  }
  return text;
}

HwCounters& HwCountersOf(int gpu) { return g_counters[gpu]; }

}  // namespace vgpu
