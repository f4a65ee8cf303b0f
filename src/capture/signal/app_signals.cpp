// SPDX-License-Identifier: MIT
#include "capture/signal/app_signals.h"

#include <sched.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "capture/signal/signal_times.h"

namespace rtl::capture {

static_assert((uint64_t{1} << (64 - 53)) == 2048,
              "BucketOf yields as many bits as there are buckets");

AppSignalTable::~AppSignalTable() {
  if (Slot* const spill = spill_.load(std::memory_order_relaxed)) {
    (void)munmap(spill, kSpillSlots * sizeof(Slot));
  }
}

bool AppSignalTable::Claim(Slot* slot, uint64_t handle, Patience patience) {
  for (int tries = 0;; ++tries) {
    uint64_t expected = handle;
    if (slot->word.compare_exchange_strong(expected, handle | kClaimed, std::memory_order_acquire,
                                           std::memory_order_relaxed)) {
      return true;
    }
    if (expected != (handle | kClaimed)) return false;  // the entry was resolved meanwhile
    if (tries < kClaimSpins) {
      __builtin_ia32_pause();
    } else if (patience == Patience::kNone || !Wait(tries - kClaimSpins)) {
      return false;
    }
  }
}

// Waits a little longer for a claimer that does not run. False if the wait has reached its limit.
[[gnu::cold]] bool AppSignalTable::Wait(int waits) {
  if (waits < kYields) {
    (void)sched_yield();
    return true;
  }
  Nap(kNapNs);
  return waits < kYields + kNaps;
}

AppSignalTable::Slot* AppSignalTable::FindIn(Slot* bucket, uint32_t ways, uint64_t handle) const {
  for (uint32_t way = 0; way < ways; ++way) {
    const uint64_t word = bucket[way].word.load(std::memory_order_relaxed);
    if ((word & ~kClaimed) == handle) return &bucket[way];
  }
  return nullptr;
}

// Returns the slot of `handle`, claimed. Returns null if there is none, or if it could not be
// claimed; `busy` is true in the second case.
AppSignalTable::Slot* AppSignalTable::FindClaimed(uint64_t handle, Patience patience, bool* busy) {
  Slot* slot = FindIn(&slots_[BucketOf(handle) * kWays], kWays, handle);
  if (slot == nullptr && spilled_.load(std::memory_order_relaxed) != 0) [[unlikely]] {
    Slot* const spill = spill_.load(std::memory_order_acquire);
    if (spill != nullptr) slot = FindIn(&spill[BucketOf(handle) * kSpillWays], kSpillWays, handle);
  }
  if (slot == nullptr) return nullptr;
  if (Claim(slot, handle, patience)) return slot;
  *busy = slot->word.load(std::memory_order_relaxed) == (handle | kClaimed);
  return nullptr;
}

// Ends a claim by storing `word`; zero frees the slot.
void AppSignalTable::Leave(Slot* slot, uint64_t word) {
  const bool spilled = word == 0 && IsSpilled(slot);
  slot->word.store(word, std::memory_order_release);
  if (spilled) spilled_.fetch_sub(1, std::memory_order_relaxed);
}

AppSignalTable::Slot* AppSignalTable::SlotOf(const Pending& entry) {
  return entry.slot < kSlots ? &slots_[entry.slot]
                             : &spill_.load(std::memory_order_acquire)[entry.slot - kSlots];
}

bool AppSignalTable::TryResolve(Slot* slot) {
  Pending* const entry = slot->entry;
  if (entry->completion == Completion::kCopy) return TryResolveCopy(entry);
  // The value is read first: if it has dropped, the times were written before.
  const bool dropped = LoadValue(entry->app_signal) < 1;
  const SignalTimes now = LoadTimes(entry->app_signal);
  if (now.start != entry->times.start && now.end != entry->times.end) {
    entry->times = now;
    entry->outcome.store(Outcome::kTimed, std::memory_order_release);
    return true;
  }
  if (dropped) {
    entry->outcome.store(Outcome::kUntimed, std::memory_order_release);
    return true;
  }
  return false;
}

// Reads the times of a copy. Only the runtime knows them, and it must not be queried before the
// copy has ended, because it may then print a complaint.
bool AppSignalTable::TryResolveCopy(Pending* entry) const {
  if (api_->signal_load_scacquire(entry->app_signal) >= 1) return false;
  hsa_amd_profiling_async_copy_time_t times = {};
  const hsa_status_t status = api_->amd_profiling_get_async_copy_time(entry->app_signal, &times);
  entry->times = {times.start, times.end};
  entry->outcome.store(status == HSA_STATUS_SUCCESS ? Outcome::kTimed : Outcome::kUntimed,
                       std::memory_order_release);
  return true;
}

void AppSignalTable::BeforeSet(hsa_signal_t signal) {
  if (!LooksLikeSignal(signal)) return;
  bool busy = false;
  Slot* const slot = FindClaimed(signal.handle, Patience::kAllThereIs, &busy);
  if (slot == nullptr) return;
  const bool resolved = slot->entry->completion == Completion::kCopy && TryResolve(slot);
  Leave(slot, resolved ? 0 : signal.handle);
}

AppSignalTable::Watch AppSignalTable::RegisterCopy(Pending* entry) {
  const hsa_signal_t signal = entry->app_signal;
  if (!IsUserSignal(signal) || api_->signal_load_relaxed(signal) != 1) return Watch::kShared;
  if (OccupyFree(entry, &slots_[BucketOf(signal.handle) * kWays], kWays)) return Watch::kYes;
  return Spill(entry) ? Watch::kYes : Watch::kNoRoom;
}

[[gnu::cold]] bool AppSignalTable::Spill(Pending* entry) {
  Slot* const spill = EnsureSpill();
  if (spill == nullptr) return false;
  // Counted first, so that a later user of the signal searches the table.
  spilled_.fetch_add(1, std::memory_order_relaxed);
  const uint32_t bucket = BucketOf(entry->app_signal.handle);
  if (OccupyFree(entry, &spill[bucket * kSpillWays], kSpillWays)) return true;
  spilled_.fetch_sub(1, std::memory_order_relaxed);
  return false;
}

AppSignalTable::Slot* AppSignalTable::EnsureSpill() {
  if (Slot* const spill = spill_.load(std::memory_order_acquire)) return spill;
  void* const memory = mmap(nullptr, kSpillSlots * sizeof(Slot), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  Slot* expected = nullptr;
  auto* const made = static_cast<Slot*>(memory);  // zeroed slots are free
  if (spill_.compare_exchange_strong(expected, made, std::memory_order_acq_rel)) return made;
  (void)munmap(memory, kSpillSlots * sizeof(Slot));
  return expected;
}

bool AppSignalTable::Occupy(Slot* slot, Pending* entry) {
  slot->entry = entry;
  entry->slot = static_cast<uint32_t>(
      IsSpilled(slot) ? kSlots + (slot - spill_.load(std::memory_order_relaxed)) : slot - slots_);
  entry->outcome.store(Outcome::kWaiting, std::memory_order_relaxed);
  slot->word.store(entry->app_signal.handle, std::memory_order_release);
  return true;
}

bool AppSignalTable::Register(Pending* entry) {
  const hsa_signal_t signal = entry->app_signal;
  if (!IsUserSignal(signal)) return false;
  bool busy = false;
  if (Slot* const slot = FindClaimed(signal.handle, Patience::kNone, &busy)) {
    if (!TryResolve(slot)) {
      Leave(slot, signal.handle);
      return false;
    }
    if (LoadValue(signal) == 1) {
      entry->times = LoadTimes(signal);
      return Occupy(slot, entry);
    }
    Leave(slot, 0);
    return false;
  }
  if (busy) return false;
  // The signal must count exactly one completion. With a count above one other work shares the
  // signal, and the times in it could belong to that work.
  if (LoadValue(signal) != 1) return false;
  entry->times = LoadTimes(signal);
  return OccupyFree(entry, &slots_[BucketOf(signal.handle) * kWays], kWays);
}

bool AppSignalTable::OccupyFree(Pending* entry, Slot* bucket, uint32_t ways) {
  for (uint32_t way = 0; way < ways; ++way) {
    uint64_t expected = 0;
    if (bucket[way].word.compare_exchange_strong(expected, entry->app_signal.handle | kClaimed,
                                                 std::memory_order_acquire,
                                                 std::memory_order_relaxed)) {
      return Occupy(&bucket[way], entry);
    }
  }
  return false;
}

Outcome AppSignalTable::Poll(Pending* entry, bool patient) {
  const Outcome outcome = entry->outcome.load(std::memory_order_acquire);
  if (outcome != Outcome::kWaiting) return outcome;
  Slot* const slot = SlotOf(*entry);
  const Patience patience = patient ? Patience::kAllThereIs : Patience::kNone;
  if (!Claim(slot, entry->app_signal.handle, patience)) {
    return entry->outcome.load(std::memory_order_acquire);
  }
  if (slot->entry != entry) {  // the entry is resolved, and the signal is in use again
    Leave(slot, entry->app_signal.handle);
    return entry->outcome.load(std::memory_order_acquire);
  }
  const bool resolved = TryResolve(slot);
  Leave(slot, resolved ? 0 : entry->app_signal.handle);
  // another claimer may have resolved the entry
  return entry->outcome.load(std::memory_order_acquire);
}

bool AppSignalTable::StillInUse(hsa_signal_t signal) {
  if (!LooksLikeSignal(signal)) return false;
  bool busy = false;
  Slot* const slot = FindClaimed(signal.handle, Patience::kAllThereIs, &busy);
  if (slot == nullptr) return busy;
  const bool resolved = TryResolve(slot);
  Leave(slot, resolved ? 0 : signal.handle);
  return !resolved;
}

void AppSignalTable::Abandon(Pending* entry) {
  if (entry->outcome.load(std::memory_order_acquire) != Outcome::kWaiting) return;
  Slot* const slot = SlotOf(*entry);
  if (!Claim(slot, entry->app_signal.handle, Patience::kAllThereIs)) return;
  const bool ours = slot->entry == entry;
  if (ours) entry->outcome.store(Outcome::kReused, std::memory_order_relaxed);
  Leave(slot, ours ? 0 : entry->app_signal.handle);
}

void AppSignalTable::TakeLeave(hsa_signal_t signal) {
  bool busy = false;
  Slot* const slot = FindClaimed(signal.handle, Patience::kAllThereIs, &busy);
  if (slot == nullptr) return;
  if (!TryResolve(slot)) slot->entry->outcome.store(Outcome::kReused, std::memory_order_release);
  Leave(slot, 0);
}

}  // namespace rtl::capture
