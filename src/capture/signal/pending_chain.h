// SPDX-License-Identifier: MIT
// pending_chain.h: the dispatches in flight on one queue in the order of submission. The queue's
// hook appends them to a chain of blocks, the worker takes them out.
//
//      first_                                                last_
//     [ done done  pend pend ] -> [ pend pend pend ] -> [ pend  free free ]
//                  ^ consumed_                                  ^ produced_
//
// Threads    one producer (the thread that holds the runtime's lock of this queue), one consumer
//            (the worker). Drained blocks return to the producer through a list from which only the
//            producer takes
// Blocking   never. The producer maps a new block only if the worker has no free one ready
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
    std::atomic<Block*> next;     // (C) released by the producer, acquired by the consumer; also
                                  //     links the free list
    std::atomic<uint32_t> queue;  // for readers of the memory in other processes
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

  // To be called before first use. `memory` provides the blocks. If it is null or has no more
  // blocks, they are private memory. False if memory is refused.
  bool Init(uint32_t limit, InFlightMemory* memory = nullptr);
  // Sets the queue of later entries. May be called only while nothing is in flight.
  void Serve(uint32_t queue);
  // Producer. Notes a barrier packet that waits for signals, for readers of the memory in other
  // processes.
  void NoteBarrier(uint64_t index, uint64_t kind, const hsa_signal_t* signals, uint32_t count);

  // Producer. Returns an entry with stale fields, which belongs to the producer until Publish.
  // Reserve without Publish may be repeated and returns the same entry.
  Pending* Reserve() {
    if (produced_local_ - consumed_seen_ >= limit_ || position_ == kBlockEntries) [[unlikely]] {
      return ReserveSlow();
    }
    return &last_->entries[position_];
  }
  // Sets the number of the reserved entry's kernel.
  void Number(uint64_t number) { last_->numbers[position_] = number; }
  void Publish() {
    Stage();
    PublishStaged();
  }
  // Publish in two steps, for several entries at once: after Stage the next Reserve returns another
  // entry.
  void Stage() {
    uses_rest_ = last_->entries[position_].UsesRest();
    ++position_;
    ++produced_local_;
  }
  void PublishStaged() {
    produced_.store(produced_local_, std::memory_order_release);  // (A) pairs with Available
    FetchForWriting(&last_->entries[position_], uses_rest_);
  }

  // For the consumer: a position in the chain.
  class Cursor {
   public:
    Pending* entry() const { return &block_->entries[position_]; }
    uint64_t number() const { return block_->numbers[position_]; }
    // The entry `steps` positions later; null if it is in another block.
    const Pending* Later(uint32_t steps) const {
      return position_ + steps < kBlockEntries ? &block_->entries[position_ + steps] : nullptr;
    }

   private:
    friend class PendingChain;
    Block* block_ = nullptr;
    uint32_t position_ = 0;
  };
  // Consumer: the number of published entries that are not retired.
  uint64_t Available() const {
    return produced_.load(std::memory_order_acquire) - consumed_local_;  // pairs with (A)
  }
  // Consumer: Begin returns the oldest available entry, Advance moves on to the next one. Advance
  // must not go past the last available entry.
  Cursor Begin();
  static void Advance(Cursor* cursor);
  // Consumer: removes the oldest entry. Cursors on it become invalid.
  void Retire();
  // Consumer: keeps a block ready for a producer that will need one soon; may call mmap.
  void KeepSpare();

  // Producer: true if the worker is several blocks behind. Cheap, because it checks only once per
  // block.
  bool FarBehind() const { return position_ == 0 && Deep(); }
  bool Deep() const { return InFlight() > kFarBehind; }

  // Any thread may read these values, which may change at any time.
  uint64_t Produced() const { return produced_.load(std::memory_order_acquire); }
  uint64_t Retired() const { return consumed_.load(std::memory_order_relaxed); }
  uint64_t InFlight() const {
    const uint64_t consumed = consumed_.load(std::memory_order_relaxed);
    return produced_.load(std::memory_order_relaxed) - consumed;
  }

 private:
  // Prefetches the cache lines of the next entry, which the worker used last, while the application
  // does something else. Never faults, for any address.
  static void FetchForWriting(const Pending* entry, bool with_rest) {
    const char* const line = reinterpret_cast<const char*>(entry);
    __asm__ volatile("prefetchw (%0)" : : "r"(line));
    if (with_rest) __asm__ volatile("prefetchw 64(%0)" : : "r"(line));
  }
  Pending* ReserveSlow();
  Block* MapBlock() const;
  Block* PopFree();
  void PushFree(Block* block);

  // The producer's cache line.
  alignas(64) Block* last_ = nullptr;
  uint32_t position_ = 0;
  uint32_t limit_ = 0;
  uint32_t queue_ = 0;
  uint32_t barriers_ = 0;
  InFlightMemory* memory_ = nullptr;  // set once
  uint64_t produced_local_ = 0;
  uint64_t consumed_seen_ = 0;
  bool uses_rest_ = false;  // the newest entry uses its second line, so the next one may, too
  alignas(64) std::atomic<uint64_t> produced_{0};
  // The consumer's cache line.
  alignas(64) Block* first_ = nullptr;
  uint32_t front_ = 0;
  uint64_t consumed_local_ = 0;
  std::atomic<uint64_t> consumed_{0};  // relaxed: only for the limit
  std::atomic<Block*> free_{nullptr};  // (D) pushed by the consumer, popped by the producer only
};

}  // namespace rtl::capture
