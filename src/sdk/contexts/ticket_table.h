// SPDX-License-Identifier: MIT
// ticket_table.h: stores the data of a kernel or copy between its submission and its end. A ticket
// is a number; the first is one, and zero means none.
//
//   free list ──Take──► the owner's ──(the engine carries the number)──► Give ──► free list
//
// Threads    any. Only the owner of a ticket uses its data
// Blocking   never. Take maps memory when every ticket is in use
// Memory     blocks of kPerBlock tickets; kept
// Errors     Take returns zero when there is no memory, or kMost tickets are in use
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

  // To be called before the first Take. `bytes`: the size of a ticket's data.
  void Open(size_t bytes) { stride_ = kLinkBytes + (bytes + 7) / 8 * 8; }

  uint32_t Take();
  void Give(uint32_t ticket);
  void* At(uint32_t ticket) const { return PlaceOf(ticket) + kLinkBytes; }

  uint32_t mapped() const;  // the number of tickets, in use or free

 private:
  static constexpr size_t kLinkBytes = 8;

  char* PlaceOf(uint32_t ticket) const {
    const uint32_t index = ticket - 1;
    // The owner of a ticket sees its block, because Take has paired with (A).
    return blocks_[index / kPerBlock].load(std::memory_order_relaxed) + index % kPerBlock * stride_;
  }
  // The next ticket in the free list. A thread that is about to fail to take this ticket reads it,
  // too.
  std::atomic<uint32_t>& LinkOf(uint32_t ticket) const {
    return *reinterpret_cast<std::atomic<uint32_t>*>(PlaceOf(ticket));
  }
  bool Grow();
  void Push(uint32_t first, uint32_t last);

  size_t stride_ = 0;
  // The first free ticket in the lower half, and the number of takes in the upper half. Because of
  // this number, a ticket that was taken and given back is not mistaken for one that stayed in the
  // list.
  std::atomic<uint64_t> top_{0};
  std::atomic<uint32_t> made_{0};  // number of blocks
  std::atomic<char*> blocks_[kMostBlocks] = {};
};

}  // namespace rtl::sdk
