// SPDX-License-Identifier: MIT
// stream_ids.h: the numbers of HIP streams. HIP reuses a stream's handle; a number is used once.
// The null stream has number zero.
//
//   a slot per handle:   free ──► handle, number ──Take──► handle, none ──Renew, Of──► ...
//
// Threads    any
// Blocking   never
// Memory     fixed; a handle keeps its slot
// Errors     kNone for a new handle when kSlots handles were seen
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

  // Gives the stream a new number when it has none: it was created before the first subscriber
  // started.
  uint64_t Of(uint64_t stream);
  // The stream has just been created: a new number, even for a known handle.
  uint64_t Renew(uint64_t stream);
  // The stream is about to be destroyed. PutBack: the destruction failed.
  uint64_t Take(uint64_t stream);
  void PutBack(uint64_t stream, uint64_t number);

 private:
  struct Slot {
    std::atomic<uint64_t> stream{0};  // zero: free
    std::atomic<uint64_t> number{0};  // zero: none
  };

  Slot* SlotOf(uint64_t stream);
  uint64_t NewNumber() { return last_.fetch_add(1, std::memory_order_relaxed) + 1; }

  std::atomic<uint64_t> last_{0};
  Slot slots_[kSlots];
};

}  // namespace rtl::sdk
