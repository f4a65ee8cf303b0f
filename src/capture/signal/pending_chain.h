// SPDX-License-Identifier: MIT
// pending_chain.h: the dispatches in flight on one queue, in submission order: a chain of blocks
// between the queue's hook and the worker.
//
//      first_                                                last_
//     [ done done  pend pend ] -> [ pend pend pend ] -> [ pend  free free ]
//                  ^ consumed_                                  ^ produced_
//
// Threads    one producer (the thread that holds the runtime's lock of this queue), one consumer
//            (the worker). Drained blocks return to the producer by a list that only the producer
//            pops
// Blocking   never. A new block is an mmap, made by the producer only when the worker has left none
// Memory     64 KiB a block, at most `limit` entries; kept until the object is destroyed. May
//            belong to a file, so that the entries in flight outlive the process
//            (model/in_flight.h)
// Errors     Reserve returns null when the limit is reached or memory is refused
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "capture/signal/pending.h"

namespace rtl::capture {

class PendingChain {
  static constexpr size_t kBlockBytes = kInFlightBlockBytes;
  static constexpr uint32_t kBlockEntries = kInFlightEntries;
  struct alignas(64) Block {
    std::atomic<Block*> next;     // (C) release by the producer, acquire by the consumer; also the
                                  // link of the free list
    std::atomic<uint32_t> queue;  // for readers of the memory outside the process
    alignas(64) Pending entries[kBlockEntries];
    uint64_t numbers[kBlockEntries];
    char unused[kInFlightBarriersAt - sizeof(InFlightHead) -
                kBlockEntries * (sizeof(Pending) + sizeof(uint64_t))];
    InFlightBarrier barriers[kBarriersInFlight];
  };
  static_assert(offsetof(Block, barriers) == kInFlightBarriersAt);
  static_assert(sizeof(Block) <= kBlockBytes && sizeof(std::atomic<Block*>) == 8);
  static_assert(offsetof(Block, entries) == sizeof(InFlightHead));
  static constexpr uint64_t kFarBehind = 4 * kBlockEntries;

 public:
  PendingChain() = default;
  PendingChain(const PendingChain&) = delete;
  PendingChain& operator=(const PendingChain&) = delete;
  ~PendingChain();

  // Before first use. `memory`: provides the blocks; if it is null or has none, they are private
  // memory. False when memory is refused.
  bool Init(uint32_t limit, InFlightMemory* memory = nullptr);
  // While nothing is in flight: sets the queue of later entries.
  void Serve(uint32_t queue);
  // Producer. For readers of the memory outside the process: a barrier packet that waits for
  // signals.
  void NoteBarrier(uint64_t index, uint64_t kind, const hsa_signal_t* signals, uint32_t count);

  // Producer. The entry's fields are stale; it is the producer's until Publish. Reserve without
  // Publish may be repeated and returns the same entry.
  Pending* Reserve() {
    if (produced_local_ - consumed_seen_ >= limit_ || position_ == kBlockEntries) [[unlikely]] {
      return ReserveSlow();
    }
    return &last_->entries[position_];
  }
  // The number of its kernel.
  void Number(uint64_t number) { last_->numbers[position_] = number; }
  void Publish() {
    Stage();
    PublishStaged();
  }
  // The same in two steps, for several entries at once: the next Reserve returns another entry.
  void Stage() {
    uses_rest_ = last_->entries[position_].UsesRest();
    ++position_;
    ++produced_local_;
  }
  void PublishStaged() {
    produced_.store(produced_local_, std::memory_order_release);  // (A) pairs with Available
    FetchForWriting(&last_->entries[position_], uses_rest_);
  }

  // Consumer: a position in the chain.
  class Cursor {
   public:
    Pending* entry() const { return &block_->entries[position_]; }
    uint64_t number() const { return block_->numbers[position_]; }
    // The entry `steps` further on; null when it is in another block.
    const Pending* Later(uint32_t steps) const {
      return position_ + steps < kBlockEntries ? &block_->entries[position_ + steps] : nullptr;
    }

   private:
    friend class PendingChain;
    Block* block_ = nullptr;
    uint32_t position_ = 0;
  };
  // Consumer: published entries that were not retired.
  uint64_t Available() const {
    return produced_.load(std::memory_order_acquire) - consumed_local_;  // pairs with (A)
  }
  // Consumer: the oldest of them, and from each to the next one; never past the last.
  Cursor Begin();
  static void Advance(Cursor* cursor);
  // Consumer: returns the oldest entry. Cursors on it become invalid.
  void Retire();
  // Consumer: keeps a block ready for a producer that will need one soon; may call mmap.
  void KeepSpare();

  // Producer, cheap: the worker is several blocks behind. Checks once per block only.
  bool FarBehind() const { return position_ == 0 && Deep(); }
  bool Deep() const { return InFlight() > kFarBehind; }

  // Any thread; the value at this moment.
  uint64_t Produced() const { return produced_.load(std::memory_order_acquire); }
  uint64_t Retired() const { return consumed_.load(std::memory_order_relaxed); }
  uint64_t InFlight() const {
    const uint64_t consumed = consumed_.load(std::memory_order_relaxed);
    return produced_.load(std::memory_order_relaxed) - consumed;
  }

 private:
  // The worker used the next entry last: prefetches its cache lines while the application does
  // something else. Never faults, for any address.
  static void FetchForWriting(const Pending* entry, bool with_rest) {
    const char* const line = reinterpret_cast<const char*>(entry);
    __asm__ volatile("prefetchw (%0)" : : "r"(line));
    if (with_rest) __asm__ volatile("prefetchw 64(%0)" : : "r"(line));
  }
  Pending* ReserveSlow();
  Block* MapBlock() const;
  Block* PopFree();
  void PushFree(Block* block);

  // The producer's line.
  alignas(64) Block* last_ = nullptr;
  uint32_t position_ = 0;
  uint32_t limit_ = 0;
  uint32_t queue_ = 0;
  uint32_t barriers_ = 0;
  InFlightMemory* memory_ = nullptr;  // set once
  uint64_t produced_local_ = 0;
  uint64_t consumed_seen_ = 0;
  bool uses_rest_ = false;  // the newest entry does, so the next one may
  alignas(64) std::atomic<uint64_t> produced_{0};
  // The consumer's line.
  alignas(64) Block* first_ = nullptr;
  uint32_t front_ = 0;
  uint64_t consumed_local_ = 0;
  std::atomic<uint64_t> consumed_{0};  // relaxed: only for the limit
  std::atomic<Block*> free_{nullptr};  // (D) pushed by the consumer, popped by the producer only
};

}  // namespace rtl::capture
