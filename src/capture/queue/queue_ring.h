// SPDX-License-Identifier: MIT
// queue_ring.h: reads the packets of a batch, which may be a piece of the queue's ring that wraps
// around the ring's end. Some runtimes pass such a piece to the hook as if it did not wrap; others
// pass a copy in memory of their own.
//
// Threads    under the lock of TracedQueue::OnPackets; Serve before the queue is used, kernels: any
// Memory     the copy of a batch; its memory is kept and grows to the longest batch
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

  // How many of these packets come before the end of the ring. If the packets are not in the ring:
  // all.
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
  // Copies the packets into one piece of writable memory, with room for one more packet before
  // them. Null if there is no memory.
  AqlPacket* Copy(const void* packets, uint64_t count);
  // The number of kernels in the ring from index `from` to `to`, a range that fits into the ring.
  uint64_t CountKernels(uint64_t from, uint64_t to) const;

 private:
  static constexpr uint64_t kFirstBatch = 256;  // packets

  const AqlPacket* packets_ = nullptr;  // the ring that the application writes; null: not known
  uint64_t size_ = 0;
  AqlPacket* batch_ = nullptr;  // the copy, which begins with a slot for one more packet
  uint64_t batch_size_ = 0;     // in packets, with that slot
};

}  // namespace rtl::capture
