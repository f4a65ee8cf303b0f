// SPDX-License-Identifier: MIT
#include "sdk/contexts/ticket_table.h"

#include <sys/mman.h>

namespace rtl::sdk {

TicketTable::~TicketTable() {
  for (std::atomic<char*>& block : blocks_) {
    char* const memory = block.load(std::memory_order_relaxed);
    if (memory != nullptr) (void)munmap(memory, kPerBlock * stride_);
  }
}

uint32_t TicketTable::Take() {
  uint64_t top = top_.load(std::memory_order_acquire);  // pairs with (A)
  for (;;) {
    const auto ticket = static_cast<uint32_t>(top);
    if (ticket == 0) {
      if (!Grow()) return 0;
      top = top_.load(std::memory_order_acquire);  // pairs with (A)
      continue;
    }
    const uint64_t below = LinkOf(ticket).load(std::memory_order_relaxed);
    const uint64_t taken = ((top >> 32) + 1) << 32 | below;
    if (top_.compare_exchange_weak(top, taken, std::memory_order_acquire)) return ticket;
  }
}

void TicketTable::Give(uint32_t ticket) { Push(ticket, ticket); }

// Pushes the tickets `first` to `last`, which are linked already, onto the free list.
void TicketTable::Push(uint32_t first, uint32_t last) {
  uint64_t top = top_.load(std::memory_order_relaxed);
  uint64_t pushed;
  do {
    LinkOf(last).store(static_cast<uint32_t>(top), std::memory_order_relaxed);
    pushed = (top & ~uint64_t{UINT32_MAX}) | first;
  } while (!top_.compare_exchange_weak(top, pushed, std::memory_order_release));  // (A)
}

// Maps another block. If several threads find the list empty, each of them maps a block.
bool TicketTable::Grow() {
  uint32_t made = made_.load(std::memory_order_relaxed);
  do {
    if (made == kMostBlocks) return false;
  } while (!made_.compare_exchange_weak(made, made + 1, std::memory_order_relaxed));
  // MAP_POPULATE, because later page faults inside the application's calls would cost more.
  void* const memory = mmap(nullptr, kPerBlock * stride_, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory == MAP_FAILED) return false;  // the tickets of this block are never in the list
  blocks_[made].store(static_cast<char*>(memory), std::memory_order_relaxed);
  const uint32_t first = made * kPerBlock + 1;
  const uint32_t last = first + kPerBlock - 1;
  for (uint32_t ticket = first; ticket != last; ++ticket) {
    LinkOf(ticket).store(ticket + 1, std::memory_order_relaxed);
  }
  Push(first, last);
  return true;
}

uint32_t TicketTable::mapped() const {
  uint32_t tickets = 0;
  for (const std::atomic<char*>& block : blocks_) {
    if (block.load(std::memory_order_relaxed) != nullptr) tickets += kPerBlock;
  }
  return tickets;
}

}  // namespace rtl::sdk
