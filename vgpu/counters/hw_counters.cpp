// SPDX-License-Identifier: MIT
#include "vgpu/counters/hw_counters.h"

#include <iterator>

namespace vgpu {
namespace {

constinit HwCounters g_counters[kMaxGpus];

}  // namespace

namespace {

// By which number the SQ of each family knows an event.
struct SqNumbers {
  SqEvent event;
  uint16_t gfx900, gfx908, gfx90a, gfx940;
};
constexpr SqNumbers kNumbers[] = {
    {SqEvent::kWaves, 4, 4, 4, 4},
    {SqEvent::kWavesEq64, 6, 6, 6, 6},
    {SqEvent::kWavesLt64, 7, 7, 7, 7},
    {SqEvent::kItems, 14, 14, 14, 14},
    {SqEvent::kInsts, 25, 25, 25, 25},
    {SqEvent::kInstsValu, 26, 26, 26, 26},
    {SqEvent::kInstsVmemWrite, 27, 28, 53, 57},
    {SqEvent::kInstsVmemRead, 28, 29, 54, 58},
    {SqEvent::kInstsVmem, 29, 30, 55, 59},
    {SqEvent::kInstsSalu, 30, 31, 56, 60},
    {SqEvent::kInstsSmem, 31, 32, 57, 61},
    {SqEvent::kInstsFlat, 32, 33, 58, 62},
    {SqEvent::kInstsLds, 34, 35, 60, 65},
};
static_assert(std::size(kNumbers) == kSqEvents);

uint32_t NumberOn(int gfx, const SqNumbers& numbers) {
  if (gfx >= 0x940) return numbers.gfx940;
  if (gfx >= 0x90a) return numbers.gfx90a;
  return gfx >= 0x908 ? numbers.gfx908 : numbers.gfx900;
}

}  // namespace

std::optional<SqEvent> SqEventOf(int gfx, uint32_t number) {
  for (const SqNumbers& each : kNumbers) {
    if (NumberOn(gfx, each) == number) return each.event;
  }
  return std::nullopt;
}

std::string ModelledCounters(int gfx) {
  std::string text = "GRBM 0\n";
  for (const SqNumbers& each : kNumbers) text += "SQ " + std::to_string(NumberOn(gfx, each)) + "\n";
  return text;
}

HwCounters& HwCountersOf(int gpu) { return g_counters[gpu]; }

}  // namespace vgpu
