// SPDX-License-Identifier: MIT
#include "trace/collect/clock_reading.h"

#include <sys/timex.h>
#include <time.h>

#include "base/clock.h"

namespace rtl::store {
namespace {

// Returns the narrowest of several readings, because an interrupt during a reading makes it wider.
ClockOffset OffsetOf(clockid_t clock) {
  constexpr int kTries = 5;
  ClockOffset best;
  for (int i = 0; i < kTries; ++i) {
    timespec other;
    const uint64_t before = BootTimeNs();
    clock_gettime(clock, &other);
    const uint64_t after = BootTimeNs();
    const auto width = static_cast<int64_t>(after - before);
    if (i != 0 && width >= best.width) continue;
    const int64_t time = static_cast<int64_t>(other.tv_sec) * 1'000'000'000 + other.tv_nsec;
    best = {.offset = time - static_cast<int64_t>(before + (after - before) / 2), .width = width};
  }
  return best;
}

}  // namespace

ClockReading ReadClocks() {
  ClockReading reading;
  reading.time = BootTimeNs();
  reading.realtime = OffsetOf(CLOCK_REALTIME);
  reading.raw = OffsetOf(CLOCK_MONOTONIC_RAW);
  timex discipline = {};  // without a mode, adjtimex only reads
  const int state = adjtimex(&discipline);
  if (state < 0) return reading;
  reading.has_discipline = true;
  reading.synchronized = state != TIME_ERROR && (discipline.status & STA_UNSYNC) == 0;
  reading.status = discipline.status;
  reading.frequency = discipline.freq;
  reading.max_error = discipline.maxerror;
  reading.estimated_error = discipline.esterror;
  reading.tai = discipline.tai;
  return reading;
}

ClockTable ReadClockRow() {
  const ClockReading reading = ReadClocks();
  const auto time = static_cast<int64_t>(reading.time);
  ClockTable row{};
  row.time = reading.time;
  row.realtime = time + reading.realtime.offset;
  row.realtime_width = reading.realtime.width;
  row.raw = time + reading.raw.offset;
  row.raw_width = reading.raw.width;
  if (!reading.has_discipline) return row;
  row.is_synchronized = reading.synchronized ? 1 : 0;
  row.status = reading.status;
  row.frequency = reading.frequency;
  row.max_error = reading.max_error;
  row.estimated_error = reading.estimated_error;
  row.tai_offset = reading.tai;
  return row;
}

void ClockHistory::ReadIfDue() {
  if (!readings_.empty() && BootTimeNs() - readings_.back().time < kClockPeriodNs) return;
  readings_.push_back(ReadClockRow());
}

std::vector<ClockTable> ClockHistory::Since(uint64_t time) const {
  if (readings_.empty()) return {};
  auto first = readings_.begin();
  while (first + 1 != readings_.end() && (first + 1)->time <= time) ++first;
  std::vector<ClockTable> readings(first, readings_.end());
  readings.push_back(ReadClockRow());
  return readings;
}

}  // namespace rtl::store
