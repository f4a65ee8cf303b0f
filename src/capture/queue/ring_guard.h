// SPDX-License-Identifier: MIT
// ring_guard.h: keeps the hardware ring behind an intercept queue from running full, for runtimes
// whose intercept queue aborts the process then (ROCm before 6.0).
//
// Such a queue moves its own read index on as soon as a packet has passed the hook, so the
// application never sees its ring full and never waits; the hardware ring behind it, which nobody
// outside the runtime can look at, overflows. We know how many packets went in. How many came out
// is told by checkpoints: every eighth of the ring, a barrier packet that waits for nothing and
// completes a signal of ours. When the ring would be full the hook waits for the oldest checkpoint:
// there, and for as long, as the application itself would have waited for room in its ring.
//
//   done_            written_          quiet_until_      done_ + ring_ - margin
//   |-- maybe in the ring --|-- one comparison --|-- checkpoint due --|-- full: wait
//
// The margin is for a packet processor that publishes its read index a little later than it completes
// a signal. Before anything has left the ring there is nothing to publish, and after a wait in which
// nothing has moved it is published: then one packet is enough. So a thread that has filled its ring
// and will itself let the GPU go on is not held, but for the last of its packets, whose places the
// checkpoints have.
//
// Threads    whoever holds the queue's lock (traced_queue.h)
// Blocking   Admit, while the ring is full
// Memory     kCheckpoints signals, handed over by Init and back by Close
#pragma once

#include <stdint.h>

#include "capture/hsa/hsa_api.h"
#include "capture/hsa/packet.h"

namespace rtl::capture {

class RingGuard {
 public:
  static constexpr uint32_t kCheckpoints = 8;
  static constexpr uint32_t kMinRing = 16;

  // `ring_size`: packets, at least kMinRing. `signals`: kCheckpoints of value 1, ours from now on.
  void Init(const HsaApi* api, uint32_t ring_size, const hsa_signal_t* signals);
  bool enabled() const { return api_ != nullptr; }
  // Gives the signals back; those from `*done` on may still be written by the GPU.
  void Close(hsa_signal_t* signals, uint32_t* done);

  // Before `count` packets are written: waits until there is room. True: `checkpoint` is to be
  // written in front of them, in the same call of the packet writer.
  bool Admit(uint64_t count, bool may_insert, AqlPacket* checkpoint) {
    if (written_ + count <= quiet_until_) [[likely]] {
      written_ += count;
      return false;
    }
    return AdmitSlow(count, may_insert, checkpoint);
  }

  // Whether Admit would find room now.
  bool HasRoomNow(uint64_t count);
  // From now on everything is admitted: the runtime keeps what does not fit.
  void GiveUp() { quiet_until_ = UINT64_MAX; }
  bool given_up() const { return quiet_until_ == UINT64_MAX; }

 private:
  bool AdmitSlow(uint64_t count, bool may_insert, AqlPacket* checkpoint);
  bool OldestDone() const;
  void RetireOldest();
  bool HasRoom(uint64_t count, uint64_t margin) const {
    return written_ + count <= done_ + ring_ - margin;
  }
  void WaitForRoom(uint64_t count);

  const HsaApi* api_ = nullptr;
  uint64_t written_ = 0;      // packets given to the hardware ring
  uint64_t done_ = 0;         // of these, known to have left it
  uint64_t quiet_until_ = 0;  // up to here nothing needs to be done
  uint64_t next_checkpoint_ = 0;
  uint64_t ring_ = 0;    // packets
  uint64_t margin_ = 0;  // of these
  uint64_t interval_ = 0;
  uint32_t oldest_ = 0;  // checkpoints in flight: [oldest_, newest_), modulo kCheckpoints
  uint32_t newest_ = 0;
  hsa_signal_t signals_[kCheckpoints] = {};
  uint64_t index_[kCheckpoints] = {};  // of each checkpoint's packet in the hardware ring
};

}  // namespace rtl::capture
