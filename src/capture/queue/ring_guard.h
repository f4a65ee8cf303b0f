// SPDX-License-Identifier: MIT
// ring_guard.h: keeps the hardware ring behind an intercept queue from filling up, for runtimes
// with an intercept queue that aborts the process then (ROCm before 6.0) or overwrites packets that
// the device has not read, so that the queue hangs (ROCm 7).
//
// Such a queue advances its own read index as soon as a packet has passed the hook, so the
// application never sees its ring full and never waits. The hardware ring behind it, which only the
// runtime can read, overflows. The guard counts the packets that went in. Checkpoints show how many
// came out: every eighth of the ring, a barrier packet that waits for nothing and completes a
// signal of ours. When the ring would be full the hook waits for the oldest checkpoint. The
// application itself would have waited there, and as long, for room in its ring.
//
//   done_            written_          quiet_until_      done_ + ring_ - margin
//   |-- maybe in the ring --|-- one comparison --|-- checkpoint due --|-- full: wait
//
// The margin is for a packet processor that publishes its read index a little later than it
// completes a signal. Before any packet has left the ring there is nothing to publish, and after a
// wait without progress the index is published: then a margin of one packet is enough. So a thread
// that fills its ring and then lets the GPU continue is not held, except for the last packets,
// because checkpoints take slots, too.
//
// Threads    the thread that holds the queue's lock (traced_queue.h)
// Blocking   Admit, while the ring is full
// Memory     kCheckpoints signals, passed to Init and returned by Close
#pragma once

#include <stdint.h>

#include "capture/hsa/hsa_api.h"
#include "capture/hsa/packet.h"

namespace rtl::capture {

class RingGuard {
 public:
  static constexpr uint32_t kCheckpoints = 8;
  static constexpr uint32_t kMinRing = 16;

  // `ring_size`: packets, at least kMinRing. `signals`: kCheckpoints signals of value 1; the guard
  // owns them.
  void Init(const HsaApi* api, uint32_t ring_size, const hsa_signal_t* signals);
  bool enabled() const { return api_ != nullptr; }
  // Returns the signals; the GPU may still write to those from `*done` on.
  void Close(hsa_signal_t* signals, uint32_t* done);

  // Before `count` packets are written: waits until there is room. True: `checkpoint` must be
  // written in front of them, in the same call of the packet writer.
  bool Admit(uint64_t count, bool may_insert, AqlPacket* checkpoint) {
    if (written_ + count <= quiet_until_) [[likely]] {
      written_ += count;
      return false;
    }
    return AdmitSlow(count, may_insert, checkpoint);
  }

  // True if Admit would find room now.
  bool HasRoomNow(uint64_t count);
  // Admits everything from now on: the runtime keeps packets without room.
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
  uint64_t done_ = 0;         // of these, packets that have left it
  uint64_t quiet_until_ = 0;  // no action is needed below it
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
