// SPDX-License-Identifier: MIT
#include "capture/queue/async_copies.h"

#include <sched.h>
#include <sys/mman.h>
#include <time.h>

#include <algorithm>

#include "base/clock.h"
#include "base/sched_point.h"
#include "base/thread_state.h"
#include "capture/hip/open_call.h"
#include "capture/queue/submission_watcher.h"
#include "capture/roctx/pause.h"
#include "capture/signal/signal_marks.h"

namespace rtl::capture {
namespace {

// Rejects impossible times: the runtime converts any value, even if no engine has written it.
bool Plausible(SignalTimes times, uint64_t submitted) {
  constexpr uint64_t kSlackNs = 1'000'000'000;
  return times.start <= times.end && times.end + kSlackNs >= submitted &&
         times.end <= BootTimeNs() + kSlackNs;
}

}  // namespace

AsyncCopies::~AsyncCopies() {
  if (Entry* const entries = entries_.load(std::memory_order_relaxed)) {
    (void)munmap(entries, kCapacity * sizeof(Entry));
  }
}

CopyKind AsyncCopies::KindOf(uint32_t dst_agent, uint32_t src_agent) const {
  if (dst_agent == 0 || src_agent == 0) return CopyKind::kUnknown;
  const bool to_gpu = agents_->IsGpu(dst_agent);
  if (agents_->IsGpu(src_agent))
    return to_gpu ? CopyKind::kDeviceToDevice : CopyKind::kDeviceToHost;
  return to_gpu ? CopyKind::kHostToDevice : CopyKind::kHostToHost;
}

hsa_status_t AsyncCopies::SetTiming(bool enable) {
  const Visit visit(this);
  if (enable) asked_.store(true, std::memory_order_relaxed);
  const auto set = services_.api->amd_profiling_async_copy_enable;
  if (!visit.armed() || enable) return set(enable);
  if (wanted_.load(std::memory_order_seq_cst)) return HSA_STATUS_SUCCESS;
  const hsa_status_t status = set(false);
  // A first copy may have enabled timing meanwhile. Either it did so after set(false), or this
  // thread sees wanted_ and enables timing again.
  if (wanted_.load(std::memory_order_seq_cst)) (void)set(true);
  return status;
}

// While only the tracer has enabled timing, the program gets an error instead of a copy's times, as
// it would without the tracer. The runtime is still called, because it checks the arguments.
hsa_status_t AsyncCopies::GetTime(hsa_signal_t signal, hsa_amd_profiling_async_copy_time_t* time) {
  const auto get = services_.api->amd_profiling_get_async_copy_time;
  const bool ours =
      wanted_.load(std::memory_order_relaxed) && !asked_.load(std::memory_order_relaxed);
  if (!ours || time == nullptr) return get(signal, time);
  hsa_amd_profiling_async_copy_time_t hidden = {};
  const hsa_status_t status = get(signal, &hidden);
  return status == HSA_STATUS_SUCCESS ? HSA_STATUS_ERROR : status;
}

// If the runtime refuses, copies end without times and are counted as lost (kBadTimestamps).
void AsyncCopies::EnsureTiming() {
  if (timing_.load(std::memory_order_acquire)) return;
  // Several threads may arrive here at once. Each of them calls the runtime, without a lock.
  wanted_.store(true, std::memory_order_seq_cst);
  (void)services_.api->amd_profiling_async_copy_enable(true);
  timing_.store(true, std::memory_order_release);
}

bool AsyncCopies::EnsureEntries() {
  if (entries_.load(std::memory_order_relaxed) != nullptr) return true;
  void* const memory = mmap(nullptr, kCapacity * sizeof(Entry), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  entries_.store(static_cast<Entry*>(memory), std::memory_order_release);
  return true;
}

// Takes the free entry with the lowest number, so that the worker has few entries to scan.
AsyncCopies::Entry* AsyncCopies::Take(Loss* loss) {
  MutexLock lock(mutex_);
  *loss = Loss::kNoMemory;
  if (!EnsureEntries()) return nullptr;
  *loss = Loss::kBacklog;
  Entry* const entries = entries_.load(std::memory_order_relaxed);
  if (first_free_ != kCapacity) {
    Entry* const entry = &entries[first_free_];
    first_free_ = entry->next_free;
    return entry;
  }
  const uint32_t used = used_.load(std::memory_order_relaxed);
  if (used == kCapacity) return nullptr;
  used_.store(used + 1, std::memory_order_release);
  return &entries[used];
}

void AsyncCopies::Free(Entry* entry) {
  watched_.fetch_sub(1, std::memory_order_relaxed);
  entry->state.store(State::kFree, std::memory_order_release);
  MutexLock lock(mutex_);
  entry->next_free = first_free_;
  first_free_ = static_cast<uint32_t>(entry - entries_.load(std::memory_order_relaxed));
  freed_.fetch_add(1, std::memory_order_relaxed);
}

void AsyncCopies::Begin(const CopyRequest& request, CallCopies* copies) {
  if (services_.marks != nullptr && LooksLikeSignal(request.completion)) {
    services_.marks->Submitted(request.completion,
                               services_.api->signal_load_relaxed(request.completion));
  }
  Loss loss;
  do {
    if (Entry* const entry = TryBegin(request, &loss)) {
      entry->next_of_call = copies->first;
      copies->first = entry;
      ++copies->count;
      return;
    }
  } while (loss == Loss::kBacklog && WaitForRoom(copies));
  ++copies->losses[static_cast<size_t>(loss)];
}

// Returns null if the end of the copy will not be known, for the reason `loss`.
AsyncCopies::Entry* AsyncCopies::TryBegin(const CopyRequest& request, Loss* loss) {
  *loss = Loss::kHasSignal;
  if (services_.lite && !state_->ToolsWant()) return nullptr;
  *loss = Loss::kPaused;
  const bool paused = Pause::Active();
  if (paused && !state_->ToolsWant()) return nullptr;
  *loss = Loss::kBadTimestamps;
  // The runtime does not time copies between host and host.
  if (request.kind == CopyKind::kHostToHost) return nullptr;
  Entry* const entry = Take(loss);
  if (entry == nullptr) return nullptr;
  watched_.fetch_add(1, std::memory_order_relaxed);
  EnsureTiming();
  entry->request = request;
  entry->request.correlation = OpenCall::Recorded();
  entry->accounted = false;
  entry->paused = paused;
  entry->state.store(State::kBusy, std::memory_order_relaxed);
  Pending& watch = entry->watch;
  watch.completion = Completion::kCopy;
  watch.app_signal = request.completion;
  watch.thread = ThreadId::Current();
  watch.submitted = BootTimeNs();
  const AppSignalTable::Watch watched = services_.app_signals->RegisterCopy(&watch);
  if (watched == AppSignalTable::Watch::kYes) {
    watch.ticket = TellSubmitted(*entry);
    return entry;
  }
  *loss = watched == AppSignalTable::Watch::kShared ? Loss::kSharedSignal : Loss::kBacklog;
  Free(entry);
  return nullptr;
}

// Reports the copy to the watcher. Returns its ticket; zero if the watcher has no interest in this
// copy.
uint32_t AsyncCopies::TellSubmitted(const Entry& entry) {
  if (services_.watcher == nullptr) return 0;
  CopyRecord copy = RecordOf(entry);
  copy.correlation = OpenCall::Correlation();
  return services_.watcher->CopySubmitted(copy);
}

// Waits until an entry becomes free. All used entries are in flight. If all of them belong to this
// call, which has not been made yet, there is nothing to wait for. After a wait that timed out, no
// hook waits again until a copy has ended.
[[gnu::cold]] bool AsyncCopies::WaitForRoom(CallCopies* copies) {
  if (watched_.load(std::memory_order_relaxed) <= copies->count) return false;
  const uint64_t freed = freed_.load(std::memory_order_relaxed);
  if (freed == freed_in_vain_.load(std::memory_order_relaxed)) return false;
  services_.bell->RingUrgent();
  const uint64_t start = BootTimeNs();
  if (copies->wait_until == 0) {
    copies->wait_until = start + std::max(kRoomNs, services_.room_wait_ns);
  }
  for (uint64_t now = start; now < copies->wait_until; now = BootTimeNs()) {
    RTL_SCHED_POINT("copy.no_room");
    const timespec nap = {0, kRoomNapNs};
    // If the nap is interrupted, the loop checks once more.
    (void)(now - start < kRoomNs ? sched_yield() : nanosleep(&nap, nullptr));
    if (freed_.load(std::memory_order_relaxed) != freed) return true;
    if (!state_->armed.load(std::memory_order_relaxed)) return false;
  }
  freed_in_vain_.store(freed, std::memory_order_relaxed);
  return false;
}

void AsyncCopies::End(CallCopies* copies, hsa_status_t status) {
  const bool made = status == HSA_STATUS_SUCCESS;
  const bool closed = state_->closed.load(std::memory_order_relaxed);
  for (Entry* entry = copies->first; entry != nullptr;) {
    // read now: afterwards the entry belongs to the worker
    Entry* const next = entry->next_of_call;
    if (made && !closed) {
      services_.sink->CountSubmitted(EventKind::kCopy, 1);
      entry->state.store(State::kWaiting, std::memory_order_release);
    } else {
      TellLost(entry);
      LetGo(entry);
      if (made && !state_->leaving.load(std::memory_order_relaxed))
        CountLost(state_->WhyDisarmed(), 1);
    }
    entry = next;
  }
  for (size_t why = 0; made && why < kLossCount; ++why) {
    CountLost(static_cast<Loss>(why), copies->losses[why]);
  }
}

// Frees the entry, unless a preempted thread is still reading it; such an entry is never reused.
void AsyncCopies::LetGo(Entry* entry) {
  services_.app_signals->Abandon(&entry->watch);
  if (entry->watch.outcome.load(std::memory_order_acquire) != Outcome::kWaiting) Free(entry);
}

void AsyncCopies::CountLost(Loss why, uint64_t copies) {
  if (copies == 0) return;
  services_.sink->CountSubmitted(EventKind::kCopy, copies);
  services_.sink->CountLoss(EventKind::kCopy, why, copies);
}

AsyncCopies::Progress AsyncCopies::Scan(bool application) {
  Progress progress;
  const uint32_t used = used_.load(std::memory_order_acquire);
  Entry* const entries = entries_.load(std::memory_order_acquire);
  for (uint32_t i = 0; i < used; ++i) {
    Entry* const entry = &entries[i];
    if (entry->state.load(std::memory_order_acquire) != State::kWaiting) continue;
    const Outcome outcome = services_.app_signals->Poll(&entry->watch, application);
    if (outcome == Outcome::kWaiting) {
      ++progress.waiting;
      continue;
    }
    if (!state_->closed.load(std::memory_order_relaxed)) {
      if (!entry->accounted) Finish(entry, outcome);
      if (application && WatcherWaits(*entry)) continue;
      if (WatcherWaits(*entry)) TellEnd(entry);
    }
    Free(entry);
    ++progress.finished;
  }
  return progress;
}

void AsyncCopies::Finish(Entry* entry, Outcome outcome) {
  entry->accounted = true;
  if (outcome == Outcome::kReused) return Lose(entry, Loss::kSignalReused);
  if (outcome != Outcome::kTimed || !Plausible(entry->watch.times, entry->watch.submitted)) {
    return Lose(entry, Loss::kBadTimestamps);
  }
  // The watcher still gets the end of the copy.
  if (entry->paused) return services_.sink->CountLoss(EventKind::kCopy, Loss::kPaused, 1);
  CopyRecord record = RecordOf(*entry);
  record.copy = next_copy_;
  record.start = entry->watch.times.start;
  record.end = entry->watch.times.end;
  if (!services_.sink->Write(&record, sizeof(record), nullptr, 0)) {
    // the watcher still gets the end
    return services_.sink->CountLoss(EventKind::kCopy, Loss::kSpoolFull, 1);
  }
  ++next_copy_;
  services_.sink->CountRecorded(EventKind::kCopy, 1);
}

bool AsyncCopies::WatcherWaits(const Entry& entry) const {
  return services_.watcher != nullptr && entry.watch.ticket != 0;
}

void AsyncCopies::TellEnd(Entry* entry) {
  CopyRecord record = RecordOf(*entry);
  record.start = entry->watch.times.start;
  record.end = entry->watch.times.end;
  services_.watcher->CopyEnded(entry->watch.ticket, record);
  entry->watch.ticket = 0;
  state_->beat.store(BootTimeNs(), std::memory_order_relaxed);  // a slow watcher is not a stall
}

// Returns the properties of a copy that are known before it has a number and times.
CopyRecord AsyncCopies::RecordOf(const Entry& entry) {
  const CopyRequest& request = entry.request;
  CopyRecord record;
  record.head.type = RecordType::kCopy;
  record.head.thread = entry.watch.thread;
  record.correlation = request.correlation;
  record.submitted = entry.watch.submitted;
  record.bytes = request.bytes;
  record.dst = reinterpret_cast<uint64_t>(request.dst);
  record.src = reinterpret_cast<uint64_t>(request.src);
  record.dst_agent = request.dst_agent;
  record.src_agent = request.src_agent;
  record.kind = request.kind;
  return record;
}

// Counts the copy as lost; it was counted as seen when it was submitted.
void AsyncCopies::Lose(Entry* entry, Loss why) {
  TellLost(entry);
  services_.sink->CountLoss(EventKind::kCopy, why, 1);
}

void AsyncCopies::TellLost(Entry* entry) {
  if (!WatcherWaits(*entry)) return;
  services_.watcher->Lost(entry->watch.ticket);
  entry->watch.ticket = 0;
}

// Called before the totals are published. A copy whose hook is still running is not counted here.
void AsyncCopies::GiveUp() {
  const uint32_t used = used_.load(std::memory_order_acquire);
  Entry* const entries = entries_.load(std::memory_order_acquire);
  for (uint32_t i = 0; i < used; ++i) {
    Entry* const entry = &entries[i];
    if (entry->state.load(std::memory_order_acquire) != State::kWaiting) continue;
    // A thread of the application may have recorded the copy; only the report to the watcher is
    // then missing.
    entry->accounted ? TellLost(entry) : Lose(entry, Loss::kShutdown);
    entry->state.store(State::kBusy, std::memory_order_relaxed);
    LetGo(entry);
  }
}

}  // namespace rtl::capture
