// SPDX-License-Identifier: MIT
// stream_ids.h: gives each HIP stream a number. HIP reuses the handles of streams, but a number is
// used only once. The null stream has number zero.
//
//   a slot per handle:   free ──► handle, number ──Take──► handle, none ──Renew, Of──► ...
//
// Threads    any
// Blocking   never
// Memory     fixed; a handle keeps its slot
// Errors     kNone for a new handle if kSlots handles are known already
#pragma once

#include <stdint.h>

#include <atomic>

namespace rtl::sdk {

class StreamIds {
 public:
  static constexpr uint32_t kSlots = 1 << 12;
  static constexpr uint64_t kNone = UINT64_MAX;

  StreamIds() = default;
  StreamIds(const StreamIds&) = delete;
  StreamIds& operator=(const StreamIds&) = delete;

  // The number of a stream. A stream without a number gets one: it was created before the first
  // subscriber started.
  uint64_t Of(uint64_t stream);
  // The stream has just been created: gives it a new number, even if the handle is known.
  uint64_t Renew(uint64_t stream);
  // Take is called before the stream is destroyed and takes its number away; PutBack restores the
  // number if the destruction fails.
  uint64_t Take(uint64_t stream);
  void PutBack(uint64_t stream, uint64_t number);

 private:
  struct Slot {
    std::atomic<uint64_t> stream{0};  // zero: the slot is free
    std::atomic<uint64_t> number{0};  // zero: the stream has no number
  };

  Slot* SlotOf(uint64_t stream);
  uint64_t NewNumber() { return last_.fetch_add(1, std::memory_order_relaxed) + 1; }

  std::atomic<uint64_t> last_{0};
  Slot slots_[kSlots];
};

}  // namespace rtl::sdk
