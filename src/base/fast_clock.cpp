// SPDX-License-Identifier: MIT
#include "base/fast_clock.h"

#include <cpuid.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>

#include "base/files_apart.h"
#include "base/unique_fd.h"

namespace rtl {

bool FastClock::CounterIsReliable() {
  unsigned a, b, c, d;
  constexpr unsigned kPowerLeaf = 0x80000007, kInvariantTsc = 1u << 8;
  if (__get_cpuid(kPowerLeaf, &a, &b, &c, &d) == 0 || (d & kInvariantTsc) == 0) return false;
  char name[32] = {};
  FilesApart([&] {
    const UniqueFd file(open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                             O_RDONLY | O_CLOEXEC));
    (void)!read(file.get(), name, sizeof(name) - 1);  // an empty name counts as not reliable
  });
  for (const char* based_on_it : {"tsc", "kvm-clock", "hyperv_clocksource_tsc_page"}) {
    const size_t length = strlen(based_on_it);
    if (strncmp(name, based_on_it, length) == 0 && name[length] == '\n') return true;
  }
  return false;
}

// Reads the counter before and after the clock. Makes a few tries, because the sample with the
// smallest gap is the least disturbed.
FastClock::Sample FastClock::TakeSample() {
  Sample best;
  uint64_t best_gap = UINT64_MAX;
  for (int tries = 0; tries < 3; ++tries) {
    const uint64_t before = __rdtsc();
    const uint64_t ns = BootTimeNs();
    const uint64_t gap = __rdtsc() - before;
    if (gap >= best_gap) continue;
    best_gap = gap;
    best = {before + gap / 2, ns, gap};
  }
  return best;
}

void FastClock::Update() {
  if (reliable_ == Reliable::kUnknown) {
    reliable_ = CounterIsReliable() ? Reliable::kYes : Reliable::kNo;
  }
  if (reliable_ == Reliable::kNo) return;
  const Sample sample = TakeSample();
  if (sample.ns - last_ns_ >= kEveryNs && Accepts(sample.gap)) Steer(sample.ticks, sample.ns);
}

bool FastClock::Accepts(uint64_t gap) {
  const bool good = gap <= most_gap_;
  most_gap_ = good ? std::max(kLeastGap, 2 * gap) : 2 * most_gap_;
  return good;
}

void FastClock::Restart(Sample sample) {
  older_ = newer_ = sample;
  Publish(0, 0, 0);
}

void FastClock::Steer(uint64_t ticks, uint64_t ns) {
  const uint64_t rest = ns - last_ns_;
  last_ns_ = ns;
  const Sample sample = {.ticks = ticks, .ns = ns};
  if (older_.ticks == 0 || ticks <= newer_.ticks || ns <= newer_.ns) return Restart(sample);
  const uint64_t measured = ns - older_.ns;
  if (measured < kFirstNs) return;
  const auto slope = static_cast<uint64_t>((static_cast<unsigned __int128>(measured) << 32) /
                                           (ticks - older_.ticks));
  if (ns - newer_.ns >= kBaselineNs) {
    older_ = newer_;
    newer_ = sample;
  }
  const uint64_t now_slope = slope_.load(std::memory_order_relaxed);
  if (now_slope == 0) return Publish(ticks, ns, slope);
  const uint64_t ours = origin_.load(std::memory_order_relaxed) +
                        Scale(ticks - start_.load(std::memory_order_relaxed), now_slope);
  const int64_t behind = static_cast<int64_t>(ns - ours);
  if (behind > kJumpNs || behind < -kJumpNs) return Restart(sample);
  // The line has met the real clock long ago and has gone past it. Another bend would overshoot to
  // the other side, and each further bend would overshoot more.
  if (rest > kHorizonNs && behind > 0) return Publish(ticks, ns, slope);
  const auto correction = static_cast<int64_t>(static_cast<__int128>(slope) * behind /
                                               static_cast<int64_t>(kHorizonNs));
  Publish(ticks, ours, slope + static_cast<uint64_t>(correction));
}

void FastClock::Publish(uint64_t start, uint64_t origin, uint64_t slope) {
  // only this thread writes it
  const uint32_t sequence = sequence_.load(std::memory_order_relaxed);
  sequence_.store(sequence + 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);  // (B)
  start_.store(start, std::memory_order_relaxed);
  origin_.store(origin, std::memory_order_relaxed);
  slope_.store(slope, std::memory_order_relaxed);
  sequence_.store(sequence + 2, std::memory_order_release);  // (A)
}

}  // namespace rtl
