// SPDX-License-Identifier: MIT
#include "capture/clr/clr_clock.h"

#include <time.h>

namespace rtl::capture {
namespace {

constexpr clockid_t kIds[kClrClocks] = {CLOCK_BOOTTIME, CLOCK_MONOTONIC, CLOCK_REALTIME,
                                        CLOCK_MONOTONIC_RAW};
constexpr const char* kNames[kClrClocks] = {"CLOCK_BOOTTIME", "CLOCK_MONOTONIC", "CLOCK_REALTIME",
                                            "CLOCK_MONOTONIC_RAW"};

}  // namespace

ClrClockSample SampleClrClocks() {
  ClrClockSample sample;
  for (size_t i = 0; i < kClrClocks; ++i) {
    timespec now = {};
    (void)clock_gettime(kIds[i], &now);  // these four clocks always exist
    sample.at[i] =
        static_cast<uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(now.tv_nsec);
  }
  return sample;
}

void ClrClock::Begin(const ClrClockSample& before, const ClrClockSample& after) {
  before_ = previous_ = before;
  after_ = last_ = after;
}

bool ClrClock::ChooseByCall(uint64_t start, uint64_t end) {
  for (size_t i = 0; i < kClrClocks; ++i) {
    if (start + kSlackNs < before_.at[i] || end > after_.at[i] + kSlackNs || start > end) continue;
    clock_ = i;
    return true;
  }
  return false;
}

bool ClrClock::ChooseByPlausibility(uint64_t start, uint64_t end, const ClrClockSample& now) {
  for (size_t i = 0; i < kClrClocks; ++i) {
    if (start < before_.at[i] || end > now.at[i] || start > end) continue;
    clock_ = i;
    return true;
  }
  return false;
}

const char* ClrClock::name() const { return chosen() ? kNames[clock_] : "none"; }

void ClrClock::Advance(const ClrClockSample& now) {
  previous_ = last_;
  last_ = now;
}

bool ClrClock::ToBootTime(uint64_t time, uint64_t* out) const {
  if (!chosen()) return false;
  const uint64_t from = previous_.at[clock_];
  const uint64_t to = last_.at[clock_];
  if (time + kSlackNs < before_.at[clock_] || time > to + kSlackNs) return false;
  const auto first = static_cast<int64_t>(previous_.at[0] - from);
  const auto second = static_cast<int64_t>(last_.at[0] - to);
  int64_t offset = first;
  if (time > from && to > from) {
    offset +=
        static_cast<int64_t>(static_cast<__int128>(second - first) *
                             static_cast<int64_t>(time - from) / static_cast<int64_t>(to - from));
  }
  *out = time + static_cast<uint64_t>(offset);
  return true;
}

}  // namespace rtl::capture
