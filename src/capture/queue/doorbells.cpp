// SPDX-License-Identifier: MIT
#include "capture/queue/doorbells.h"

#include <hsa/amd_hsa_signal.h>

#include <algorithm>

#include "base/clock.h"
#include "base/thread_state.h"
#include "capture/counters/kernel_counting.h"
#include "capture/queue/moved_queue.h"
#include "capture/queue/traced_queue.h"
#include "capture/signal/signal_times.h"

namespace rtl::capture {
namespace {

// The packets that the hook is handling on this thread. A tool that the hook calls may ring again,
// for another queue or for the same one; places are then nested.
struct Place {
  AqlPacket* ring;
  uint64_t mask;
  uint64_t index;
  uint64_t end;
  const void* doorbell;
  Place* around;
};
[[gnu::tls_model("initial-exec")]] constinit thread_local Place* place = nullptr;
[[gnu::tls_model("initial-exec")]] constinit thread_local MovedQueue* target = nullptr;

bool IsWritten(const AqlPacket& packet) {
  // Pairs with the producer's release of the header: the rest of the packet is visible.
  const uint16_t header = __atomic_load_n(&packet.header, __ATOMIC_ACQUIRE);
  return (header & kPacketTypeMask) != HSA_PACKET_TYPE_INVALID;
}

// Returns null if this thread is not handling packets of this doorbell.
const Place* PlaceIn(const void* doorbell) {
  const Place* there = place;
  while (there != nullptr && there->doorbell != doorbell) there = there->around;
  return there;
}

}  // namespace

bool Doorbells::IsDoorbell(hsa_signal_t signal) {
  if (!LooksLikeSignal(signal)) return false;
  const amd_signal_kind64_t kind = SignalMemory(signal)->kind;
  return kind == AMD_SIGNAL_KIND_DOORBELL || kind == AMD_SIGNAL_KIND_LEGACY_DOORBELL;
}

bool Doorbells::Add(TracedQueue* traced, const hsa_queue_t* queue, MovedQueue* moved,
                    uint64_t first) {
  const uint64_t handle = queue->doorbell_signal.handle;
  MutexLock lock(mutex_);
  for (uint32_t i = 0; i < kQueues; ++i) {
    Doorbell& doorbell = doorbells_[(PlaceOf(handle) + i) % kQueues];
    if (doorbell.handle.load(std::memory_order_relaxed) > kGone) continue;
    {
      MutexLock content(doorbell.mutex);
      doorbell.traced = traced;
      doorbell.ring = static_cast<AqlPacket*>(queue->base_address);
      doorbell.mask = queue->size - 1;
      doorbell.first = doorbell.next = doorbell.announced = first;
      doorbell.held_at = 0;
      doorbell.queue = queue;
      doorbell.moved = moved;
    }
    if (moved != nullptr) (void)moved_.fetch_add(1, std::memory_order_relaxed);
    doorbell.handle.store(handle, std::memory_order_release);  // pairs with Find
    return true;
  }
  return false;
}

Doorbells::Removed Doorbells::Remove(hsa_signal_t signal) {
  MutexLock lock(mutex_);
  Doorbell* const doorbell = Find(signal.handle);
  if (doorbell == nullptr) return {};
  doorbell->handle.store(kGone, std::memory_order_release);
  // A tool's callback for a packet of this queue may have ended the process, and the runtime
  // destroys the queue on the same thread: this thread then holds the lock already.
  if (PlaceIn(doorbell) != nullptr) [[unlikely]] {
    End(*doorbell);
  } else {
    MutexLock content(doorbell->mutex);
    End(*doorbell);
  }
  return {signal.handle, static_cast<uint32_t>(doorbell - doorbells_)};
}

void Doorbells::End(Doorbell& doorbell) {
  SetHeld(doorbell, false);
  SetStarved(doorbell, false);
  if (doorbell.moved != nullptr) (void)moved_.fetch_sub(1, std::memory_order_relaxed);
}

void Doorbells::PutBack(Removed doorbell) {
  if (doorbell.handle == 0) return;
  Doorbell& there = doorbells_[doorbell.place];
  {
    MutexLock lock(mutex_);
    there.handle.store(doorbell.handle, std::memory_order_release);
  }
  MutexLock content(there.mutex);
  if (there.moved != nullptr) (void)moved_.fetch_add(1, std::memory_order_relaxed);
  if (there.next < there.announced) Ring(there);  // the packet at `next` is awaited again
}

Doorbells::Doorbell* Doorbells::Find(uint64_t handle) {
  for (uint32_t i = 0; i < kQueues; ++i) {
    Doorbell& doorbell = doorbells_[(PlaceOf(handle) + i) % kQueues];
    const uint64_t there = doorbell.handle.load(std::memory_order_acquire);  // pairs with Add
    if (there == handle) return &doorbell;
    if (there == kFree) return nullptr;
  }
  return nullptr;
}

// HOT: once per ring of a doorbell, and once per store to any other signal.
void Doorbells::Store(hsa_signal_t signal, hsa_signal_value_t value, StoreFunction store) {
  // The doorbell of a moved queue is an ordinary signal.
  const bool perhaps = moved_.load(std::memory_order_relaxed) != 0 || IsDoorbell(signal);
  if (!perhaps) return store(signal, value);
  Doorbell* const doorbell = Find(signal.handle);
  if (doorbell == nullptr) return store(signal, value);
  if (state_->forked.load(std::memory_order_relaxed)) [[unlikely]] {
    CountInChild(*doorbell, static_cast<uint64_t>(value) + 1);
    return store(signal, value);
  }
  if (PlaceIn(doorbell) != nullptr) [[unlikely]]
    return RingWithin(*doorbell, static_cast<uint64_t>(value) + 1);
  MutexLock lock(doorbell->mutex);
  // The packet was reserved before the tracer knew the queue.
  if (static_cast<uint64_t>(value) < doorbell->first) [[unlikely]]
    return store(signal, value);
  doorbell->announced = std::max(doorbell->announced, static_cast<uint64_t>(value) + 1);
  doorbell->ringer = ThreadId::Current();
  Ring(*doorbell);
}

// A tool has rung for the queue whose packet its callback is getting. The new packets are handled
// when the callback returns. If the callback has ended the process, it never returns, and the
// runtimes' exit handlers wait for the packets. So all packets then go to the device, and the hook
// does not see the rest.
[[gnu::cold]] void Doorbells::RingWithin(Doorbell& doorbell, uint64_t announced) {
  doorbell.announced = std::max(doorbell.announced, announced);
  if (!state_->exiting.load(std::memory_order_relaxed)) return;
  const uint64_t first = doorbell.next;
  doorbell.next = std::max(doorbell.next, std::min(PlaceIn(&doorbell)->end, doorbell.announced));
  CountLate(doorbell);
  if (doorbell.moved == nullptr) {
    return api_->signal_store_screlease(doorbell.queue->doorbell_signal,
                                        static_cast<hsa_signal_value_t>(doorbell.announced - 1));
  }
  for (uint64_t i = first; i < doorbell.announced; ++i) {
    AqlPacket* const packet = &doorbell.ring[i & doorbell.mask];
    if (!IsWritten(*packet)) continue;
    doorbell.moved->Put(packet, 1);
    __atomic_store_n(&packet->header, uint16_t{HSA_PACKET_TYPE_INVALID}, __ATOMIC_RELAXED);
  }
  doorbell.moved->Commit(doorbell.announced);
}

[[gnu::cold]] void Doorbells::CountInChild(Doorbell& doorbell, uint64_t announced) {
  doorbell.announced = std::max(doorbell.announced, announced);
  if (doorbell.moved == nullptr) CountLate(doorbell);
}

void Doorbells::Ring(Doorbell& doorbell) {
  if (doorbell.moved != nullptr) return Move(doorbell);
  if (!state_->armed.load(std::memory_order_relaxed)) [[unlikely]] {
    return LetGo(doorbell);
  }
  if (state_->Quiet()) return Pass(doorbell);
  // A producer waits for room in the ring. If it is more than a ring ahead, it has seen that the
  // packet at `next` was taken.
  if (doorbell.announced - doorbell.next > doorbell.mask + 1) [[unlikely]] {
    (void)SkipTaken(doorbell);
  }
  do {
    ShowWritten(doorbell);
  } while (doorbell.next < doorbell.announced && (HasNext(doorbell) || SkipTaken(doorbell)));
  if (doorbell.next == doorbell.announced) return;
  SetHeld(doorbell, true);
  // If the hooks were disarmed meanwhile, either the worker has seen held_, or this thread sees
  // that they are disarmed (as in HookScope).
  if (!state_->armed.load(std::memory_order_relaxed)) LetGo(doorbell);
}

// True if the packet at `next` is written, for example because a tool has rung inside the hook.
bool Doorbells::HasNext(const Doorbell& doorbell) {
  return IsWritten(doorbell.ring[doorbell.next & doorbell.mask]);
}

// Passes the packets before the first unwritten one to the hook, and rings the device's doorbell
// for them.
void Doorbells::ShowWritten(Doorbell& doorbell) {
  const uint64_t next = doorbell.next;
  uint64_t end = next;
  while (end < doorbell.announced && IsWritten(doorbell.ring[end & doorbell.mask])) ++end;
  if (end == next) return;
  Place here = {doorbell.ring, doorbell.mask, next, end, &doorbell, place};
  place = &here;
  TracedQueue::OnPackets(&doorbell.ring[next & doorbell.mask], end - next, next, doorbell.traced,
                         &Doorbells::WriteBack);
  place = here.around;
  doorbell.next = end;
  SetHeld(doorbell, false);
  api_->signal_store_screlease(doorbell.queue->doorbell_signal,
                               static_cast<hsa_signal_value_t>(end - 1));
}

// True if the device has taken packets before the hook saw them. Counts and skips them.
[[gnu::cold]] bool Doorbells::SkipTaken(Doorbell& doorbell) {
  const uint64_t taken = api_->queue_load_read_index_scacquire(doorbell.queue);
  if (taken <= doorbell.next) return false;
  doorbell.traced->OnMissed(Loss::kTakenEarly, taken - doorbell.next);
  doorbell.next = taken;
  doorbell.announced = std::max(doorbell.announced, taken);
  return true;
}

// Gives up the packet at `next`: its producer has died, or the device has taken it and this cannot
// be seen.
[[gnu::cold]] void Doorbells::SkipUnwritten(Doorbell& doorbell) {
  doorbell.traced->OnMissed(Loss::kNotWritten, 1);
  ++doorbell.next;
  SetHeld(doorbell, false);
}

// Counts packets that the hook does not get any more. One that is not written yet may become a
// kernel, so it counts as one.
[[gnu::cold]] void Doorbells::CountLate(Doorbell& doorbell) {
  const uint64_t packets =
      std::min<uint64_t>(doorbell.announced - doorbell.next, doorbell.mask + 1);
  uint64_t kernels = 0;
  for (uint64_t i = doorbell.announced - packets; i != doorbell.announced; ++i) {
    const AqlPacket& packet = doorbell.ring[i & doorbell.mask];
    if (!IsWritten(packet) || IsKernelDispatch(packet)) ++kernels;
  }
  doorbell.traced->OnLate(packets, kernels);
  doorbell.next = doorbell.announced;
}

// Called when the hook gets no more packets: passes on all rings that are held back.
void Doorbells::LetGo(Doorbell& doorbell) {
  CountLate(doorbell);
  SetHeld(doorbell, false);
  api_->signal_store_screlease(doorbell.queue->doorbell_signal,
                               static_cast<hsa_signal_value_t>(doorbell.announced - 1));
}

// Passes on packets while no tool wants them. A packet that is not written yet is passed on, too,
// because its producer began before a tool wants packets.
void Doorbells::Pass(Doorbell& doorbell) {
  const uint64_t packets = doorbell.announced - doorbell.next;
  for (uint64_t i = doorbell.announced - std::min<uint64_t>(packets, doorbell.mask + 1);
       i != doorbell.announced; ++i) {
    const AqlPacket& packet = doorbell.ring[i & doorbell.mask];
    if (IsWritten(packet)) doorbell.traced->OnUnwanted(packet);
  }
  doorbell.traced->counts().NotePassed(packets);
  doorbell.next = doorbell.announced;
  SetHeld(doorbell, false);
  api_->signal_store_screlease(doorbell.queue->doorbell_signal,
                               static_cast<hsa_signal_value_t>(doorbell.announced - 1));
}

void Doorbells::SetHeld(Doorbell& doorbell, bool held) {
  if (held == (doorbell.held_at != 0)) return;
  doorbell.held_at = held ? BootTimeNs() : 0;
  // Relaxed: the worker checks again later.
  (void)held_.fetch_add(held ? 1 : UINT32_MAX, std::memory_order_relaxed);
}

void Doorbells::LookAtHeld(uint64_t now) {
  const uint64_t since = now - looked_at_;
  looked_at_ = now;
  if (held_.load(std::memory_order_relaxed) == 0) return;
  const uint64_t stood_still = since > kLookNs ? since - kLookNs : 0;
  for (Doorbell& doorbell : doorbells_) {
    if (doorbell.handle.load(std::memory_order_acquire) <= kGone) continue;
    if (!doorbell.mutex.TryLock()) continue;  // a producer is ringing and handles it
    const bool there = doorbell.handle.load(std::memory_order_relaxed) > kGone;
    if (there && doorbell.held_at != 0) {
      doorbell.held_at = std::min(doorbell.held_at + stood_still, std::max(doorbell.held_at, now));
      LookAt(doorbell, now);
    }
    doorbell.mutex.Unlock();
  }
}

void Doorbells::LookAt(Doorbell& doorbell, uint64_t now) {
  const uint64_t held_ns = now > doorbell.held_at ? now - doorbell.held_at : 0;
  if (held_ns < kPatienceNs && state_->armed.load(std::memory_order_relaxed)) return;
  if (held_ns > kHoldNs) SkipUnwritten(doorbell);
  doorbell.traced->ShowFor(doorbell.ringer);
  Ring(doorbell);
  doorbell.traced->ShowFor(0);
}

// True if there is room for a packet and the packets around it.
bool Doorbells::HasRoom(Doorbell& doorbell) const {
  if (!doorbell.moved->HasRoom(KernelCounting::kMostPackets)) return false;
  return counting_ == nullptr || counting_->HasRoom();
}

// Moves written packets as long as they find room. When a packet is not written, its producer will
// ring again; packets without room are moved by the mover.
void Doorbells::Move(Doorbell& doorbell) {
  const uint64_t before = doorbell.next;
  bool room = true;
  MovedQueue* const target_around = target;
  target = doorbell.moved;
  Place here = {doorbell.ring, doorbell.mask, before, before, &doorbell, place};
  place = &here;
  while (doorbell.next < doorbell.announced) {
    AqlPacket* const packet = &doorbell.ring[doorbell.next & doorbell.mask];
    if (!IsWritten(*packet)) break;
    room = HasRoom(doorbell);
    if (!room) break;
    here.end = doorbell.next + 1;
    TracedQueue::OnPackets(packet, 1, doorbell.next, doorbell.traced, &Doorbells::WriteMoved);
    __atomic_store_n(&packet->header, uint16_t{HSA_PACKET_TYPE_INVALID}, __ATOMIC_RELAXED);
    ++doorbell.next;
  }
  target = target_around;
  place = here.around;
  if (doorbell.next != before) doorbell.moved->Commit(doorbell.next);
  SetStarved(doorbell, !room);
}

void Doorbells::WriteMoved(const void* packets, uint64_t count) { target->Put(packets, count); }

void Doorbells::SetStarved(Doorbell& doorbell, bool starved) {
  if (starved == doorbell.starved) return;
  doorbell.starved = starved;
  (void)starved_.fetch_add(starved ? 1 : UINT32_MAX, std::memory_order_relaxed);
  if (starved && starved_bell_ != nullptr) starved_bell_->RingUrgent();
}

bool Doorbells::MoveStarved() {
  if (starved_.load(std::memory_order_relaxed) == 0) return false;
  for (Doorbell& doorbell : doorbells_) {
    if (doorbell.handle.load(std::memory_order_acquire) <= kGone) continue;
    if (!doorbell.mutex.TryLock()) continue;  // another thread is moving it
    const bool there = doorbell.handle.load(std::memory_order_relaxed) > kGone;
    if (there && doorbell.starved) {
      doorbell.traced->ShowFor(doorbell.ringer);
      Move(doorbell);
      doorbell.traced->ShowFor(0);
    }
    doorbell.mutex.Unlock();
  }
  return true;
}

// Writes the hook's packets back to the application's ring. The hook only ever changes the
// completion signal of a packet.
void Doorbells::WriteBack(const void* packets, uint64_t count) {
  const AqlPacket* packet = static_cast<const AqlPacket*>(packets);
  for (const AqlPacket* end = packet + count; packet != end; ++packet, ++place->index) {
    AqlPacket* const slot = &place->ring[place->index & place->mask];
    if (slot == packet) continue;  // the hook passed it through in place
    const uint64_t signal = packet->dispatch.completion_signal.handle;
    if (slot->dispatch.completion_signal.handle != signal) {
      __atomic_store_n(&slot->dispatch.completion_signal.handle, signal, __ATOMIC_RELAXED);
    }
  }
}

}  // namespace rtl::capture
