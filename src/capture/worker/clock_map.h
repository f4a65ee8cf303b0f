// SPDX-License-Identifier: MIT
// clock_map.h: converts one agent's counter to host time without jumps.
//
// The runtime fits the two clocks several times a second. So a moment later it converts the same
// tick to a host time that differs by about 100 ns, and kernels that ran one after the other would
// overlap in the trace. This map queries the runtime once per kHorizonNs and connects the results
// by straight pieces. Each piece starts at the last result of the piece before it:
//
//   host ns │            ╱ piece 2, aimed at where the runtime's fit will be one horizon later
//           │        __╱
//           │     ╱‾     start of piece 2 = the last tick converted with piece 1
//           │   ╱ piece 1
//           └──────────────── ticks
//
// The map is continuous and never falls: a later tick never gets an earlier time.
//
// Threads    one (the worker)
// Blocking   never; the runtime's own conversion takes a lock of the runtime
// Memory     the last kPieces pieces; the runtime converts ticks before them
// Errors     ToHost returns false when the runtime refuses to convert
#pragma once

#include <hsa/hsa.h>
#include <stdint.h>

namespace rtl::capture {

class ClockMap {
 public:
  using Convert = hsa_status_t (*)(hsa_agent_t agent, uint64_t tick, uint64_t* ns);
  static constexpr uint64_t kHorizonNs = 5'000'000;
  static constexpr uint32_t kPieces = 64;

  void Init(hsa_agent_t agent, Convert convert);
  hsa_agent_t agent() const { return agent_; }

  // Converts `tick` of the agent's counter to CLOCK_BOOTTIME nanoseconds.
  bool ToHost(uint64_t tick, uint64_t* ns);
  // HOT: converts both ends of a kernel, which nearly always lie on the newest piece.
  bool ToHost(uint64_t start, uint64_t end, uint64_t* start_ns, uint64_t* end_ns) {
    if (start < newest_.tick || end < start || end > until_) [[unlikely]] {
      return ToHost(start, start_ns) && ToHost(end, end_ns);
    }
    if (end > answered_) answered_ = end;
    *start_ns = newest_.At(start);
    *end_ns = newest_.At(end);
    return true;
  }

 private:
  struct Piece {
    uint64_t tick = 0;  // first tick of the piece
    uint64_t ns = 0;    // host time at that tick
    double ns_per_tick = 0;
    // Converts `at`, which must not be before `tick`. Signed, because processors convert only
    // signed integers in one instruction.
    uint64_t At(uint64_t at) const {
      const double ticks = static_cast<double>(static_cast<int64_t>(at - tick));
      return ns + static_cast<uint64_t>(static_cast<int64_t>(ticks * ns_per_tick));
    }
  };

  // Queries the runtime's present fit around `tick`.
  bool Ask(uint64_t tick, uint64_t* ns, double* ns_per_tick) const;
  bool StartFirst(uint64_t tick);
  bool StartNext(uint64_t tick);
  const Piece& Oldest() const;
  const Piece& Covering(uint64_t tick) const;

  hsa_agent_t agent_ = {};
  Convert convert_ = nullptr;
  uint64_t count_ = 0;     // pieces started so far
  uint64_t until_ = 0;     // the newest piece converts up to this tick
  uint64_t answered_ = 0;  // the latest tick that was converted so far
  Piece newest_;           // a copy of the newest piece; if there is none, no tick is in it
  Piece pieces_[kPieces];
};

}  // namespace rtl::capture
