// SPDX-License-Identifier: MIT
#include "capture/roctx/omitted_ranges.h"

#include <sched.h>
#include <string.h>
#include <sys/mman.h>

#include <algorithm>

#include "base/clock.h"
#include "base/text.h"
#include "base/thread_state.h"
#include "capture/roctx/pause.h"

namespace rtl::capture {
namespace {

// Ids of parts begin here: the ids of roctxRangeStart count from one.
constexpr uint64_t kOmittedIds = uint64_t{1} << 61;
constexpr size_t kOmittedBytes = 1024;

}  // namespace

struct OmittedRanges::Slot {
  std::atomic<State> state;
  uint32_t thread;
  int32_t level;
  uint32_t below;
  uint64_t began;  // when the range began, or its last part ended
  uint64_t owner;  // Range::id
  uint64_t part;   // the id of the open part
  uint32_t flags;
  uint32_t bytes;
  bool has_part;  // a part was recorded, so the range is not lost any more
  char text[kOmittedBytes - 64];
};

OmittedRanges::Slot* OmittedRanges::At(uint32_t place) {
  static_assert(sizeof(Slot) <= kOmittedBytes);
  return slots_.load(std::memory_order_acquire) + (place - 1);
}

bool OmittedRanges::MapSlots() {
  if (slots_.load(std::memory_order_acquire) != nullptr) return true;
  void* const memory = mmap(nullptr, kRanges * sizeof(Slot), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  Slot* none = nullptr;
  if (!slots_.compare_exchange_strong(none, static_cast<Slot*>(memory), std::memory_order_release))
    (void)munmap(memory, kRanges * sizeof(Slot));  // another thread has mapped the slots
  return true;
}

uint32_t OmittedRanges::Open(const Range& range) {
  if (!MapSlots()) return 0;
  for (uint32_t place = 1; place <= kRanges; ++place) {
    Slot& slot = *At(place);
    State free = State::kFree;
    if (slot.state.load(std::memory_order_relaxed) != State::kFree ||
        !slot.state.compare_exchange_strong(free, State::kBusy, std::memory_order_acquire))
      continue;
    const size_t bytes = TextPrefix(range.text, range.bytes, sizeof slot.text);
    slot.thread = ThreadId::Current();
    slot.level = range.level;
    slot.below = range.below;
    slot.began = BootTimeNs();
    slot.owner = range.id;
    slot.flags = range.flags | (bytes < range.bytes ? kTextFlagTruncated : 0) |
                 (range.id == 0 ? kRangeFlagPushed : 0);
    slot.bytes = static_cast<uint32_t>(bytes);
    slot.has_part = false;
    if (bytes != 0) memcpy(slot.text, range.text, bytes);
    slot.state.store(State::kOmitted, std::memory_order_release);
    uint32_t used = used_.load(std::memory_order_relaxed);
    while (used < place && !used_.compare_exchange_weak(used, place, std::memory_order_relaxed)) {
    }
    (void)open_.fetch_add(1, std::memory_order_relaxed);
    return place;
  }
  return 0;
}

int32_t OmittedRanges::LevelOf(uint32_t place) { return At(place)->level; }
uint32_t OmittedRanges::Below(uint32_t place) { return At(place)->below; }

void OmittedRanges::Forget() {
  // the memory stays mapped until the process ends
  slots_.store(nullptr, std::memory_order_relaxed);
  used_.store(0, std::memory_order_relaxed);
  open_.store(0, std::memory_order_relaxed);
}

// Takes the slot. False if it is free, or if another thread has it.
bool OmittedRanges::Take(Slot* slot, State* was) {
  *was = slot->state.load(std::memory_order_relaxed);
  return (*was == State::kOmitted || *was == State::kRecorded) &&
         slot->state.compare_exchange_strong(*was, State::kBusy, std::memory_order_acquire);
}

bool OmittedRanges::Begin(RecordSink* sink, Slot* slot, uint64_t time) {
  slot->part = kOmittedIds | next_id_.fetch_add(1, std::memory_order_relaxed);
  RangeBeginRecord record;
  record.head.type = RecordType::kRangeStart;
  record.head.thread = slot->thread;
  record.time = time;
  record.range = slot->part;
  record.text_bytes = slot->bytes;
  record.flags = slot->flags;
  if (!sink->Write(&record, sizeof record, slot->text, slot->bytes)) return false;
  // The first part takes the loss back by adding -1: the counters wrap around.
  if (!slot->has_part) sink->CountLoss(EventKind::kMarker, Loss::kPaused, UINT64_MAX);
  if (slot->has_part) sink->CountSubmitted(EventKind::kMarker, 1);
  sink->CountRecorded(EventKind::kMarker, 1);
  slot->has_part = true;
  return true;
}

// If the sink refuses the end, the part stays open in the trace, which the reader shows.
void OmittedRanges::End(RecordSink* sink, const Slot& slot, uint64_t time) {
  RangeEndRecord record;
  record.head.type = RecordType::kRangeStop;
  record.head.thread = slot.thread;
  record.time = time;
  record.range = slot.part;
  (void)sink->Write(&record, sizeof record, nullptr, 0);
}

OmittedRanges::State OmittedRanges::Advance(RecordSink* sink, Slot* slot, State state,
                                            uint64_t now) {
  const Pause::Period period = Pause::LastPeriod(slot->thread);
  // a period began and ended between two calls of Follow
  if (state == State::kRecorded && period.from > slot->began) {
    slot->began = std::max(slot->began, period.before);
    End(sink, *slot, slot->began);
    state = State::kOmitted;
  }
  if (state == State::kOmitted) {
    const uint64_t start = std::max(slot->began, period.from);
    if (start >= std::min(period.until, now) || !Begin(sink, slot, start)) return state;
    slot->began = start;
    state = State::kRecorded;
  }
  if (period.until > now || period.until < slot->began) return state;
  End(sink, *slot, period.until);
  slot->began = period.until;
  return State::kOmitted;
}

void OmittedRanges::Close(RecordSink* sink, uint32_t place, uint64_t id) {
  if (!Has(place)) return;
  const uint64_t now = BootTimeNs();
  Slot& slot = *At(place);
  State state;
  for (int i = 0; !Take(&slot, &state); ++i) {
    // the range was stopped twice; or its part stays open
    if (state == State::kFree || i == kTries) return;
    (void)sched_yield();
  }
  const bool same = slot.owner == id;  // if false, another range has this place by now
  if (same && sink != nullptr) state = Advance(sink, &slot, state, now);
  if (same && sink != nullptr && state == State::kRecorded) End(sink, slot, now);
  if (same) (void)open_.fetch_sub(1, std::memory_order_relaxed);
  slot.state.store(same ? State::kFree : state, std::memory_order_release);
}

void OmittedRanges::Follow(RecordSink* sink) {
  if (open_.load(std::memory_order_relaxed) == 0) return;
  const uint64_t now = BootTimeNs();
  const uint32_t used = used_.load(std::memory_order_relaxed);
  for (uint32_t place = 1; place <= used; ++place) {
    Slot& slot = *At(place);
    State state;
    if (!Take(&slot, &state)) continue;
    slot.state.store(Advance(sink, &slot, state, now), std::memory_order_release);
  }
}

// Ends at the first range that was recorded already: the ranges around it are recorded, or another
// thread is about to record them.
void OmittedRanges::FollowFrom(RecordSink* sink, uint32_t place) {
  const uint64_t now = BootTimeNs();
  for (; place != 0; place = Below(place)) {
    Slot& slot = *At(place);
    State state;
    if (!Take(&slot, &state)) continue;
    const bool known = state == State::kRecorded;
    slot.state.store(Advance(sink, &slot, state, now), std::memory_order_release);
    if (known) return;
  }
}

}  // namespace rtl::capture
