// SPDX-License-Identifier: MIT
#include "capture/roctx/markers.h"

#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/thread_state.h"
#include "capture/roctx/omitted_ranges.h"
#include "capture/roctx/pause.h"

namespace rtl::capture {
namespace {

// Bits in the id of a range.
constexpr uint64_t kNotBegun = uint64_t{1} << 63;  // the beginning of the range is not recorded
// the beginning of the range started the recording
constexpr uint64_t kAwaited = uint64_t{1} << 62;
// Above the number: the place in OmittedRanges of a range that is not recorded.
constexpr int kPlaceAt = 40;
constexpr uint64_t kPlaceMask = (uint64_t{1} << OmittedRanges::kPlaceBits) - 1;
constexpr uint64_t kNumberMask = (uint64_t{1} << kPlaceAt) - 1;

struct ThreadRanges {
  int32_t level = 0;            // ranges pushed and not yet popped
  int32_t lost_from = -1;       // level of the outermost range with a lost push; -1: none
  Loss why = Loss::kSpoolFull;  // the cause of that loss
  uint32_t pending_pops = 0;    // range ends that the sink refused
  // level of the outermost open range that started the recording; -1: none
  int32_t awaited = -1;
  int32_t lost_around = -1;  // lost_from as it was outside of that range
  uint32_t omitted = 0;      // the place of the innermost omitted push; zero: none
  int32_t of_parent = 0;     // ranges below this level belong to the trace of the parent process
};
[[gnu::tls_model("initial-exec")]] constinit thread_local ThreadRanges ranges;

struct Text {
  explicit Text(const char* message) : data(message) {
    if (message == nullptr) return;
    const size_t length = strnlen(message, kMaxTextBytes + 1);
    bytes = TextPrefix(message, length, kMaxTextBytes);
    if (bytes != length) flags = kTextFlagTruncated;
  }

  const char* data;
  size_t bytes = 0;
  uint32_t flags = 0;
};

// True if nothing is recorded now; the marker is then counted as paused.
bool IsOmitted(RecordSink* sink) {
  if (!Pause::Active()) [[likely]]
    return false;
  sink->CountSubmitted(EventKind::kMarker, 1);
  sink->CountLoss(EventKind::kMarker, Loss::kPaused, 1);
  return true;
}

// Writes the record of a marker and counts it as recorded or lost.
template <typename Record>
bool Begin(RecordSink* sink, RecordType type, Record* record, const Text& text) {
  record->head.type = type;
  record->head.thread = ThreadId::Current();
  record->text_bytes = static_cast<uint32_t>(text.bytes);
  record->flags = text.flags;
  sink->CountSubmitted(EventKind::kMarker, 1);
  record->time = BootTimeNs();
  if (!sink->Write(record, sizeof *record, text.data, text.bytes)) {
    sink->CountLoss(EventKind::kMarker, Loss::kSpoolFull, 1);
    return false;
  }
  sink->CountRecorded(EventKind::kMarker, 1);
  return true;
}

bool End(RecordSink* sink, RecordType type, uint64_t time, uint64_t range) {
  RangeEndRecord record;
  record.head.type = type;
  record.head.thread = ThreadId::Current();
  record.time = time;
  record.range = range;
  return sink->Write(&record, sizeof record, nullptr, 0);
}

// Writes the ends that are still pending. False if one of them is refused again: a later end must
// not be written then, because it would be paired with the wrong range.
bool WritePendingPops(RecordSink* sink, uint64_t time) {
  while (ranges.pending_pops != 0) {
    if (!End(sink, RecordType::kRangePop, time, 0)) return false;
    --ranges.pending_pops;
  }
  return true;
}

void CountLostPush(RecordSink* sink, Loss why) {
  sink->CountSubmitted(EventKind::kMarker, 1);
  sink->CountLoss(EventKind::kMarker, why, 1);
}

// Remembers an omitted push. False if there is no room for it.
[[gnu::cold]] bool Omit(int32_t level, const char* message) {
  const Text text(message);
  const uint32_t place =
      OmittedRanges::Open({text.data, text.bytes, text.flags, level, ranges.omitted, 0});
  if (place != 0) ranges.omitted = place;
  return place != 0;
}

bool WritePush(RecordSink* sink, int32_t level, const char* message) {
  const bool pops_pending = ranges.pending_pops != 0 && !WritePendingPops(sink, BootTimeNs());
  if (ranges.lost_from >= 0 || pops_pending) {
    CountLostPush(sink, ranges.lost_from >= 0 ? ranges.why : Loss::kSpoolFull);
    return false;
  }
  const bool omitted = IsOmitted(sink);
  ranges.why = omitted ? Loss::kPaused : Loss::kSpoolFull;
  if (omitted) [[unlikely]]
    return Omit(level, message);
  if (ranges.omitted != 0) [[unlikely]]
    OmittedRanges::FollowFrom(sink, ranges.omitted);
  RangeBeginRecord record;
  return Begin(sink, RecordType::kRangePush, &record, Text(message));
}

// Begins to record at this level: this range and the ranges inside it are recorded, although ranges
// around it were omitted or lost.
void EnterAwaited(int32_t level) {
  if (ranges.awaited >= 0) return;
  ranges.awaited = level;
  ranges.lost_around = ranges.lost_from;
  ranges.lost_from = -1;
  Pause::EnterRange();
}

void LeaveAwaited(int32_t level) {
  if (ranges.awaited != level) return;
  ranges.awaited = -1;
  ranges.lost_from = ranges.lost_around;
  Pause::LeaveRange();
}

bool WritePop(RecordSink* sink, uint64_t time) {
  return WritePendingPops(sink, time) && End(sink, RecordType::kRangePop, time, 0);
}

}  // namespace

void Markers::ForgetOmitted() {
  ranges.omitted = 0;
  OmittedRanges::Forget();
}

void Markers::OnForkInChild() {
  const int32_t level = ranges.level;
  ranges = {};
  ranges.level = ranges.of_parent = level;
}

void Markers::Mark(RecordSink* sink, const char* message) {
  if (sink == nullptr || IsOmitted(sink)) return;
  MarkRecord record;
  // a refused record has been counted already
  (void)Begin(sink, RecordType::kMark, &record, Text(message));
}

int Markers::Push(RecordSink* sink, const char* message) {
  const int32_t level = ranges.level++;
  if (Pause::Awaits(message)) [[unlikely]]
    EnterAwaited(level);
  if (sink != nullptr && !WritePush(sink, level, message) && ranges.lost_from < 0)
    ranges.lost_from = level;
  return level;
}

int Markers::Pop(RecordSink* sink) {
  if (ranges.level == 0) return -1;
  const uint64_t time = BootTimeNs();
  const int32_t level = --ranges.level;
  if (level < ranges.of_parent) [[unlikely]] {
    ranges.of_parent = level;
    return level;
  }
  if (ranges.lost_from >= 0) {
    if (level == ranges.lost_from) ranges.lost_from = -1;
  } else if (const uint32_t place = ranges.omitted;
             place != 0 && OmittedRanges::LevelOf(place) == level) {
    ranges.omitted = OmittedRanges::Below(place);
    OmittedRanges::Close(sink, place, 0);
  } else if (sink != nullptr && !WritePop(sink, time)) {
    ++ranges.pending_pops;
  }
  LeaveAwaited(level);
  return level;
}

uint64_t Markers::Start(RecordSink* sink, const char* message) {
  // Relaxed: the number only has to be unique.
  const uint64_t range = next_range_.fetch_add(1, std::memory_order_relaxed);
  if (sink == nullptr) return range;
  const bool awaited = Pause::Awaits(message);
  if (awaited) Pause::EnterRange();
  const uint64_t mark = awaited ? kAwaited : 0;
  if (IsOmitted(sink)) [[unlikely]] {
    const Text text(message);
    const uint64_t place =
        OmittedRanges::Open({text.data, text.bytes, text.flags, 0, 0, range & kNumberMask});
    return range | place << kPlaceAt | kNotBegun | mark;
  }
  RangeBeginRecord record;
  record.range = range;
  // A refused record has been counted already. The bit in the id prevents an end without a
  // beginning in the trace.
  const bool begun = Begin(sink, RecordType::kRangeStart, &record, Text(message));
  return range | (begun ? 0 : kNotBegun) | mark;
}

void Markers::Stop(RecordSink* sink, uint64_t range) {
  // If the sink refuses the end, the range stays open in the trace, which the reader shows.
  if (sink != nullptr && (range & kNotBegun) == 0)
    (void)End(sink, RecordType::kRangeStop, BootTimeNs(), range & ~kAwaited);
  const auto place = static_cast<uint32_t>(range >> kPlaceAt & kPlaceMask);
  if ((range & kNotBegun) != 0 && place != 0 && place <= OmittedRanges::kRanges)
    OmittedRanges::Close(sink, place, range & kNumberMask);
  if ((range & kAwaited) != 0) Pause::LeaveRange();
}

bool Markers::Name(RecordSink* sink, Named what, uint64_t target, const char* name) {
  if (sink == nullptr) return true;
  const Text text(name);
  NameRecord record;
  record.head.type = RecordType::kName;
  record.head.thread = ThreadId::Current();
  record.time = BootTimeNs();
  record.what = what;
  record.target = target;
  record.text_bytes = static_cast<uint32_t>(text.bytes);
  return sink->Write(&record, sizeof record, text.data, text.bytes);
}

}  // namespace rtl::capture
