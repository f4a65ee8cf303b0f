// SPDX-License-Identifier: MIT
// omitted_ranges.h: keeps the open ranges that began while nothing was recorded (pause.h). When
// recording begins, the part of each range that lies in the recorded period becomes a range in the
// trace.
//
//   paused          recording                 paused            recording
//   Open ────────── Follow: a range begins ── Follow: it ends ─ Follow: another ─ Close: it ends
//
// A part is written as a start and a stop with an id of its own, because the thread that writes it
// may not be the one that pushed the range.
//
//   state       the next one by
//   kFree       Open
//   kOmitted    Follow, Close: kBusy, then kRecorded, kOmitted or kFree
//   kRecorded   Follow, Close: kBusy, then kRecorded, kOmitted or kFree
//
// Threads    any. Open and Close: the thread of the range (of start/stop: any)
// Blocking   Close: while another thread writes records of the same range, at most kTries turns
// Memory     kRanges slots, mapped when the first range is omitted. When all are in use, a range is
//            omitted as a whole
// Losses     a range counts as kPaused when it begins, until a part of it is recorded
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "model/record_sink.h"

namespace rtl::capture {

class OmittedRanges {
 public:
  static constexpr uint32_t kRanges = 1024;
  static constexpr uint32_t kPlaceBits = 11;

  struct Range {
    const char* text;
    size_t bytes;
    uint32_t flags;  // kTextFlag…
    int32_t level;   // level of a push
    uint32_t below;  // place of the thread's next outer range; zero: none
    uint64_t id;     // the id of a start/stop range, as the caller has it; zero: a push
  };
  // Returns the place of the range; zero if there is no room.
  static uint32_t Open(const Range& range);
  // `sink` may be null. `id`: as in Open.
  static void Close(RecordSink* sink, uint32_t place, uint64_t id);
  // Properties of an open range.
  static int32_t LevelOf(uint32_t place);
  static uint32_t Below(uint32_t place);

  // In the child of a fork: forgets the open ranges, which are the parent's. Async-signal-safe.
  static void Forget();

  // Write the starts and stops of parts that are due: Follow for all ranges, FollowFrom for the
  // range at `place` and the ranges around it.
  static void Follow(RecordSink* sink);
  static void FollowFrom(RecordSink* sink, uint32_t place);

 private:
  enum class State : uint32_t { kFree, kBusy, kOmitted, kRecorded };
  struct Slot;
  static constexpr int kTries = 1000;

  static Slot* At(uint32_t place);
  static bool Has(uint32_t place) { return place <= used_.load(std::memory_order_relaxed); }
  static bool MapSlots();
  static bool Take(Slot* slot, State* was);
  static State Advance(RecordSink* sink, Slot* slot, State state, uint64_t now);
  static bool Begin(RecordSink* sink, Slot* slot, uint64_t time);
  static void End(RecordSink* sink, const Slot& slot, uint64_t time);

  static inline constinit std::atomic<Slot*> slots_{nullptr};
  // places that have been used at least once
  static inline constinit std::atomic<uint32_t> used_{0};
  static inline constinit std::atomic<uint32_t> open_{0};
  static inline constinit std::atomic<uint64_t> next_id_{0};
};

}  // namespace rtl::capture
