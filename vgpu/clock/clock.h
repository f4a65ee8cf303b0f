// SPDX-License-Identifier: MIT
// clock.h: the GPU's timestamp counter, derived from the host's raw monotonic clock.
//
// Threads    any; never blocks
#pragma once

#include <cstdint>

namespace vgpu {

// Rate and drift of a GPU counter. The counter advances by hz * (1 + ppm / 1e6) per host second.
struct CounterRate {
  uint64_t hz = 25'000'000;
  int64_t ppm = 0;

  // Counter value at a host time. Monotonic, and exact for 100 years of uptime.
  uint64_t TicksAt(uint64_t raw_ns) const;
};

// Two of the host's clocks at one moment.
struct ClockPair {
  uint64_t raw_ns = 0;
  uint64_t boot_ns = 0;
};

uint64_t HostRawNs();   // CLOCK_MONOTONIC_RAW
uint64_t HostBootNs();  // CLOCK_BOOTTIME
// Reads the boot clock between two reads of the raw clock and pairs it with the middle of these
// two. Keeps the narrowest of several tries, because an interruption makes a try wide.
ClockPair ReadBothClocks(uint64_t (*raw)() = HostRawNs, uint64_t (*boot)() = HostBootNs);
uint64_t TicksAt(uint64_t raw_ns);  // the configured counter at that host time
uint64_t GpuTicks();                // the configured counter now

}  // namespace vgpu
