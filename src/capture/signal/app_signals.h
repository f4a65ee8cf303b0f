// SPDX-License-Identifier: MIT
// app_signals.h: the application's own completion signals that are on kernels in flight, so that
// the kernel's times are read before the application uses the signal again or destroys it.
//
//   slot word     means
//   0             free
//   handle | 0    a kernel with this signal is in flight, or has ended and was not yet read
//   handle | 1    claimed: one thread looks at it, for the length of a few loads
//
//   free    -> claimed   the hook, before the packet is written (Register)
//   claimed -> waiting   the claimer, when the kernel is still in flight
//   claimed -> free      the claimer, once it has set the entry's outcome (release)
//   waiting -> claimed   the worker (Poll), or a hook that is about to let the signal be used for
//                        something else (BeforeReuse, BeforeDestroy, Register)
//
// Only the claimer reads the signal's memory or writes the entry, and hsa_signal_destroy claims
// first: nobody reads a signal that is gone.
//
// Threads    any
// Blocking   BeforeReuse, BeforeSet, BeforeDestroy, StillInUse, a patient Poll: until the present claimer is done,
//            which takes a few loads, or as long as it has lost its processor; about a second
//            at most. Everything else: never
// Memory     a fixed table; when a signal's bucket is full a packet takes the exact path instead.
//            For copies, which have none, there is a second table, mapped when it is first needed
//            and looked at while something is in it
#pragma once

#include <stdint.h>

#include <atomic>

#include "capture/hsa/hsa_api.h"
#include "capture/signal/pending.h"

namespace rtl::capture {

class AppSignalTable {
 public:
  AppSignalTable() = default;
  AppSignalTable(const AppSignalTable&) = delete;
  AppSignalTable& operator=(const AppSignalTable&) = delete;
  ~AppSignalTable();

  void Init(const HsaApi* api) { api_ = api; }

  // Hook: `entry` is about to be submitted with its app_signal left in place. Fills in `times`,
  // `slot` and `outcome`. False: the times could not be told apart from another kernel's, because
  // the signal counts several completions, is shared with a kernel in flight, or finds no room;
  // use a signal of our own for this packet.
  bool Register(Pending* entry);

  // Hook, before the call: `entry` is a copy that will complete its app_signal, which nothing else
  // watches any more.
  enum class Watch : uint8_t {
    kYes,
    kShared,  // the signal counts several completions, or is none
    kNoRoom,
  };
  Watch RegisterCopy(Pending* entry);

  // Harvester: what has become of an in-place entry or a copy. While the answer is kWaiting ask
  // again. `patient`: waits for whoever is just looking at it.
  Outcome Poll(Pending* entry, bool patient = false);

  // Before its times are written over: reads what can be read. True when an in-place kernel is
  // still in flight on it.
  bool StillInUse(hsa_signal_t signal);

  // Worker: `entry` will not be waited for any longer.
  void Abandon(Pending* entry);

  // Hook: `signal` is about to be put on something that is not an in-place kernel.
  void BeforeReuse(hsa_signal_t signal) {
    if (LooksLikeSignal(signal)) TakeLeave(signal);
  }
  // Hook: the application is about to set the signal's value: a copy that has ended on it is read,
  // because nothing but the value would tell.
  void BeforeSet(hsa_signal_t signal);
  // Hook: `signal` is about to be destroyed.
  void BeforeDestroy(hsa_signal_t signal) {
    if (LooksLikeSignal(signal)) TakeLeave(signal);
  }

 private:
  struct Slot {
    std::atomic<uint64_t> word{0};  // claim: acquire; release of the claim: release
    Pending* entry = nullptr;       // guarded by the claim
  };
  static constexpr uint32_t kWays = 4;
  static constexpr uint32_t kBuckets = 2048;
  static constexpr uint32_t kSlots = kBuckets * kWays;
  static constexpr uint32_t kSpillWays = 32;
  static constexpr uint32_t kSpillSlots = kBuckets * kSpillWays;
  static constexpr uint64_t kClaimed = 1;
  static constexpr int kClaimSpins = 200;  // a claim is held for a few loads
  static constexpr int kYields = 100;      // the claimer may have lost its processor
  static constexpr int kNaps = 5000;       // to another thread than those that yield to it
  static constexpr long kNapNs = 100'000;
  enum class Patience : uint8_t { kNone, kAllThereIs };

  static uint32_t BucketOf(uint64_t handle) {
    return static_cast<uint32_t>(((handle >> 6) * 0x9E3779B97F4A7C15u) >> 53);
  }
  Slot* FindClaimed(uint64_t handle, Patience patience, bool* busy);
  bool Claim(Slot* slot, uint64_t handle, Patience patience);
  static bool Wait(int waits);
  // With the slot claimed. True: the outcome is set and the slot may be freed or used again.
  bool TryResolve(Slot* slot);
  bool TryResolveCopy(Pending* entry) const;
  bool OccupyFree(Pending* entry, Slot* bucket, uint32_t ways);
  bool Spill(Pending* entry);
  Slot* EnsureSpill();
  Slot* FindIn(Slot* bucket, uint32_t ways, uint64_t handle) const;
  Slot* SlotOf(const Pending& entry);
  bool IsSpilled(const Slot* slot) const { return slot < slots_ || slot >= slots_ + kSlots; }
  void Leave(Slot* slot, uint64_t word);
  void TakeLeave(hsa_signal_t signal);
  bool Occupy(Slot* slot, Pending* entry);

  const HsaApi* api_ = nullptr;
  std::atomic<uint32_t> spilled_{0};   // slots of `spill_` that are not free
  std::atomic<Slot*> spill_{nullptr};  // release once mapped
  Slot slots_[kSlots];
};
static_assert(std::atomic<uint64_t>::is_always_lock_free);

}  // namespace rtl::capture
