// SPDX-License-Identifier: MIT
// omitted_ranges.h: the open ranges that began while nothing was recorded (pause.h). When recording
// begins, the part of each that lies in the recorded period becomes a range of the trace.
//
//   paused          recording                 paused            recording
//   Open ────────── Follow: a range begins ── Follow: it ends ─ Follow: another one ─ Close: it ends
//
// A part is written as start and stop with an id of its own: another thread than the one that
// pushed the range may write them.
//
//   state       the next one by
//   kFree       Open
//   kOmitted    Follow, Close: kBusy, then kRecorded, kOmitted or kFree
//   kRecorded   Follow, Close: kBusy, then kRecorded, kOmitted or kFree
//
// Threads    any. Open and Close: the thread of the range (of start/stop: any)
// Blocking   Close: while another thread writes records of the same range, at most kTries turns
// Memory     kRanges slots, mapped when the first range is omitted. Ranges beyond are omitted whole
// Losses     a range counts as kPaused when it begins, and no more once a part is recorded
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
    int32_t level;   // of a push
    uint32_t below;  // the place of the thread's next outer one; zero: none
    uint64_t id;     // start/stop: as in the caller's hands; zero: a push
  };
  // Returns its place; zero: no room.
  static uint32_t Open(const Range& range);
  // `sink` may be null. `id`: as in Open.
  static void Close(RecordSink* sink, uint32_t place, uint64_t id);
  // Of an open one.
  static int32_t LevelOf(uint32_t place);
  static uint32_t Below(uint32_t place);

  // In the child of a fork: the open ranges are the parent's. Async-signal-safe.
  static void Forget();

  // Writes what has become due, of all ranges; of `place` and those below it.
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
  static inline constinit std::atomic<uint32_t> used_{0};  // places that were ever used
  static inline constinit std::atomic<uint32_t> open_{0};
  static inline constinit std::atomic<uint64_t> next_id_{0};
};

}  // namespace rtl::capture
