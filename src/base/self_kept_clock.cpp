// SPDX-License-Identifier: MIT
#include "base/self_kept_clock.h"

#include <errno.h>

namespace rtl {

void SelfKeptClock::Update() {
  if (busy_.exchange(true, std::memory_order_acquire)) return;  // (A)
  clock_.Update();
  busy_.store(false, std::memory_order_release);  // (A)
}

[[gnu::cold]] uint64_t SelfKeptClock::NowSlow() {
  const uint64_t ticks = __rdtsc();
  // Until the first slope is known every reader comes here; only some of them take a sample.
  if (ticks - tried_at_.load(std::memory_order_relaxed) < kTryTicks) return BootTimeNs();
  tried_at_.store(ticks, std::memory_order_relaxed);
  const int error_number = errno;  // the application's
  Update();
  errno = error_number;
  uint64_t ns;
  return clock_.TryNowNs(kFreshTicks, &ns) ? ns : BootTimeNs();
}

}  // namespace rtl
