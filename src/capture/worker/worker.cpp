// SPDX-License-Identifier: MIT
#include "capture/worker/worker.h"

#include <errno.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "base/clock.h"
#include "base/own_thread.h"
#include "base/process_barrier.h"
#include "base/sched_point.h"
#include "base/self_kept_clock.h"
#include "base/thread_state.h"
#include "capture/queue/async_copies.h"
#include "capture/queue/forwarder.h"
#include "model/records.h"

namespace rtl::capture {

Status Worker::Start(const Services& services, const Harvester::Services& harvester,
                     const CaptureCounters& counters, Heartbeat heartbeat, uint64_t next_barrier) {
  services_ = services;
  state_ = services.state;
  counters_ = counters;
  heartbeat_ = heartbeat;
  harvester_.Init(harvester, next_barrier);
  state_->beat.store(BootTimeNs(), std::memory_order_relaxed);
  SetPhase(Phase::kTracing);
  RTL_TRY(StartOwnThread("rtl-worker", &Worker::Main, this, &thread_));
  started_.store(true, std::memory_order_release);
  return Status::Ok();
}

void* Worker::Main(void* self) {
  ReentryGuard guard;  // calls made here are the tracer's
  static_cast<Worker*>(self)->thread_id_.store(ThreadId::Current(), std::memory_order_relaxed);
  static_cast<Worker*>(self)->Run();
  return nullptr;
}

void Worker::SetPhase(Phase phase) { phase_.store(phase, std::memory_order_release); }

void Worker::Stop(uint64_t budget_ns) {
  if (!started_.load(std::memory_order_acquire)) return;
  const uint64_t now = BootTimeNs();
  uint64_t none = 0;
  // Only the first caller's budget counts.
  (void)deadline_.compare_exchange_strong(none, now + budget_ns, std::memory_order_relaxed);
  Phase expected = Phase::kTracing;
  // False if Stop was called before.
  (void)phase_.compare_exchange_strong(expected, Phase::kDraining, std::memory_order_release);
  RTL_SCHED_POINT("stop.asked");
  services_.bell->RingUrgent();
  // The limit is for all calls of Stop together: the worker may be in a tool's callback that does
  // not end.
  const uint64_t limit =
      deadline_.load(std::memory_order_relaxed) + services_.room_wait_ns + kStopGraceNs;
  while (finals_.load(std::memory_order_acquire) == 0) {
    const uint64_t at = BootTimeNs();
    if (at >= limit) return;
    const timespec left = {static_cast<time_t>((limit - at) / 1'000'000'000),
                           static_cast<long>((limit - at) % 1'000'000'000)};
    // Whatever ended the wait (a wake-up, a timeout, a signal), the loop checks again.
    (void)syscall(SYS_futex, &finals_, FUTEX_WAIT_PRIVATE, 0, &left, nullptr, 0);
  }
}

bool Worker::AwaitEnds(uint64_t deadline) {
  for (;;) {
    (void)BringHome();  // false: it takes too long; the deadline is checked below
    if (AnythingPending() == Unread::kNothing) return true;
    if (BootTimeNs() >= deadline) return false;
    Nap(kDrainNs);
  }
}

void Worker::Join() {
  if (!started_.exchange(false)) return;
  leave_.store(true, std::memory_order_release);
  services_.bell->RingUrgent();
  // False: the thread is blocked in a call that cannot be interrupted. It sees leave_ when the call
  // returns.
  (void)JoinOwnThread(thread_, kJoinNs);
  services_.forwarder->Join();
}

void Worker::Leave() {
  if (!started_.exchange(false)) return;
  services_.bell->RingUrgent();
  // False: kernels in flight have signals of the application, which the threads still complete.
  if (JoinOwnThread(thread_, kLeaveNs)) services_.forwarder->Join();
}

void Worker::Run() {
  last_progress_ = BootTimeNs();
  next_beat_ = last_progress_ + kFirstBeatNs;
  while (!leave_.load(std::memory_order_acquire)) {
    const Phase phase = phase_.load(std::memory_order_acquire);
    if (phase == Phase::kDraining) {
      Drain();
      continue;
    }
    const uint64_t now = BootTimeNs();
    const Harvester::Progress progress = Pass(now);
    if (phase == Phase::kForwarding) {
      if (progress.forwards == 0 && !AnyHookInside()) break;
    } else {
      Beat(progress, now);
    }
    Rest(progress, now);
  }
  services_.forwarder->Leave();
  SetPhase(Phase::kExited);
}

Harvester::Progress Worker::Pass(uint64_t now) {
  Harvester::Progress total;
  uint64_t other = 0;
  uint32_t live = 0;
  process_clock.Update();
  state_->beat.store(now, std::memory_order_relaxed);
  bool whole = true;
  for (TracedQueue* queue = services_.queues->first(); queue != nullptr; queue = queue->next) {
    other += queue->counts().other();
    if (queue->state() == TracedQueue::State::kFree) continue;
    if (leave_.load(std::memory_order_relaxed) || !turn_.Take(kTurnNs)) {
      whole = false;
      break;
    }
    const Harvester::Progress progress = LookAt(queue, now, &live);
    turn_.Give();
    total.Add(progress);
    if (progress.finished >= Harvester::kMaxPerScan) whole = false;
  }
  services_.queues->doorbells().LookAtHeld(now);
  if (turn_.Take(kTurnNs)) {
    const AsyncCopies::Progress copies = services_.copies->Scan();
    turn_.Give();
    total.finished += copies.finished;
    total.waiting += copies.waiting;
  } else {
    whole = false;
  }
  const uint64_t home = brought_home_.load(std::memory_order_relaxed);
  total.finished += home - brought_home_before_;
  brought_home_before_ = home;
  if (whole) {
    passes_.fetch_add(1, std::memory_order_release);  // (A)
    if (counters_.looked != nullptr) counters_.looked->store(now, std::memory_order_relaxed);
  }
  if (counters_.other_packets != nullptr && other != other_flushed_) {
    counters_.other_packets->fetch_add(other - other_flushed_, std::memory_order_relaxed);
    other_flushed_ = other;
  }
  live_queues_ = std::max(live, 1u);
  PublishCounters();
  return total;
}

Harvester::Progress Worker::LookAt(TracedQueue* queue, uint64_t now, uint32_t* live) {
  const TracedQueue::State state = queue->state();
  const Harvester::Progress progress = harvester_.Scan(queue);
  queue->chain().KeepSpare();
  if (state == TracedQueue::State::kLive) {
    ++*live;
    if (!Final()) harvester_.Supply(queue, live_queues_);
  } else if (progress.finished == 0 &&
             (progress.waiting == 0 || now - queue->closed_at() > kDeadQueueNs)) {
    Retire(queue);
  }
  return progress;
}

Worker::Unread Worker::AnythingPending() const {
  Unread unread = services_.copies->Watched() ? Unread::kPublished : Unread::kNothing;
  for (TracedQueue* queue = services_.queues->first(); queue != nullptr; queue = queue->next) {
    if (queue->HandsOn()) return Unread::kInHook;
    if (queue->chain().InFlight() != 0) unread = Unread::kPublished;
  }
  return unread;
}

uint64_t Worker::InFlight() const {
  uint64_t in_flight = 0;
  for (TracedQueue* queue = services_.queues->first(); queue != nullptr; queue = queue->next) {
    in_flight += queue->chain().InFlight();
  }
  return in_flight;
}

// Waits for packets that have reached the device and are not yet in their queue's chain, because
// the thread of the hook was preempted in between. Entries are published in the order in which
// their packets are written, so it is enough to see one more entry.
void Worker::AwaitHandOn() const {
  constexpr int kSpins = 200;
  for (TracedQueue* queue = services_.queues->first(); queue != nullptr; queue = queue->next) {
    if (!queue->HandsOn()) continue;
    const uint64_t handed_on = queue->chain().Produced();
    uint64_t start = 0;
    for (int i = 0; queue->HandsOn() && queue->chain().Produced() == handed_on; ++i) {
      if (i < kSpins) {
        __builtin_ia32_pause();
        continue;
      }
      const uint64_t now = BootTimeNs();
      if (start == 0) start = now;
      if (queue->hung_at.load(std::memory_order_relaxed) == handed_on) break;
      if (now - start >= kHandOnNs) {
        queue->hung_at.store(handed_on, std::memory_order_relaxed);
        break;
      }
      Nap(20'000);
    }
  }
}

[[gnu::noinline]] void Worker::LookAtSome() {
  if (ReentryGuard::Active() || !MayBringHome() || state_->forked.load(std::memory_order_relaxed) ||
      !turn_.TryTake()) {
    return;
  }
  const ReentryGuard guard;
  uint64_t finished = 0;
  for (TracedQueue* queue = services_.queues->first(); queue != nullptr && !Final();
       queue = queue->next) {
    if (queue->state() != TracedQueue::State::kFree) finished += harvester_.ScanSome(queue);
  }
  CountBroughtHome(finished);
  turn_.Give();
}

bool Worker::BringHome() {
  if (ReentryGuard::Active() || !MayBringHome() || state_->forked.load(std::memory_order_relaxed)) {
    return true;
  }
  const Unread unread = AnythingPending();
  if (unread == Unread::kNothing) return true;
  const ReentryGuard guard;
  const int error_number = errno;  // the application's
  if (unread == Unread::kInHook) [[unlikely]]
    AwaitHandOn();
  const bool mine = turn_.Take(kTurnNs);
  if (mine) {
    uint64_t finished = 0;
    if (!Final()) {
      for (TracedQueue* queue = services_.queues->first(); queue != nullptr; queue = queue->next) {
        if (queue->chain().InFlight() != 0) finished += harvester_.ScanAll(queue);
      }
      if (services_.copies->Watched()) finished += services_.copies->Scan(true).finished;
    }
    CountBroughtHome(finished);
    turn_.Give();
  }
  errno = error_number;
  return mine;
}

bool Worker::SettleEnded() {
  if (!MayBringHome() || AnythingPending() == Unread::kNothing ||
      state_->forked.load(std::memory_order_relaxed) ||
      ThreadId::Current() == thread_id_.load(std::memory_order_relaxed)) {
    return true;
  }
  AwaitHandOn();
  // A pass that has begun already may miss ended work, so the one after it must end.
  const uint64_t wanted = passes_.load(std::memory_order_acquire) + 2;  // pairs with (A)
  const uint64_t limit = BootTimeNs() + kSettleNs;
  while (passes_.load(std::memory_order_acquire) < wanted) {
    if (!MayBringHome()) return true;  // the totals are final, or about to be
    if (BootTimeNs() >= limit) return false;
    services_.bell->RingUrgent();
    Nap(50'000);
  }
  return true;
}

void Worker::PublishCounters() {
  const auto publish = [](std::atomic<uint64_t>* counter, uint64_t value) {
    if (counter != nullptr) counter->store(value, std::memory_order_relaxed);
  };
  publish(counters_.signals_created, services_.pool->created());
  publish(counters_.signals_destroyed, services_.pool->destroyed());
  publish(counters_.queues_created, services_.queues->created());
  publish(counters_.queues_destroyed, services_.queues->destroyed());
}

void Worker::Retire(TracedQueue* queue) {
  if (harvester_.GiveUp(queue, state_->WhyUnended(), Harvester::Rest::kQueueGone)) return;
  const QueueEndRecord end = QueueEnd(*queue, queue->closed_at());
  services_.queues->Recycle(queue);  // from here on another queue may use the object
  if (!Final()) WriteQueueEnd(end);
}

QueueEndRecord Worker::QueueEnd(const TracedQueue& queue, uint64_t destroyed) {
  QueueEndRecord record;
  record.head.type = RecordType::kQueueEnd;
  record.head.thread = ThreadId::Current();
  record.queue = queue.identity().queue;
  record.destroyed = destroyed;
  record.submitted = queue.counts().submitted();
  for (size_t i = 0; i < kLossCount; ++i)
    record.losses[i] = queue.counts().lost(static_cast<Loss>(i));
  return record;
}

void Worker::WriteQueueEnd(const QueueEndRecord& record) {
  // If there is no room for the record, the end of the queue stays unknown.
  (void)services_.sink->Write(&record, sizeof(record), nullptr, 0);
}

void Worker::Beat(const Harvester::Progress& progress, uint64_t now) {
  since_beat_ += progress.finished;
  if (since_beat_ < Harvester::kMaxPerScan && now < next_beat_) return;
  since_beat_ = 0;
  next_beat_ = now + kSteadyNs;
  if (heartbeat_.call != nullptr) heartbeat_.call(heartbeat_.data);
}

void Worker::Rest(const Harvester::Progress& progress, uint64_t now) {
  since_rest_ += progress.finished;
  if (progress.finished != 0) last_progress_ = now;
  if (progress.finished >= Harvester::kMaxPerScan) return;  // there may be more: continue at once
  // If the load has been over for a while, trims the signals beyond the number to keep.
  const bool calm = progress.waiting == 0 && now - last_progress_ > kCalmNs;
  if (calm && services_.pool->Trim(kTrimPerPass) == kTrimPerPass) return;
  if (since_rest_ > kFullRest) {
    // The worker must return before a hook runs out of signals, because waking the worker would
    // cost the hook more than all its other work.
    interval_ns_ = std::max(std::min(interval_ns_, kSteadyNs) / 2, kBusyNs);
  } else if (since_rest_ > kFullRest / 4) {
    interval_ns_ = std::min(interval_ns_, kSteadyNs);
  } else {
    const uint64_t limit = progress.waiting != 0 ? kRunningNs : kIdleNs;
    interval_ns_ = std::min(interval_ns_ * 2, since_rest_ != 0 ? kSteadyNs : limit);
  }
  uint64_t interval_ns = interval_ns_;
  if (waiters_.load(std::memory_order_relaxed) != 0) {
    waited_for_ns_ = since_rest_ != 0 ? kWaitedForNs : std::min(waited_for_ns_ * 2, kSteadyNs);
    interval_ns = std::min(interval_ns, waited_for_ns_);
  } else {
    waited_for_ns_ = kWaitedForNs;
  }
  since_rest_ = 0;
  services_.bell->Sleep(interval_ns);
}

bool Worker::AnyHookInside() const {
  if (services_.copies->InHook()) return true;
  for (TracedQueue* queue = services_.queues->first(); queue != nullptr; queue = queue->next) {
    if (queue->InHook()) return true;
  }
  return false;
}

// Drains until nothing is in flight and no hook is running, or the budget is used up. If nothing
// may be lost (RTL_LOSSLESS), ended work is written even after the budget is used up.
void Worker::Drain() {
  // A hook that was marked before this barrier (HookScope) is seen, and a hook that is marked later
  // sees that the hooks are disarmed.
  process_barrier::Everywhere();
  RTL_SCHED_POINT("worker.drain");
  const uint64_t deadline = deadline_.load(std::memory_order_relaxed);
  while (!leave_.load(std::memory_order_acquire)) {
    // AnyHookInside comes before Pass, so that the pass sees the entries that a hook published
    // before it returned.
    const bool inside = AnyHookInside();
    const uint64_t now = BootTimeNs();
    const Harvester::Progress progress = Pass(now);
    // Otherwise no heartbeat: preparing for further records would take longer than the rest of a
    // short drain.
    if (progress.finished >= Harvester::kMaxPerScan) Beat(progress, now);
    if (progress.finished != 0) last_progress_ = now;
    if (progress.finished == 0 && progress.waiting == 0 && !inside) break;
    if (now >= deadline + (progress.finished != 0 ? services_.room_wait_ns : 0)) break;
    if (progress.finished != 0) continue;
    Nap(kDrainNs);
  }
  FinishTotals();
}

// Nothing is counted after this. Kernels in flight may end later: the forwarder completes their
// signals.
void Worker::FinishTotals() {
  const bool inside = AnyHookInside();
  // If the trace ends before the process (leaving), later packets do not belong to it.
  if (!inside && !state_->leaving.load(std::memory_order_relaxed)) services_.queues->CountMissed();
  state_->closed.store(true, std::memory_order_release);
  RTL_SCHED_POINT("worker.closed");
  bool may_end = true;
  // If the turn is not available, a thread of the application is stalled in it. The reader of the
  // totals then attributes the remaining kernels to the end of the process.
  if (turn_.Take(kTurnNs)) {
    may_end = GiveUpAll(inside);
    turn_.Give();
  }
  if (!may_end) services_.pool->DestroyFree();
  PublishCounters();
  SetPhase(Phase::kForwarding);
  finals_.store(1, std::memory_order_release);
  (void)syscall(SYS_futex, &finals_, FUTEX_WAKE_PRIVATE, INT32_MAX, nullptr, nullptr, 0);
}

// Makes the last scan; the remaining kernels are lost. True if the GPU may still write to signals
// of the tracer.
bool Worker::GiveUpAll(bool inside) {
  bool may_end = inside;
  for (TracedQueue* queue = services_.queues->first(); queue != nullptr; queue = queue->next) {
    const TracedQueue::State state = queue->state();
    if (state == TracedQueue::State::kFree) continue;
    while (harvester_.Scan(queue).finished != 0) {
    }
    if (state == TracedQueue::State::kDead) {
      const bool held = harvester_.GiveUp(queue, state_->WhyUnended(), Harvester::Rest::kQueueGone);
      WriteQueueEnd(QueueEnd(*queue, queue->closed_at()));
      if (!held) services_.queues->Recycle(queue);  // otherwise a later pass recycles the queue
      continue;
    }
    may_end |= harvester_.GiveUp(queue, Loss::kShutdown, Harvester::Rest::kMayEnd);
    WriteQueueEnd(QueueEnd(*queue, 0));
    // No hook takes signals any more, so this thread may release them.
    if (!inside) queue->signals().Release(services_.pool);
  }
  services_.copies->GiveUp();
  harvester_.StopCounting();
  return may_end;
}

}  // namespace rtl::capture
