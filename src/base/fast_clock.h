// SPDX-License-Identifier: MIT
// fast_clock.h: BOOTTIME nanoseconds (clock.h) at the cost of one read of the processor's time
// stamp counter: ns = origin + (counter - start) * slope, a line that the worker keeps on the real
// clock.
//
//   real clock   ........x.............x............x     x: Update
//   the line     --------\_____________/------------      bends at each x, never jumps
//
// The obvious design, to put the line through the newest sample, has a bug: readers would see time
// step back by the error of the sample. Here a new line starts where the old line is, and is
// steered so that it meets the real clock kHorizonNs later. If there was no update for longer than
// that, the line is set on the real clock, if the real clock is ahead.
//
// Threads    NowNs: any. Update: one (the worker)
// Blocking   never: during an update a reader uses the system's clock instead
// Errors     if there is no line (the counter is not reliable, or not measured yet, or the line was
//            not updated for kMaxTicks, or the real clock has jumped), the system's clock is read,
//            which costs more
// Accuracy   the error of one sample, tens of nanoseconds, if updates are at most 100 ms apart (the
//            error of a sample is half the time that it took, so disturbed samples are not used).
//            When readers change from the line to the system's clock or back, two reads of one
//            thread may be out of order by as much
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

  // HOT. False if only the system's clock can answer.
  bool TryNowNs(uint64_t* ns) const {
    Line line;
    const bool whole = Read(&line);
    const uint64_t ticks = __rdtsc() - line.start;  // a very large number if the line is newer
    *ns = line.origin + Scale(ticks, line.slope);
    return whole && line.slope != 0 && ticks <= kMaxTicks;
  }

  // False if there is no line, or if it is older than `most_ticks` ticks.
  bool TryNowNs(uint64_t most_ticks, uint64_t* ns) const {
    Line line;
    const bool whole = Read(&line);
    const uint64_t ticks = __rdtsc() - line.start;
    *ns = line.origin + Scale(ticks, line.slope);
    return whole && line.slope != 0 && ticks <= most_ticks;
  }

  // True if the kernel itself trusts the counter: it is invariant, and still usable as a clock
  // source.
  static bool CounterIsReliable();

  // Takes a sample of both clocks if the last one is old enough.
  void Update();

  struct Line {
    uint64_t start = 0;   // in ticks
    uint64_t origin = 0;  // time in ns at `start`
    uint64_t slope = 0;   // in ns per tick, times 2^32; zero: there is no line
  };
  // True if a sample with this gap is good enough. If the thread was descheduled during a sample,
  // the sample is wrong by that time. Each rejected sample raises the limit, so that a machine on
  // which every sample takes long gets a line, too.
  bool Accepts(uint64_t gap);

  // False if an update is under way.
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

  // Updates the line with a sample: the counter and BOOTTIME at the same moment.
  void Steer(uint64_t ticks, uint64_t ns);

  // samples closer than this add no information
  static constexpr uint64_t kEveryNs = 1'000'000;
  // time over which the first slope is measured
  static constexpr uint64_t kFirstNs = 4'000'000;
  // time over which later slopes are measured
  static constexpr uint64_t kBaselineNs = 2'000'000'000;
  static constexpr uint64_t kHorizonNs = 200'000'000;  // twice the longest time between updates
  // a larger difference is not drift: the line is measured anew
  static constexpr int64_t kJumpNs = 100'000;

 private:
  static constexpr uint64_t kMaxTicks = uint64_t{1} << 32;  // one or two seconds
  // in ticks; a good sample takes about 50
  static constexpr uint64_t kLeastGap = 400;
  struct Sample {
    uint64_t ticks = 0;
    uint64_t ns = 0;
    uint64_t gap = 0;  // ticks between the two readings of the counter in the sample
  };

  static Sample TakeSample();
  void Restart(Sample sample);
  void Publish(uint64_t start, uint64_t origin, uint64_t slope);

  // The line for readers, guarded by a seqlock: `sequence_` is odd while the line changes.
  alignas(64) std::atomic<uint32_t> sequence_{0};
  std::atomic<uint64_t> start_{0}, origin_{0}, slope_{0};
  // Used by Update only.
  alignas(64) Sample older_;  // the slope is measured from this sample
  Sample newer_;              // becomes `older_` when that sample is kBaselineNs old
  uint64_t last_ns_ = 0;
  uint64_t most_gap_ = kLeastGap;  // largest gap of a sample that is used
  enum class Reliable : uint8_t { kUnknown, kNo, kYes } reliable_ = Reliable::kUnknown;
};

}  // namespace rtl
