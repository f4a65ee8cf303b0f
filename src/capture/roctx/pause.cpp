// SPDX-License-Identifier: MIT
#include "capture/roctx/pause.h"

#include <string.h>

#include <algorithm>

#include "base/clock.h"

namespace rtl::capture {

bool Pause::IsPaused(uint32_t thread) {
  if (all_.load(std::memory_order_relaxed)) return true;
  if (range_.load(std::memory_order_relaxed) != nullptr &&
      open_ranges_.load(std::memory_order_relaxed) == 0) {
    return true;
  }
  if (has_times_.load(std::memory_order_relaxed)) {
    const uint64_t now = BootTimeNs();
    if (now < from_.load(std::memory_order_relaxed) ||
        now >= until_.load(std::memory_order_relaxed)) {
      return true;
    }
  }
  for (const auto& paused : threads_) {
    if (paused.load(std::memory_order_relaxed) == thread) return true;
  }
  return false;
}

bool Pause::Begin(uint32_t thread) {
  if (thread == kAllThreads) {
    if (!all_.exchange(true, std::memory_order_relaxed)) {
      paused_at_.store(BootTimeNs(), std::memory_order_relaxed);
      (void)requested_.fetch_add(1, std::memory_order_relaxed);
    }
    return true;
  }
  for (const auto& paused : threads_) {
    if (paused.load(std::memory_order_relaxed) == thread) return true;
  }
  for (auto& place : threads_) {
    uint32_t none = 0;
    if (!place.compare_exchange_strong(none, thread, std::memory_order_relaxed)) continue;
    threads_paused_at_[&place - threads_].store(BootTimeNs(), std::memory_order_relaxed);
    (void)requested_.fetch_add(1, std::memory_order_relaxed);
    return true;
  }
  return false;
}

void Pause::RecordBetween(uint64_t from, uint64_t until) {
  if (from == 0 && until == UINT64_MAX) return;
  from_.store(from, std::memory_order_relaxed);
  until_.store(until, std::memory_order_relaxed);
  has_times_.store(true, std::memory_order_relaxed);
  (void)requested_.fetch_add(1, std::memory_order_relaxed);
}

void Pause::RecordDuring(const char* name) {
  if (name[0] == '\0') return;
  range_.store(name, std::memory_order_release);  // pairs with Awaits
  (void)requested_.fetch_add(1, std::memory_order_relaxed);
}

bool Pause::IsSame(const char* awaited, const char* name) {
  return name != nullptr && strcmp(awaited, name) == 0;
}

void Pause::EnterRange() {
  const uint64_t now = BootTimeNs();
  if (open_ranges_.fetch_add(1, std::memory_order_relaxed) == 0)
    entered_at_.store(now, std::memory_order_relaxed);
}

// Does nothing when no range is open, because a program may stop a range twice.
void Pause::LeaveRange() {
  uint32_t open = open_ranges_.load(std::memory_order_relaxed);
  while (open != 0 &&
         !open_ranges_.compare_exchange_weak(open, open - 1, std::memory_order_relaxed)) {
  }
  if (open == 1) left_at_.store(BootTimeNs(), std::memory_order_relaxed);
}

Pause::Period Pause::LastPeriod(uint32_t thread) {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  Period period;
  period.from = resumed_at_.load(kRelaxed);
  if (all_.load(kRelaxed)) period.until = paused_at_.load(kRelaxed);
  if (range_.load(kRelaxed) != nullptr) {
    period.from = std::max(period.from, entered_at_.load(kRelaxed));
    if (open_ranges_.load(kRelaxed) == 0)
      period.until = std::min(period.until, left_at_.load(kRelaxed));
  }
  if (has_times_.load(kRelaxed)) {
    period.from = std::max(period.from, from_.load(kRelaxed));
    period.until = std::min(period.until, until_.load(kRelaxed));
  }
  for (uint32_t i = 0; i < kMaxThreads; ++i) {
    if (threads_[i].load(kRelaxed) == thread)
      period.until = std::min(period.until, threads_paused_at_[i].load(kRelaxed));
  }
  for (const auto* end : {&paused_at_, &left_at_}) {
    const uint64_t time = end->load(kRelaxed);
    if (time <= period.from) period.before = std::max(period.before, time);
  }
  if (period.before == 0) period.before = period.from;
  return period;
}

void Pause::OnForkInChild(uint32_t before, uint32_t now) {
  for (auto& place : threads_) {
    const uint32_t paused = place.load(std::memory_order_relaxed);
    if (paused == 0) continue;
    place.store(paused == before ? now : 0, std::memory_order_relaxed);
    if (paused != before) (void)requested_.fetch_sub(1, std::memory_order_relaxed);
  }
}

void Pause::TEST_Reset() {
  End(kAllThreads);
  has_times_.store(false, std::memory_order_relaxed);
  range_.store(nullptr, std::memory_order_relaxed);
  open_ranges_.store(0, std::memory_order_relaxed);
  paused_at_.store(0, std::memory_order_relaxed);
  resumed_at_.store(0, std::memory_order_relaxed);
  entered_at_.store(UINT64_MAX, std::memory_order_relaxed);
  left_at_.store(0, std::memory_order_relaxed);
  for (auto& place : threads_) place.store(0, std::memory_order_relaxed);
  requested_.store(0, std::memory_order_relaxed);
}

void Pause::End(uint32_t thread) {
  const bool everybody = thread == kAllThreads;
  if (Requested()) resumed_at_.store(BootTimeNs(), std::memory_order_relaxed);
  if (everybody && all_.exchange(false, std::memory_order_relaxed)) {
    (void)requested_.fetch_sub(1, std::memory_order_relaxed);
  }
  for (auto& place : threads_) {
    uint32_t paused = place.load(std::memory_order_relaxed);
    if (paused == 0 || (!everybody && paused != thread)) continue;
    if (place.compare_exchange_strong(paused, 0, std::memory_order_relaxed)) {
      (void)requested_.fetch_sub(1, std::memory_order_relaxed);
    }
  }
}

}  // namespace rtl::capture
