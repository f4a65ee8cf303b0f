// SPDX-License-Identifier: MIT
// stream_ids.h: which number a stream of HIP has. Streams are told apart by their handles, which HIP
// uses again; numbers are used once. The null stream is number zero.
//
//   a slot per handle:   free ──► handle, number ──Take──► handle, none ──Renew, Of──► ...
//
// Threads    any
// Blocking   never
// Memory     fixed; a handle keeps its slot
// Errors     kNone when kSlots handles were seen and this is another one
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

  // A new number when the stream has none: it was created before anybody listened.
  uint64_t Of(uint64_t stream);
  // The stream has just been created: a new number, whatever the handle meant before.
  uint64_t Renew(uint64_t stream);
  // The stream is about to be destroyed. PutBack: it was not, after all.
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
