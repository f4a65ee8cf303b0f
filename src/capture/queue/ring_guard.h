// SPDX-License-Identifier: MIT
// ring_guard.h: prevents the hardware ring of an intercept queue from filling up. In some runtimes
// a full ring aborts the process (ROCm before 6.0), or packets that the device has not read are
// overwritten, so that the queue hangs (ROCm 7).
//
// An intercept queue of such a runtime advances its own read index as soon as the hook has passed a
// packet on. So the application never sees its ring full and never waits, and the hardware ring,
// which only the runtime can read, overflows. The guard counts the packets that go into the
// hardware ring. Checkpoints show how many have left it: after every eighth of the ring the guard
// inserts a barrier packet that waits for nothing and completes a signal of the tracer. When the
// ring would be full, the hook waits for the oldest checkpoint. Without the tracer the application
// would have waited as long for room in its ring.
//
//   done_            written_          quiet_until_      done_ + ring_ - margin
//   |-- maybe in the ring --|-- one comparison --|-- checkpoint due --|-- full: wait
//
// The margin is needed because a packet processor publishes its read index a little later than it
// completes a signal. A margin of one packet is enough before any packet has left the ring, when
// there is nothing to publish, and after a wait without progress, when the index has been
// published. So a thread that fills its ring and then lets the GPU continue is not blocked, except
// for the last packets, because checkpoints take slots, too.
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

  // `ring_size`: in packets, at least kMinRing. `signals`: kCheckpoints signals with value 1, which
  // the guard owns from now on.
  void Init(const HsaApi* api, uint32_t ring_size, const hsa_signal_t* signals);
  bool enabled() const { return api_ != nullptr; }
  // Returns the signals. The GPU may still write to those from index `*done` on.
  void Close(hsa_signal_t* signals, uint32_t* done);

  // Called before `count` packets are written: waits until there is room. If it returns true,
  // `checkpoint` must be written before these packets, in the same call of the packet writer.
  bool Admit(uint64_t count, bool may_insert, AqlPacket* checkpoint) {
    if (written_ + count <= quiet_until_) [[likely]] {
      written_ += count;
      return false;
    }
    return AdmitSlow(count, may_insert, checkpoint);
  }

  // True if Admit would find room now.
  bool HasRoomNow(uint64_t count);
  // From now on admits all packets without waiting: the runtime itself keeps packets that find no
  // room.
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
  uint64_t written_ = 0;      // packets written to the hardware ring
  uint64_t done_ = 0;         // packets that are known to have left it
  uint64_t quiet_until_ = 0;  // up to this value of written_ nothing has to be done
  uint64_t next_checkpoint_ = 0;
  uint64_t ring_ = 0;    // size of the ring in packets
  uint64_t margin_ = 0;  // packets that are kept free
  uint64_t interval_ = 0;
  uint32_t oldest_ = 0;  // checkpoints in flight: [oldest_, newest_), modulo kCheckpoints
  uint32_t newest_ = 0;
  hsa_signal_t signals_[kCheckpoints] = {};
  uint64_t index_[kCheckpoints] = {};  // index of each checkpoint's packet in the hardware ring
};

}  // namespace rtl::capture
