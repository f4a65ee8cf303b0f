// SPDX-License-Identifier: MIT
// app_signals.h: the application's own completion signals on kernels in flight. The kernel's times
// are read before the application reuses or destroys the signal.
//
//   slot word     means
//   0             free
//   handle | 0    a kernel with this signal is in flight, or has ended and is not read yet
//   handle | 1    claimed: one thread reads it, for the length of a few loads
//
//   free    -> claimed   the hook, before the packet is written (Register)
//   claimed -> waiting   the claimer, when the kernel is still in flight
//   claimed -> free      the claimer, once it has set the entry's outcome (release)
//   waiting -> claimed   the worker (Poll), or a hook before the signal is used for something else
//                        (BeforeReuse, BeforeDestroy, Register)
//
// Only the claimer reads the signal's memory or writes the entry, and hsa_signal_destroy claims
// first: no thread reads a destroyed signal.
//
// Threads    any
// Blocking   BeforeReuse, BeforeSet, BeforeDestroy, StillInUse, a patient Poll: until the present
//            claimer is done, which takes a few loads, or as long as the claimer is preempted;
//            about a second at most. Everything else: never
// Memory     a fixed table; when a signal's bucket is full the packet gets a signal of ours
//            instead. Copies have no such alternative: for them there is a second table, mapped
//            when it is first needed and searched while it has entries
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
  // `slot` and `outcome`. False: the times could not be distinguished from another kernel's,
  // because the signal counts several completions, is shared with a kernel in flight, or finds no
  // room. The packet then needs a signal of ours.
  bool Register(Pending* entry);

  // Hook, before the call: `entry` is a copy that will complete its app_signal, which nothing else
  // watches any more.
  enum class Watch : uint8_t {
    kYes,
    kShared,  // the signal counts several completions, or is null
    kNoRoom,
  };
  Watch RegisterCopy(Pending* entry);

  // Harvester: the outcome of an in-place entry or a copy. Call it again while the result is
  // kWaiting. `patient`: waits for a thread that is reading the signal.
  Outcome Poll(Pending* entry, bool patient = false);

  // Before the times are overwritten: reads them if possible. True when an in-place kernel is still
  // in flight on the signal.
  bool StillInUse(hsa_signal_t signal);

  // Worker: stops waiting for `entry`.
  void Abandon(Pending* entry);

  // Hook: `signal` is about to be put on something that is not an in-place kernel.
  void BeforeReuse(hsa_signal_t signal) {
    if (LooksLikeSignal(signal)) TakeLeave(signal);
  }
  // Hook: the application is about to set the signal's value. Reads a copy that has ended on the
  // signal, because only the value shows its end.
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
  static constexpr int kYields = 100;      // the claimer may be preempted
  static constexpr int kNaps = 5000;       // lets threads run that yielding does not reach
  static constexpr long kNapNs = 100'000;
  enum class Patience : uint8_t { kNone, kAllThereIs };

  static uint32_t BucketOf(uint64_t handle) {
    return static_cast<uint32_t>(((handle >> 6) * 0x9E3779B97F4A7C15u) >> 53);
  }
  Slot* FindClaimed(uint64_t handle, Patience patience, bool* busy);
  bool Claim(Slot* slot, uint64_t handle, Patience patience);
  static bool Wait(int waits);
  // With the slot claimed. True: the outcome is set and the slot may be freed or reused.
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
