// SPDX-License-Identifier: MIT
// app_signals.h: watches the application's own completion signals of kernels in flight. A kernel's
// times are read before the application reuses or destroys the signal.
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
// Only the claimer reads the signal's memory or writes the entry. The hook of hsa_signal_destroy
// claims the slot first, so no thread reads a destroyed signal.
//
// Threads    any
// Blocking   BeforeReuse, BeforeSet, BeforeDestroy, StillInUse, a patient Poll: until the present
//            claimer is done. This takes a few loads, or as long as the claimer is preempted, and
//            about a second at most. Everything else: never
// Memory     a fixed table. If a signal's bucket is full, the packet gets a signal of the tracer
//            instead. A copy cannot get another signal, so copies have a second table, which is
//            mapped when first needed and searched while it has entries
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

  // For the hook: `entry` is about to be submitted with its app_signal left in place. Sets `times`,
  // `slot` and `outcome`. False if the times could not be distinguished from another kernel's,
  // because the signal counts several completions, is shared with a kernel in flight, or finds no
  // room. The packet then needs a signal of the tracer.
  bool Register(Pending* entry);

  // For the hook, before the call: `entry` is a copy that will complete its app_signal, which no
  // other entry watches any more.
  enum class Watch : uint8_t {
    kYes,
    kShared,  // the signal counts several completions, or is null
    kNoRoom,
  };
  Watch RegisterCopy(Pending* entry);

  // For the harvester: the outcome of an in-place entry or of a copy. Must be called again while
  // the result is kWaiting. `patient`: waits for a thread that is reading the signal.
  Outcome Poll(Pending* entry, bool patient = false);

  // Called before the times in the signal are overwritten: reads them if possible. True if an
  // in-place kernel is still in flight on the signal.
  bool StillInUse(hsa_signal_t signal);

  // For the worker: stops watching the signal of `entry`.
  void Abandon(Pending* entry);

  // For the hook: `signal` is about to be used for something other than an in-place kernel.
  void BeforeReuse(hsa_signal_t signal) {
    if (LooksLikeSignal(signal)) TakeLeave(signal);
  }
  // For the hook: the application is about to set the signal's value. Resolves a copy that has
  // ended on the signal, because only the value shows its end.
  void BeforeSet(hsa_signal_t signal);
  // For the hook: `signal` is about to be destroyed.
  void BeforeDestroy(hsa_signal_t signal) {
    if (LooksLikeSignal(signal)) TakeLeave(signal);
  }

 private:
  struct Slot {
    // acquired when the slot is claimed, released when the claim ends
    std::atomic<uint64_t> word{0};
    Pending* entry = nullptr;  // guarded by the claim
  };
  static constexpr uint32_t kWays = 4;
  static constexpr uint32_t kBuckets = 2048;
  static constexpr uint32_t kSlots = kBuckets * kWays;
  static constexpr uint32_t kSpillWays = 32;
  static constexpr uint32_t kSpillSlots = kBuckets * kSpillWays;
  static constexpr uint64_t kClaimed = 1;
  // spins while another thread claims the slot, for a few loads
  static constexpr int kClaimSpins = 200;
  static constexpr int kYields = 100;  // the claimer may be preempted, so it gets a processor
  static constexpr int kNaps = 5000;   // naps let threads run that a yield does not reach
  static constexpr long kNapNs = 100'000;
  enum class Patience : uint8_t { kNone, kAllThereIs };

  static uint32_t BucketOf(uint64_t handle) {
    return static_cast<uint32_t>(((handle >> 6) * 0x9E3779B97F4A7C15u) >> 53);
  }
  Slot* FindClaimed(uint64_t handle, Patience patience, bool* busy);
  bool Claim(Slot* slot, uint64_t handle, Patience patience);
  static bool Wait(int waits);
  // Called with the slot claimed. True if the outcome is set, so that the slot may be freed or
  // reused.
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
  std::atomic<uint32_t> spilled_{0};   // used slots of `spill_`
  std::atomic<Slot*> spill_{nullptr};  // null until mapped; stored with release
  Slot slots_[kSlots];
};
static_assert(std::atomic<uint64_t>::is_always_lock_free);

}  // namespace rtl::capture
