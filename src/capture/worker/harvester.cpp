// SPDX-License-Identifier: MIT
#include "capture/worker/harvester.h"

#include <algorithm>

#include "base/clock.h"
#include "base/sched_point.h"
#include "capture/counters/kernel_counting.h"
#include "capture/queue/forwarder.h"
#include "capture/queue/submission_watcher.h"
#include "capture/signal/signal_times.h"
#include "model/records.h"

namespace rtl::capture {

namespace {

// True if the GPU has finished with the entry, even if its signal is still pending.
bool HasEnded(const Pending& entry) { return entry.finished || entry.IsAccounted(); }

}  // namespace

uint64_t Harvester::ScanAll(TracedQueue* queue) {
  uint64_t finished = 0;
  uint64_t last;
  do {
    last = Scan(queue, Reach::kAll).finished;
    finished += last;
  } while (last >= kMaxPerScan);
  return finished;
}

Harvester::Progress Harvester::Scan(TracedQueue* queue, Reach reach) {
  const bool all = reach == Reach::kAll;
  const uint64_t most = reach == Reach::kSome ? kSome : kMaxPerScan;
  const uint64_t ahead = reach == Reach::kAhead ? kLookAhead : 1;
  PendingChain& chain = queue->chain();
  Progress progress;
  const uint64_t available = chain.Available();
  uint64_t overtaken = 0;
  bool something_runs = false;
  PendingChain::Cursor cursor = chain.Begin();
  for (uint64_t i = 0; i < available && progress.finished < most && (all || overtaken < ahead);
       ++i) {
    Pending* const entry = cursor.entry();
    // A packet with the barrier bit, and all packets after it, begin only when everything before it
    // has ended.
    if (all && something_runs && (entry->flags & kDispatchFlagBarrierBit) != 0) break;
    // The GPU was the last to write the signals, so later ones are prefetched while this one is
    // handled.
    if (i + kFetchAhead < available) {
      if (const Pending* later = cursor.Later(kFetchAhead)) {
        __builtin_prefetch(SignalMemory(later->signal));
      }
    }
    if (!entry->finished) {
      TryFinish(queue, cursor, reach) ? ++progress.finished : ++overtaken;
    }
    if (!HasEnded(*entry)) something_runs = true;
    PendingChain::Advance(&cursor);
  }
  uint64_t left = available;
  while (left != 0 && chain.Begin().entry()->finished) {
    chain.Retire();
    --left;
  }
  queue->signals().cache().Publish();
  PutRecycled();
  // The worker publishes the counts, also those of other threads, in its next pass.
  if (reach == Reach::kAhead) CountRecorded();
  progress.waiting = left;
  progress.forwards = queue->forwards_published() - queue->view.forwards_done;
  return progress;
}

// True if nothing is left to do for the entry. A thread of the application leaves reports that may
// run a tool's functions to the worker.
bool Harvester::TryFinish(TracedQueue* queue, const PendingChain::Cursor& at, Reach reach) {
  Pending* const entry = at.entry();
  SignalTimes times;
  DispatchRecord record;
  bool described = false;
  if (entry->completion == Completion::kInPlace) {
    const Outcome outcome = services_.app_signals->Poll(entry, reach == Reach::kAll);
    if (outcome == Outcome::kWaiting) return false;
    if (outcome == Outcome::kReused) {
      if (!entry->IsAccounted()) {
        entry->accounted = Accounted::kBeing;
        CountLoss(queue, entry, Loss::kSignalReused);
      }
      entry->finished = true;
      return true;
    }
    if (outcome == Outcome::kTimed) times = entry->times;
  } else if (entry->completion == Completion::kForward) {
    // Recorded as soon as the kernel has ended, so that the record is in the trace when the
    // application's signal shows the end.
    if (!entry->IsAccounted() && LoadValue(entry->signal) < 1) {
      described = Account(queue, at, LoadTimes(entry->signal), &record);
    }
    if (!Forwarder::Settled(*entry)) return false;
    times = entry->times;
  } else {
    if (LoadValue(entry->signal) >= 1) return false;
    times = LoadTimes(entry->signal);
  }
  RTL_SCHED_POINT("worker.ended");
  if (!entry->IsAccounted()) described = Account(queue, at, times, &record);
  if (WatcherWaits(*queue, *entry)) {
    const bool runs_tool = !queue->watcher()->EndsAnywhere(entry->ticket);
    if (runs_tool && reach != Reach::kAhead) return false;
    if (!described) described = Describe(*queue, *entry, times, &record);
    TellEnd(queue, entry, described ? &record : nullptr);
    // The beat is updated, so that hooks do not take a slow tool for a stalled worker.
    if (runs_tool) services_.state->beat.store(BootTimeNs(), std::memory_order_relaxed);
  }
  if (entry->completion == Completion::kForward) FinishForward(queue, entry);
  if (entry->completion == Completion::kPooled) Recycle(queue, entry->signal);
  entry->finished = true;
  return true;
}

bool Harvester::WatcherWaits(const TracedQueue& queue, const Pending& entry) const {
  return queue.watcher() != nullptr && entry.ticket != 0 && counting_;
}

// Finishes an entry that the forwarder has completed, or has dropped because the queue was
// destroyed.
void Harvester::FinishForward(TracedQueue* queue, Pending* entry) {
  ++queue->view.forwards_done;
  if (entry->outcome.load(std::memory_order_relaxed) == Outcome::kTimed) {
    Recycle(queue, entry->signal);
  } else {
    services_.pool->Destroy(entry->signal);
  }
}

bool Harvester::Translate(const QueueIdentity& queue, SignalTimes times, uint64_t* start,
                          uint64_t* end) {
  const auto convert = services_.api->amd_profiling_convert_tick_to_system_domain;
  if (queue.agent < kClocks) {
    ClockMap& clock = clocks_[queue.agent];
    if (clock.agent().handle != queue.hsa_agent.handle) clock.Init(queue.hsa_agent, convert);
    return clock.ToHost(times.start, times.end, start, end);
  }
  // The end is converted first, because the runtime may fit its clocks again for the later tick.
  if (convert(queue.hsa_agent, times.end, end) != HSA_STATUS_SUCCESS) return false;
  if (convert(queue.hsa_agent, times.start, start) != HSA_STATUS_SUCCESS) return false;
  *end = std::max(*start, *end);
  return true;
}

// Writes a record of an ended kernel, or counts a loss. If the process dies in between, a reader
// finds that one record was being written.
bool Harvester::Account(TracedQueue* queue, const PendingChain::Cursor& at, SignalTimes times,
                        DispatchRecord* record) {
  Pending* const entry = at.entry();
  entry->accounted = Accounted::kBeing;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  const bool described = counting_ && Record(queue, at, times, record);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  entry->accounted = Accounted::kYes;
  return described;
}

bool Harvester::Record(TracedQueue* queue, const PendingChain::Cursor& at, SignalTimes times,
                       DispatchRecord* record) {
  Pending* const entry = at.entry();
  if (!Describe(*queue, *entry, times, record)) {
    CountLoss(queue, entry, Loss::kBadTimestamps);
    return false;
  }
  if (entry->IsBarrier()) [[unlikely]] {
    RecordBarrier(queue, entry, *record);
    return true;
  }
  record->dispatch = at.number();
  if ((entry->flags & kInFlightPaused) != 0) [[unlikely]] {
    queue->counts().AddLoss(Loss::kPaused, 1);
  } else if (!services_.sink->Write(record, sizeof *record, nullptr, 0)) {
    CountLoss(queue, entry, Loss::kSpoolFull);
    return true;
  } else {
    ++recorded_;
  }
  if (services_.counting != nullptr && entry->counting != 0)
    services_.counting->KernelEnded(entry->counting, *record);
  return true;
}

// Sets the times in `record`. False if no times were written, or if they cannot be converted.
bool Harvester::Describe(const TracedQueue& queue, const Pending& entry, SignalTimes times,
                         DispatchRecord* record) {
  if (times.start == 0 || times.end == 0 || times.start > times.end) return false;
  FillRecord(entry, queue.identity().queue, record);
  record->start_ticks = times.start;
  record->end_ticks = times.end;
  return Translate(queue.identity(), times, &record->start, &record->end);
}

// Reports the end of a kernel to the watcher. `record`: null if there are no times.
void Harvester::TellEnd(TracedQueue* queue, Pending* entry, const DispatchRecord* record) {
  const uint32_t ticket = entry->ticket;
  entry->ticket = 0;
  if (record == nullptr) return queue->watcher()->Lost(ticket);
  queue->watcher()->KernelEnded(ticket, *record, queue->identity());
}

[[gnu::cold]] void Harvester::RecordBarrier(TracedQueue* queue, Pending* entry,
                                            const DispatchRecord& packet) {
  BarrierRecord record;
  record.head.type = RecordType::kBarrier;
  record.head.thread = packet.head.thread;
  record.barrier = next_barrier_;
  record.correlation = packet.correlation;
  record.start = packet.start;
  record.end = packet.end;
  record.start_ticks = packet.start_ticks;
  record.end_ticks = packet.end_ticks;
  record.submitted = packet.submitted;
  record.packet = packet.packet;
  record.queue = packet.queue;
  record.kind = entry->barrier.kind;
  record.dependencies = entry->barrier.dependencies;
  record.flags = packet.flags;
  if (!services_.sink->Write(&record, sizeof(record), nullptr, 0)) {
    return CountLoss(queue, entry, Loss::kSpoolFull);
  }
  ++next_barrier_;
  ++barriers_recorded_;
}

void Harvester::Recycle(TracedQueue* queue, hsa_signal_t signal) {
  services_.pool->Reset(signal);
  const uint32_t target = queue->signals().target().load(std::memory_order_relaxed);
  const bool live = queue->state() == TracedQueue::State::kLive;
  if (live && queue->signals().cache().TryPut(signal, target)) return;
  if (recycled_count_ == kRecycled) PutRecycled();
  recycled_[recycled_count_++] = signal;
}

void Harvester::PutRecycled() {
  services_.pool->Put(recycled_, recycled_count_);
  recycled_count_ = 0;
}

// Counts a loss. If only the trace lacks room, the watcher still gets the end.
void Harvester::CountLoss(TracedQueue* queue, Pending* entry, Loss why) {
  if (!counting_) return;
  if (entry->IsBarrier()) return services_.sink->CountLoss(EventKind::kBarrier, why, 1);
  if (why != Loss::kSpoolFull && WatcherWaits(*queue, *entry)) {
    queue->watcher()->Lost(entry->ticket);
    entry->ticket = 0;
  }
  if (services_.counting != nullptr && entry->counting != 0)
    services_.counting->KernelLost(entry->counting, why);
  queue->counts().AddLoss(why, 1);
}

void Harvester::CountRecorded() {
  if (recorded_ != 0) services_.sink->CountRecorded(EventKind::kKernel, recorded_);
  if (barriers_recorded_ != 0) {
    services_.sink->CountRecorded(EventKind::kBarrier, barriers_recorded_);
  }
  recorded_ = barriers_recorded_ = 0;
}

bool Harvester::GiveUp(TracedQueue* queue, Loss why, Rest rest) {
  PendingChain& chain = queue->chain();
  const uint64_t available = chain.Available();
  PendingChain::Cursor cursor = chain.Begin();
  bool left_over = false;
  for (uint64_t i = 0; i < available; ++i) {
    const PendingChain::Cursor at = cursor;
    Pending* const entry = at.entry();
    PendingChain::Advance(&cursor);
    if (entry->finished || TryFinish(queue, at)) continue;
    if (!entry->IsAccounted()) {
      // for a reader of memory that outlives the process
      if (why == Loss::kShutdown) entry->flags |= kInFlightGivenUp;
      CountLoss(queue, entry, why);
    }
    entry->accounted = Accounted::kYes;
    if (GiveUpEntry(entry, rest)) {
      if (entry->completion == Completion::kForward) ++queue->view.forwards_done;
      entry->finished = true;
    }
    left_over |= rest == Rest::kMayEnd || !entry->finished;
  }
  CountRecorded();
  PutRecycled();
  for (uint64_t left = available; left != 0 && chain.Begin().entry()->finished; --left) {
    chain.Retire();
  }
  return left_over;
}

// True when nothing is left to do for the entry.
bool Harvester::GiveUpEntry(Pending* entry, Rest rest) {
  if (entry->completion == Completion::kInPlace) {
    services_.app_signals->Abandon(entry);
    return true;
  }
  if (entry->completion == Completion::kForward) {
    if (rest == Rest::kMayEnd) return false;
    services_.forwarder->LetGo(entry);
    if (!Forwarder::Settled(*entry)) return false;
  }
  if (rest == Rest::kQueueGone) services_.pool->Destroy(entry->signal);
  return true;
}

void Harvester::Supply(TracedQueue* queue, uint32_t queues) {
  SignalCache& cache = queue->signals().cache();
  const uint64_t taken_now = cache.Taken();
  const uint64_t taken = taken_now - queue->view.taken_before;
  queue->view.taken_before = taken_now;
  if (taken == 0) return;
  uint32_t target = queue->signals().target().load(std::memory_order_relaxed);
  if (2 * taken > target) {
    const uint64_t share = std::max(SignalCache::kCapacity / queues, kReadyPerQueue);
    target = static_cast<uint32_t>(std::min(2 * taken, share));
    queue->signals().target().store(target, std::memory_order_relaxed);
  }
  while (cache.Level() < target) {
    constexpr uint32_t kBatch = 64;
    const uint32_t wanted = std::min(target - cache.Level(), kBatch);
    // Refills up to twice the number taken, which is more than the next pass is expected to need.
    // If a hook finds less than a quarter left, it wakes the worker, at a hundred times the cost of
    // its own work.
    if (services_.pool->free_count() < wanted) (void)services_.pool->Grow(wanted);
    hsa_signal_t signals[kBatch];
    const uint32_t got = services_.pool->Take(signals, wanted);
    if (got == 0) return;
    for (uint32_t i = 0; i < got; ++i) {
      if (!cache.TryPut(signals[i], SignalCache::kCapacity)) services_.pool->Put(&signals[i], 1);
    }
    cache.Publish();
  }
}

}  // namespace rtl::capture
