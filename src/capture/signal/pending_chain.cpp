// SPDX-License-Identifier: MIT
#include "capture/signal/pending_chain.h"

#include <sys/mman.h>

#include <iterator>

namespace rtl::capture {

PendingChain::Block* PendingChain::MapBlock() const {
  void* memory = memory_ == nullptr ? nullptr : memory_->MapBlock();
  if (memory == nullptr) {
    // MAP_POPULATE, because a page fault per 4 KiB inside the hook would cost more than the
    // dispatch.
    memory = mmap(nullptr, kBlockBytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
  }
  Block* const block = static_cast<Block*>(memory);
  for (Pending& entry : block->entries) entry.finished = true;  // none of them is in flight
  return block;
}

PendingChain::~PendingChain() {
  while (Block* block = PopFree()) {
    (void)munmap(block, kBlockBytes);
  }
  while (first_ != nullptr) {
    Block* const next = first_->next.load(std::memory_order_relaxed);
    (void)munmap(first_, kBlockBytes);
    first_ = next;
  }
}

bool PendingChain::Init(uint32_t limit, InFlightMemory* memory) {
  memory_ = memory;
  if (first_ == nullptr) {
    first_ = MapBlock();
    if (first_ == nullptr) return false;
    last_ = first_;
  }
  limit_ = limit;
  return true;
}

void PendingChain::Serve(uint32_t queue) {
  queue_ = queue;
  last_->queue.store(queue, std::memory_order_relaxed);
  for (InFlightBarrier& barrier : last_->barriers)
    barrier.place.store(0, std::memory_order_relaxed);
}

void PendingChain::NoteBarrier(uint64_t index, uint64_t kind, const hsa_signal_t* signals,
                               uint32_t count) {
  InFlightBarrier& barrier = last_->barriers[barriers_++ % kBarriersInFlight];
  barrier.place.store(0, std::memory_order_relaxed);
  // The fences make sure that a reader that sees a place other than zero sees the whole entry.
  std::atomic_signal_fence(std::memory_order_seq_cst);
  barrier.kind = kind;
  for (uint32_t i = 0; i < std::size(barrier.signals); ++i) {
    barrier.signals[i] = i < count ? signals[i].handle : 0;
  }
  barrier.place.store(index + 1, std::memory_order_release);
}

Pending* PendingChain::ReserveSlow() {
  consumed_seen_ = consumed_.load(std::memory_order_relaxed);
  if (produced_local_ - consumed_seen_ >= limit_) return nullptr;
  if (position_ < kBlockEntries) return &last_->entries[position_];
  Block* block = PopFree();
  if (block == nullptr) block = MapBlock();
  if (block == nullptr) return nullptr;
  block->next.store(nullptr, std::memory_order_relaxed);
  block->queue.store(queue_, std::memory_order_relaxed);
  for (InFlightBarrier& barrier : block->barriers)
    barrier.place.store(0, std::memory_order_relaxed);
  last_->next.store(block, std::memory_order_release);  // (C)
  last_ = block;
  position_ = 0;
  return &block->entries[0];
}

PendingChain::Cursor PendingChain::Begin() {
  Cursor cursor;
  cursor.block_ = first_;
  cursor.position_ = front_;
  if (front_ == kBlockEntries) {
    // The producer has moved on to another block; otherwise Available would have returned zero.
    cursor.block_ = first_->next.load(std::memory_order_acquire);  // (C)
    cursor.position_ = 0;
  }
  return cursor;
}

void PendingChain::Advance(Cursor* cursor) {
  if (++cursor->position_ < kBlockEntries) return;
  Block* const next = cursor->block_->next.load(std::memory_order_acquire);  // (C)
  if (next == nullptr) return;  // this was the last entry; the cursor is not read again
  cursor->block_ = next;
  cursor->position_ = 0;
}

void PendingChain::Retire() {
  if (front_ == kBlockEntries) {
    Block* const drained = first_;
    first_ = drained->next.load(std::memory_order_acquire);  // (C)
    front_ = 0;
    PushFree(drained);
  }
  ++front_;
  ++consumed_local_;
  consumed_.store(consumed_local_, std::memory_order_relaxed);
}

void PendingChain::KeepSpare() {
  if (free_.load(std::memory_order_relaxed) != nullptr) return;
  if (Available() < kBlockEntries / 2) return;
  Block* const block = MapBlock();
  if (block != nullptr) PushFree(block);
}

PendingChain::Block* PendingChain::PopFree() {
  // There is only one thread that pops. So the head cannot be popped and pushed again between the
  // load and the exchange: there is no ABA problem.
  Block* head = free_.load(std::memory_order_acquire);  // (D)
  while (head != nullptr &&
         !free_.compare_exchange_weak(head, head->next.load(std::memory_order_relaxed),
                                      std::memory_order_acquire)) {
  }
  return head;
}

void PendingChain::PushFree(Block* block) {
  Block* head = free_.load(std::memory_order_relaxed);
  do {
    block->next.store(head, std::memory_order_relaxed);
  } while (!free_.compare_exchange_weak(head, block, std::memory_order_release));  // (D)
}

}  // namespace rtl::capture
