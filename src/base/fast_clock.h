// SPDX-License-Identifier: MIT
// fast_clock.h: BOOTTIME nanoseconds (clock.h) at the cost of one read of the processor's time
// stamp counter: ns = origin + (counter - start) * slope, a line that the worker keeps on the real
// clock.
//
//   real clock   ........x.............x............x     x: Update
//   our line     --------\_____________/------------      bends at each x, never jumps
//
// The bug in the obvious design is to put the line through the newest sample: readers would see
// time step back by the error of the sample. Here a new line starts where the old one is and is
// steered to meet the real clock kHorizonNs later. After a longer rest than that it is set on the
// real clock if that is ahead.
//
// Threads    NowNs: any. Update: one (the worker)
// Blocking   never: a reader that meets an update asks the system's clock instead
// Errors     no line (counter not reliable, not yet measured, not updated for kMaxTicks, the real
//            clock jumped): the system's clock answers, at its price
// Accuracy   the error of one sample, tens of nanoseconds, between updates up to 100 ms apart
//            (samples that were disturbed are not taken: each is worth half the time it took). Two
//            reads of one thread may be out of order by as much around a change from line to system
#pragma once

#include <stdint.h>
#include <x86intrin.h>

#include <atomic>

#include "base/clock.h"

namespace rtl {

class FastClock {
 public:
  FastClock() = default;
  FastClock(const FastClock&) = delete;
  FastClock& operator=(const FastClock&) = delete;

  // HOT.
  uint64_t NowNs() const {
    uint64_t ns;
    return TryNowNs(&ns) ? ns : BootTimeNs();
  }

  // HOT. False: only the system's clock knows.
  bool TryNowNs(uint64_t* ns) const {
    Line line;
    const bool whole = Read(&line);
    const uint64_t ticks = __rdtsc() - line.start;  // a large number when the line is newer
    *ns = line.origin + Scale(ticks, line.slope);
    return whole && line.slope != 0 && ticks <= kMaxTicks;
  }

  // False: there is no line, or it is older than so many ticks.
  bool TryNowNs(uint64_t most_ticks, uint64_t* ns) const {
    Line line;
    const bool whole = Read(&line);
    const uint64_t ticks = __rdtsc() - line.start;
    *ns = line.origin + Scale(ticks, line.slope);
    return whole && line.slope != 0 && ticks <= most_ticks;
  }

  // Whether the kernel itself trusts the counter: invariant, and not given up as a clock source.
  static bool CounterIsReliable();

  // Takes a sample of both clocks if the last one is old enough.
  void Update();

  struct Line {
    uint64_t start = 0;   // ticks
    uint64_t origin = 0;  // ns at `start`
    uint64_t slope = 0;   // ns per tick, times 2^32; zero: no line
  };
  // Whether a sample with this gap is good enough. A sample during which the thread was descheduled
  // is off by that time. Each rejected sample raises the limit, so that a machine where every
  // sample takes long gets a line too.
  bool Accepts(uint64_t gap);

  // False: an update is under way.
  bool Read(Line* line) const {
    const uint32_t before = sequence_.load(std::memory_order_acquire);  // pairs with (A)
    line->start = start_.load(std::memory_order_relaxed);
    line->origin = origin_.load(std::memory_order_relaxed);
    line->slope = slope_.load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);  // pairs with (B)
    return sequence_.load(std::memory_order_relaxed) == before && (before & 1) == 0;
  }
  static uint64_t Scale(uint64_t ticks, uint64_t slope) {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(ticks) * slope) >> 32);
  }

  // Update with a given sample: the counter and BOOTTIME at the same moment.
  void Steer(uint64_t ticks, uint64_t ns);

  static constexpr uint64_t kEveryNs = 1'000'000;         // closer samples add no information
  static constexpr uint64_t kFirstNs = 4'000'000;         // how long the first slope is measured
  static constexpr uint64_t kBaselineNs = 2'000'000'000;  // how long later ones are
  static constexpr uint64_t kHorizonNs = 200'000'000;     // twice the longest time between updates
  static constexpr int64_t kJumpNs = 100'000;             // more is no drift: measure anew

 private:
  static constexpr uint64_t kMaxTicks = uint64_t{1} << 32;  // a second or two
  static constexpr uint64_t kLeastGap = 400;                // ticks; a good sample takes some 50
  struct Sample {
    uint64_t ticks = 0;
    uint64_t ns = 0;
    uint64_t gap = 0;  // ticks between the two readings of the counter
  };

  static Sample TakeSample();
  void Restart(Sample sample);
  void Publish(uint64_t start, uint64_t origin, uint64_t slope);

  // Readers' line. A seqlock: odd while the rest changes.
  alignas(64) std::atomic<uint32_t> sequence_{0};
  std::atomic<uint64_t> start_{0}, origin_{0}, slope_{0};
  // Used by Update only.
  alignas(64) Sample older_;  // the slope is measured from here
  Sample newer_;              // becomes `older_` when it is kBaselineNs old
  uint64_t last_ns_ = 0;
  uint64_t most_gap_ = kLeastGap;  // of a sample that is taken
  enum class Reliable : uint8_t { kUnknown, kNo, kYes } reliable_ = Reliable::kUnknown;
};

}  // namespace rtl
