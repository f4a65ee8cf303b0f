// SPDX-License-Identifier: MIT
// doorbells.h: shows packets to the hook without an intercept queue. The application has the
// runtime's own queue. Each time the application rings a doorbell, it calls this code, and the hook
// gets the packets before the device may read them.
//
//      next            announced
//   ---|== valid == ---- valid|---     rings go up to the first packet that is not written yet;
//      device may not go here yet      its own producer rings for the rest
//
// The obvious design, to pass each ring on unchanged, has a bug. The producer of packet 8 may ring
// before packet 7 is written. The device would then take packet 7 as soon as its header appears,
// before the producer of packet 7 rings and the hook sees the packet.
//
// A device may also take a written packet before its producer rings. The packet's slot is then
// empty, which looks like a packet that is still to be written. So while rings are held back, the
// read index is checked: a packet below it is kTakenEarly. The worker checks again after
// kPatienceNs, and gives the packet up after kHoldNs (kNotWritten). At most kLookNs counts between
// two checks, so time in which the process was stopped does not count against a producer.
//
// The packets of a moved queue (moved_queue.h) are shown to the hook one by one, and the packets
// that the hook writes go to the GPU's ring. When that ring is full, the remaining packets stay in
// the application's ring until the mover finds room for them.
//
// Threads    Add, Remove: any, one queue at a time. Store: any. LookAtHeld: the worker.
//            MoveStarved: the mover
// Blocking   Store on a doorbell: while another thread rings the same one
// Memory     a fixed table; a queue beyond it is refused by Add
// Why        docs/adr/0005-doorbells.md, docs/adr/0106-moved-packets.md
#pragma once

#include <stdint.h>

#include <atomic>

#include "base/bell.h"
#include "base/mutex.h"
#include "capture/hsa/hsa_api.h"
#include "capture/hsa/packet.h"
#include "capture/queue/hook_state.h"

namespace rtl::capture {

class KernelCounting;
class MovedQueue;
class TracedQueue;

class Doorbells {
 public:
  static constexpr uint32_t kQueues = 1024;  // most doorbells at a time

  Doorbells() = default;
  Doorbells(const Doorbells&) = delete;
  Doorbells& operator=(const Doorbells&) = delete;

  void Init(const HsaApi* api, const HookState* state) {
    api_ = api;
    state_ = state;
  }

  // True if the signal is a doorbell of the device. The doorbell of an intercept queue is an
  // ordinary signal.
  static bool IsDoorbell(hsa_signal_t signal);

  // The hook gets the packets from index `first` on; earlier packets are not traced. False if the
  // table is full. `moved`: null, or the moved queue whose application side is `queue`.
  bool Add(TracedQueue* traced, const hsa_queue_t* queue, MovedQueue* moved = nullptr,
           uint64_t first = 0);
  // Remove is called before a queue is destroyed, also if its doorbell was never added. PutBack
  // undoes Remove when the destruction has failed.
  struct Removed {
    uint64_t handle = 0;
    uint32_t place = 0;
  };
  Removed Remove(hsa_signal_t doorbell);
  void PutBack(Removed doorbell);

  // Replaces hsa_signal_store_* and hsa_signal_silent_store_*. `store` is the runtime's function.
  using StoreFunction = void (*)(hsa_signal_t signal, hsa_signal_value_t value);
  void Store(hsa_signal_t signal, hsa_signal_value_t value, StoreFunction store);

  // Called regularly, because rings that are held back may not be followed by another ring. When
  // the hooks are disarmed, it passes all of them on. `now`: BootTimeNs.
  void LookAtHeld(uint64_t now);
  // Moves packets that found no room before. True if packets may still be waiting for room.
  bool MoveStarved();
  // Called before the first moved queue is added. `counting`: null, or the counting that must also
  // have room for a packet. `bell`: rung when a packet finds no room.
  void MoveFor(const KernelCounting* counting, Bell* bell) {
    counting_ = counting;
    starved_bell_ = bell;
  }
  static constexpr uint64_t kPatienceNs = 200'000'000;  // most late producers have rung by then
  // how long the worker waits for a late producer
  static constexpr uint64_t kHoldNs = 2'000'000'000;
  static constexpr uint64_t kLookNs = 250'000'000;

 private:
  struct Doorbell {
    std::atomic<uint64_t> handle{kFree};  // released when the other members are set
    Mutex mutex{Rank::kDoorbell};
    TracedQueue* traced RTL_GUARDED_BY(mutex) = nullptr;
    AqlPacket* ring RTL_GUARDED_BY(mutex) = nullptr;
    uint64_t mask RTL_GUARDED_BY(mutex) = 0;
    uint64_t first RTL_GUARDED_BY(mutex) = 0;  // packets below it are not traced
    uint64_t next RTL_GUARDED_BY(mutex) = 0;   // index of the first packet not passed on
    // the application has rung for the packets below it
    uint64_t announced RTL_GUARDED_BY(mutex) = 0;
    // Since when the packet at `next` is awaited, so that later ones are held back; zero if none
    // is.
    uint64_t held_at RTL_GUARDED_BY(mutex) = 0;
    const hsa_queue_t* queue RTL_GUARDED_BY(mutex) = nullptr;
    uint32_t ringer RTL_GUARDED_BY(mutex) = 0;  // the thread that was the last to ring
    MovedQueue* moved RTL_GUARDED_BY(mutex) = nullptr;
    // of a moved queue: packets wait for room in the GPU's ring
    bool starved RTL_GUARDED_BY(mutex) = false;
  };
  static constexpr uint64_t kFree = 0;
  static constexpr uint64_t kGone = 1;  // free, but was used: a search continues after it
  static_assert((kQueues & (kQueues - 1)) == 0);

  static uint32_t PlaceOf(uint64_t handle) {
    return static_cast<uint32_t>(((handle >> 6) * 0x9E3779B97F4A7C15u) >> 54);
  }
  Doorbell* Find(uint64_t handle);
  void Ring(Doorbell& doorbell) RTL_REQUIRES(doorbell.mutex);
  void ShowWritten(Doorbell& doorbell) RTL_REQUIRES(doorbell.mutex);
  bool SkipTaken(Doorbell& doorbell) RTL_REQUIRES(doorbell.mutex);
  void LookAt(Doorbell& doorbell, uint64_t now) RTL_REQUIRES(doorbell.mutex);
  void SkipUnwritten(Doorbell& doorbell) RTL_REQUIRES(doorbell.mutex);
  static void CountLate(Doorbell& doorbell) RTL_REQUIRES(doorbell.mutex);
  // In the child of a fork. Works without the lock, because a thread of the parent may have held
  // it. That thread does not exist in the child, so it changes nothing and never unlocks.
  static void CountInChild(Doorbell& doorbell, uint64_t announced)
      RTL_THREAD_SAFETY(no_thread_safety_analysis);
  // Called on a thread that already holds the lock further up its stack.
  void RingWithin(Doorbell& doorbell, uint64_t announced)
      RTL_THREAD_SAFETY(no_thread_safety_analysis);
  void End(Doorbell& doorbell) RTL_THREAD_SAFETY(no_thread_safety_analysis);
  static bool HasNext(const Doorbell& doorbell) RTL_REQUIRES(doorbell.mutex);
  void LetGo(Doorbell& doorbell) RTL_REQUIRES(doorbell.mutex);
  void Pass(Doorbell& doorbell) RTL_REQUIRES(doorbell.mutex);
  void SetHeld(Doorbell& doorbell, bool held) RTL_REQUIRES(doorbell.mutex);
  static void WriteBack(const void* packets, uint64_t count);
  void Move(Doorbell& doorbell) RTL_REQUIRES(doorbell.mutex);
  bool HasRoom(Doorbell& doorbell) const RTL_REQUIRES(doorbell.mutex);
  void SetStarved(Doorbell& doorbell, bool starved) RTL_REQUIRES(doorbell.mutex);
  static void WriteMoved(const void* packets, uint64_t count);

  const HsaApi* api_ = nullptr;
  const HookState* state_ = nullptr;
  Mutex mutex_{Rank::kQueues};        // held by Add and Remove
  std::atomic<uint32_t> held_{0};     // doorbells with a nonzero held_at
  std::atomic<uint32_t> moved_{0};    // doorbells of moved queues
  std::atomic<uint32_t> starved_{0};  // moved queues with packets that wait for room
  Bell* starved_bell_ = nullptr;
  const KernelCounting* counting_ = nullptr;  // null: only the GPU's ring must have room
  uint64_t looked_at_ = 0;                    // used by the worker only
  Doorbell doorbells_[kQueues];
};
static_assert(Doorbells::kQueues == 1u << (64 - 54), "as many places as PlaceOf yields");

}  // namespace rtl::capture
