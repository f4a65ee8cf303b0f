// SPDX-License-Identifier: MIT
#include "vgpu/clock/clock.h"

#include <ctime>

#include "vgpu/config/config.h"

namespace vgpu {
namespace {

constexpr uint64_t kNsPerSecond = 1'000'000'000;
constexpr int64_t kMillion = 1'000'000;
// The counter reads as if it had started before the host booted, so that no tick of a live system
// is zero.
constexpr uint64_t kTicksAtBoot = 0x1000000;

const CounterRate& ConfiguredRate() {
  static const CounterRate rate{GetConfig().clock_hz, GetConfig().clock_ppm};
  return rate;
}

uint64_t Read(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * kNsPerSecond + now.tv_nsec;
}

}  // namespace

uint64_t CounterRate::TicksAt(uint64_t raw_ns) const {
  using Wide = unsigned __int128;
  const uint64_t micro_hz = hz * static_cast<uint64_t>(kMillion + ppm);
  return static_cast<uint64_t>(Wide{raw_ns} * micro_hz / (kNsPerSecond * kMillion)) + kTicksAtBoot;
}

uint64_t HostRawNs() { return Read(CLOCK_MONOTONIC_RAW); }
uint64_t HostBootNs() { return Read(CLOCK_BOOTTIME); }

ClockPair ReadBothClocks(uint64_t (*raw)(), uint64_t (*boot)()) {
  constexpr int kTries = 16;
  constexpr uint64_t kNarrowNs = 60;  // narrow enough: no more tries
  ClockPair pair;
  uint64_t narrowest = UINT64_MAX;
  for (int tried = 0; tried < kTries && narrowest > kNarrowNs; ++tried) {
    const uint64_t before = raw();
    const uint64_t boot_ns = boot();
    const uint64_t width = raw() - before;
    if (width >= narrowest) continue;
    narrowest = width;
    pair = {before + width / 2, boot_ns};
  }
  return pair;
}

uint64_t TicksAt(uint64_t raw_ns) { return ConfiguredRate().TicksAt(raw_ns); }

uint64_t GpuTicks() { return TicksAt(HostRawNs()); }

}  // namespace vgpu
