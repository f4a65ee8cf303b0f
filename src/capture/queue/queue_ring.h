// SPDX-License-Identifier: MIT
// queue_ring.h: the packets of a batch, which may be a piece of the queue's ring that goes on at
// its beginning. Some runtimes pass such a piece and ignore the ring's end; others pass a copy in
// memory of their own.
//
// Threads    under the lock of TracedQueue::OnPackets; Serve before the queue is used, kernels: any
// Memory     the copy of a batch, which is kept and grows to the longest
#pragma once

#include <hsa/hsa.h>
#include <stdint.h>

#include "capture/hsa/packet.h"

namespace rtl::capture {

class QueueRing {
 public:
  QueueRing() = default;
  ~QueueRing();
  QueueRing(const QueueRing&) = delete;
  QueueRing& operator=(const QueueRing&) = delete;

  void Serve(const hsa_queue_t& queue) {
    packets_ = static_cast<const AqlPacket*>(queue.base_address);
    size_ = queue.size;
  }
  uint64_t size() const { return size_; }
  const AqlPacket* begin() const { return packets_; }

  // How many of these packets are before the end of the ring; all of them in other memory.
  uint64_t BeforeWrap(const void* packets, uint64_t count) const;
  // Calls `use` with each packet, in order.
  template <typename Use>
  void ForEach(const void* packets, uint64_t count, Use use) const {
    const uint64_t first = BeforeWrap(packets, count);
    const AqlPacket* packet = static_cast<const AqlPacket*>(packets);
    for (uint64_t i = 0; i < count; ++i, ++packet) {
      if (i == first) packet = packets_;
      use(*packet);
    }
  }
  // The packets in one piece of writable memory, with room for one more in front of them. Null: no
  // memory.
  AqlPacket* Copy(const void* packets, uint64_t count);
  // How many kernels are in the ring at these indices, of which it has room for all.
  uint64_t CountKernels(uint64_t from, uint64_t to) const;

 private:
  static constexpr uint64_t kFirstBatch = 256;  // packets

  const AqlPacket* packets_ = nullptr;  // the application's side of the queue; null: not known
  uint64_t size_ = 0;
  AqlPacket* batch_ = nullptr;  // the copy, after a slot for one more
  uint64_t batch_size_ = 0;     // packets, including that slot
};

}  // namespace rtl::capture
