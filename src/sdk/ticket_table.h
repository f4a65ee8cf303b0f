// SPDX-License-Identifier: MIT
// ticket_table.h: room for what a kernel or copy carries from its submission to its end. A ticket
// is its number, one and up; zero is none.
//
//   free list ──Take──► the taker's ──(the engine carries the number)──► Give ──► free list
//
// Threads    any. What lies at a ticket belongs to who has it
// Blocking   never. Take maps memory when every ticket is out
// Memory     blocks of kPerBlock tickets; kept
// Errors     Take says zero when there is no memory, or kMost are out
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <atomic>

namespace rtl::sdk {

class TicketTable {
 public:
  static constexpr uint32_t kPerBlock = 1024;
  static constexpr uint32_t kMostBlocks = 4096;
  static constexpr uint32_t kMost = kPerBlock * kMostBlocks;

  TicketTable() = default;
  TicketTable(const TicketTable&) = delete;
  TicketTable& operator=(const TicketTable&) = delete;
  ~TicketTable();

  // Before the first Take: what a ticket has room for.
  void Open(size_t bytes) { stride_ = kLinkBytes + (bytes + 7) / 8 * 8; }

  uint32_t Take();
  void Give(uint32_t ticket);
  void* At(uint32_t ticket) const { return PlaceOf(ticket) + kLinkBytes; }

  uint32_t mapped() const;  // tickets, out or not

 private:
  static constexpr size_t kLinkBytes = 8;

  char* PlaceOf(uint32_t ticket) const {
    const uint32_t index = ticket - 1;
    // Whoever has a ticket has seen its block: (A).
    return blocks_[index / kPerBlock].load(std::memory_order_relaxed) + index % kPerBlock * stride_;
  }
  // The ticket below this one in the list. Read also by those who come too late to take this one.
  std::atomic<uint32_t>& LinkOf(uint32_t ticket) const {
    return *reinterpret_cast<std::atomic<uint32_t>*>(PlaceOf(ticket));
  }
  bool Grow();
  void Push(uint32_t first, uint32_t last);

  size_t stride_ = 0;
  // The ticket on top, and above it how often one was taken: a ticket that was away and is back is
  // not mistaken for one that has stayed.
  std::atomic<uint64_t> top_{0};
  std::atomic<uint32_t> made_{0};  // blocks
  std::atomic<char*> blocks_[kMostBlocks] = {};
};

}  // namespace rtl::sdk
