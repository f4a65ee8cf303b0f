// SPDX-License-Identifier: MIT
// packet_origins.h: remembers which thread, inside which API call, reserved which packet of a
// queue. The runtime may pass a packet to the hook on another thread: when several threads share a
// queue and one of them rings for all, or when the ring was full and the runtime's own thread
// continues. But the thread that submits a packet is always the one that reserves it.
//
//   thread    reserves index i (hsa_queue_add_write_index…)   Note(queue, i, n)
//   hook      gets packet i, on any thread                    Find(i)
//
// Threads    Note: any, several at once. Find: one per queue. Add, Remove: one at a time
// Blocking   never, except in Add (mmap)
// Memory     16 bytes for each slot, 24 with tools. There are two slots per packet of the ring,
//            because so many packets can be reserved before the hook gets the first one. The memory
//            is kept for a later queue that is not larger
// Why        docs/adr/0026-links.md
#pragma once

#include <hsa/hsa.h>
#include <stdint.h>

#include <atomic>

namespace rtl::capture {

struct PacketOrigin {
  uint64_t correlation = 0;       // correlation id for the trace
  uint64_t tool_correlation = 0;  // correlation id for tools; zero without a subscription
  uint32_t thread = 0;
};

// The origins of one queue.
class PacketOrigins {
 public:
  PacketOrigins() = default;
  PacketOrigins(const PacketOrigins&) = delete;
  PacketOrigins& operator=(const PacketOrigins&) = delete;

  // Called before the queue is in use, and again when tools join later. For the second call, either
  // the queue is added to OriginTable only afterwards, or the origins of packets that are submitted
  // meanwhile are lost. False if there is no memory.
  bool Open(uint32_t queue_size, bool for_tools);
  bool open() const { return slots_ != nullptr; }
  void Note(uint64_t index, uint64_t count, const PacketOrigin& origin);
  // False if this packet was not noted, or if its slot was used for a later packet.
  bool Find(uint64_t index, PacketOrigin* out) const;

 private:
  struct Slot {
    std::atomic<uint64_t> tag{0};  // the low half of the packet's index, then the thread
    std::atomic<uint64_t> correlation{0};
  };
  static uint64_t Tag(uint64_t index, uint32_t thread) { return index << 32 | thread; }

  Slot* slots_ = nullptr;
  std::atomic<uint64_t>* tool_slots_ = nullptr;  // null: no tool subscribes
  uint64_t mask_ = 0;
  uint64_t made_ = 0;  // slots that are mapped
};

// Maps a queue's address to its origins, without a lock.
class OriginTable {
 public:
  // most queues at once; packets of further queues are not noted
  static constexpr uint32_t kQueues = 1024;

  void Add(const hsa_queue_t* queue, PacketOrigins* origins);
  void Remove(const hsa_queue_t* queue);
  PacketOrigins* Find(const hsa_queue_t* queue) const;

 private:
  static constexpr uint32_t kSlots = 2 * kQueues;  // a power of two
  static uint32_t Hash(const hsa_queue_t* queue);

  struct Entry {
    std::atomic<const hsa_queue_t*> queue{nullptr};
    std::atomic<PacketOrigins*> origins{nullptr};  // null: the queue was destroyed
  };
  Entry entries_[kSlots];
  uint32_t live_ = 0;  // queues now in the table
  uint32_t used_ = 0;  // entries that have been used at least once; one entry is never used
};

}  // namespace rtl::capture
