// SPDX-License-Identifier: MIT
#include "capture/counters/kernel_counting.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/own_thread.h"
#include "base/thread_state.h"
#include "capture/counters/counter_packets.h"

namespace rtl::capture {
Status KernelCounting::Start(const Options& options) {
  options_ = options;
  RTL_TRY(library_.Open(options.library));
  RTL_TRY(memory_.Open(*options.api, options.root_table));
  void* const memory =
      mmap(nullptr, sizeof(Room), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return Status::Error("no memory for counters");
  room_ = new (memory) Room;
  if (options.api->signal_create(1, 0, nullptr, &bell_) != HSA_STATUS_SUCCESS)
    return Status::Error("the runtime refused a signal");
  RTL_TRY(StartOwnThread("rtl-counters", Main, this, &thread_));
  started_ = true;
  return Status::Ok();
}

void* KernelCounting::Main(void* self) {
  static_cast<KernelCounting*>(self)->Run();
  return nullptr;
}

void KernelCounting::Run() {
  const ReentryGuard guard;
  thread_id_.store(ThreadId::Current(), std::memory_order_relaxed);  // compared by itself only
  while (!stop_.load(std::memory_order_acquire)) {
    Wait();
    Look();
    while (CounterJob* const job = NextToHandOut()) HandOut(job);
  }
  GiveUpRest();
}

void KernelCounting::Ring() const {
  if (!stop_.load(std::memory_order_acquire)) options_.api->signal_store_screlease(bell_, 0);
}

// The signal that most likely changes next: that of a kernel that runs, or the arrival at one.
hsa_signal_t KernelCounting::NextSignal(uint32_t* others) {
  const MutexLock lock(mutex_);
  hsa_signal_t next = bell_;
  bool runs = false;
  uint32_t waiting = 0;
  for (uint32_t i = 0; i < line_count_; ++i) {
    const CounterJob* const job = lines_[i].first;
    if (job == nullptr || job->state == State::kArrived) continue;
    ++waiting;
    if (runs) continue;
    runs = job->state == State::kRuns;
    next = runs ? job->done : job->arrived;
  }
  *others = in_flight_ - (waiting == 1 ? 1 : 0);
  return next;
}

// Until a queue arrives at a kernel, a kernel's counters are read, or somebody rings. One signal
// alone is waited for, and what else there is looked at soon: ROCm 7.2 writes past its memory where
// several are waited for and a later one changes, and reads past it where none does in time.
void KernelCounting::Wait() {
  uint32_t others = 0;
  const hsa_signal_t signal = NextSignal(&others);
  (void)options_.api->signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_LT, 1,
                                            others != 0 ? kSoonNs : kLookNs,
                                            HSA_WAIT_STATE_BLOCKED);  // it looks anyhow
  options_.api->signal_store_relaxed(bell_, 1);
}

void KernelCounting::Look() {
  const MutexLock lock(mutex_);
  const uint64_t now = BootTimeNs();
  for (uint32_t i = 0; i < line_count_; ++i) {
    while (LookAt(&lines_[i])) {
    }
  }
  TakeTurns(now);
}

// True: the queue's first job is done, and there may be another.
bool KernelCounting::LookAt(Line* line) {
  CounterJob* const job = line->first;
  if (job == nullptr) return false;
  const HsaApi& api = *options_.api;
  if (job->state == State::kSubmitted && api.signal_load_scacquire(job->arrived) < 1) {
    job->state = State::kArrived;
    job->since = BootTimeNs();
  }
  if (job->state != State::kRuns || api.signal_load_scacquire(job->done) >= 1) return false;
  line->first = job->next;
  if (line->first == nullptr) line->last = nullptr;
  Finish(job);
  return true;
}

// Its counters have been read, or it has had its turn.
void KernelCounting::Finish(CounterJob* job) {
  CounterDevice* const device = job->device;
  if (--device->running == 0) device->mixed = false;
  job->state = State::kRead;
}

void KernelCounting::Admit(CounterJob* job, uint64_t now) {
  CounterDevice* const device = job->device;
  job->state = State::kRuns;
  job->since = now;
  if (device->running++ == 0) device->running_since = now;
  if (device->mixed) Lose(job, Loss::kCoDependent);
  options_.api->signal_store_screlease(job->gate, 0);
}

// The queue that has waited longest comes next.
void KernelCounting::TakeTurns(uint64_t now) {
  for (;;) {
    CounterJob* next = nullptr;
    for (uint32_t i = 0; i < line_count_; ++i) {
      CounterJob* const job = lines_[i].first;
      if (job == nullptr || job->state != State::kArrived) continue;
      CounterDevice* const device = job->device;
      if (device->running != 0 && !device->mixed) {
        if (now - device->running_since <= options_.bound_ns) continue;
        LetGo(device, now);
      }
      if (next == nullptr || job->since < next->since) next = job;
    }
    if (next == nullptr) return;
    Admit(next, now);
  }
}

// What runs has not ended for so long, and others wait: they may be what it waits for.
void KernelCounting::LetGo(CounterDevice* device, uint64_t now) {
  device->mixed = true;
  for (CounterJob* job : jobs_) {
    if (job != nullptr && job->device == device && job->state == State::kRuns)
      Lose(job, Loss::kCoDependent);
  }
  Warn(
      "a kernel in process %d has held the GPU for %llu ms while others waited for their turn to "
      "be counted: they run at once now and are not counted (kCoDependent)",
      static_cast<int>(getpid()),
      static_cast<unsigned long long>((now - device->running_since) / 1'000'000));
}

void KernelCounting::Lose(CounterJob* job, Loss why) {
  if (job->lost) return;
  job->lost = true;
  job->why = why;
}

CounterDevice* KernelCounting::DeviceOf(const QueueIdentity& queue) {
  if (queue.agent == 0 || queue.agent > Agents::kMaxAgents) return nullptr;
  CounterDevice& device = room_->devices[queue.agent - 1];
  return device.open() ? &device : nullptr;
}

KernelCounting::Line* KernelCounting::LineOf(uint32_t queue) {
  for (uint32_t i = 0; i < line_count_; ++i) {
    if (lines_[i].queue == queue) return &lines_[i];
  }
  return nullptr;
}

void KernelCounting::QueueMade(const QueueIdentity& queue) {
  if (queue.agent == 0 || queue.agent > Agents::kMaxAgents) return;
  const MutexLock lock(mutex_);
  CounterDevice& device = room_->devices[queue.agent - 1];
  if (!device.open()) {
    const Status opened = device.Open(&library_, &memory_, options_.api, queue.hsa_agent);
    if (!opened.ok()) return Warn("kernels are not counted: %s", opened.message());
  }
  ++device.queues;
  Line* line = LineOf(0);
  if (line == nullptr && line_count_ < kMostQueues) line = &lines_[line_count_++];
  if (line != nullptr) *line = {queue.queue, &device, nullptr, nullptr};
}

bool KernelCounting::Busy(uint32_t queue) {
  const MutexLock lock(mutex_);
  const Line* const line = LineOf(queue);
  return line != nullptr && line->first != nullptr;
}

// Its packets behind the last kernel have not been read, perhaps: they are gone with the queue.
void KernelCounting::QueueGone(const QueueIdentity& queue) {
  for (uint32_t ms = 0; ms < kQueueMs && Busy(queue.queue); ++ms) {
    Ring();
    Nap(1'000'000);
  }
  const MutexLock lock(mutex_);
  Line* const line = LineOf(queue.queue);
  if (line == nullptr) return;
  for (CounterJob* job = line->first; job != nullptr; job = job->next) {
    Lose(job, Loss::kQueueDestroyed);
    if (job->state == State::kRuns) {
      Finish(job);
    } else {
      job->state = State::kRead;
    }
  }
  --line->device->queues;
  *line = Line();
  Ring();
}

void KernelCounting::CountLoss(Loss why) const {
  options_.sink->CountLoss(EventKind::kCounter, why, 1);
}

// Null: for the reason `why`.
CounterJob* KernelCounting::Enter(const CounterSet* set, const DispatchRecord& kernel,
                                  const QueueIdentity& queue, bool gated, Loss* why) {
  const ReentryGuard guard;
  for (uint32_t ms = 0;; ++ms) {
    {
      const MutexLock lock(mutex_);
      Line* const line = LineOf(queue.queue);
      *why = Loss::kNotCountable;
      if (line == nullptr || stop_.load(std::memory_order_relaxed)) return nullptr;
      *why = Loss::kBacklog;
      if (in_flight_ < kMostJobs) {
        CounterJob* const job = line->device->Take(set, why);
        if (job == nullptr) return nullptr;
        uint32_t place = 0;
        while (jobs_[place] != nullptr) ++place;
        jobs_[place] = job;
        ++in_flight_;
        job->number = place + 1;
        job->queue = queue;
        job->kernel = kernel;
        if (!gated) {
          job->state = State::kRuns;
          if (line->device->running++ == 0) line->device->running_since = BootTimeNs();
        }
        (line->last == nullptr ? line->first : line->last->next) = job;
        line->last = job;
        return job;
      }
    }
    if (ms == kRoomMs) return nullptr;
    Ring();
    Nap(1'000'000);
  }
}

uint32_t KernelCounting::Surround(const AqlPacket& packet, const DispatchRecord* kernel,
                                  const QueueIdentity& queue, AqlPacket* out, uint32_t* number) {
  *number = 0;
  out[0] = packet;
  const CounterDevice* const device = DeviceOf(queue);
  if (device == nullptr || stop_.load(std::memory_order_relaxed)) return 1;
  uint64_t token = 0;
  const CounterSet* const set =
      kernel == nullptr ? nullptr : options_.user->Choose(*kernel, queue, &device->facts(), &token);
  const bool gated = device->queues > 1;
  if (set == nullptr && !gated) return 1;
  if (set != nullptr) options_.sink->CountSeen(EventKind::kCounter, 1);
  Loss why;
  CounterJob* const job =
      Enter(set, kernel == nullptr ? DispatchRecord() : *kernel, queue, gated, &why);
  if (job == nullptr) {
    if (set == nullptr) return 1;
    CountLoss(why);
    options_.user->NotCounted(token, why);
    return 1;
  }
  job->token = token;
  uint32_t count = 0;
  if (gated) {
    out[count++] = BarrierPacket({}, job->arrived);
    out[count++] = BarrierPacket(job->gate, {});
  }
  if (set != nullptr) out[count++] = CommandPacket(job->packets.start, {});
  out[count] = packet;
  out[count++].header |= kPacketBarrierBit;
  if (set != nullptr) {
    out[count++] = CommandPacket(job->packets.stop, {});
    out[count++] = CommandPacket(job->packets.read, job->done);
    *number = job->number;
  } else {
    out[count++] = BarrierPacket({}, job->done);
  }
  Ring();
  return count;
}

void KernelCounting::Uncountable(const DispatchRecord& kernel, const QueueIdentity& queue,
                                 Loss why) {
  uint64_t token = 0;
  const CounterDevice* const device = DeviceOf(queue);
  const NodeFacts* const facts = device == nullptr ? nullptr : &device->facts();
  if (options_.user->Choose(kernel, queue, facts, &token) == nullptr) return;
  options_.sink->CountSeen(EventKind::kCounter, 1);
  CountLoss(why);
  options_.user->NotCounted(token, why);
}

void KernelCounting::KernelEnded(uint32_t number, const DispatchRecord& kernel) {
  {
    const MutexLock lock(mutex_);
    CounterJob* const job = jobs_[number - 1];
    if (job == nullptr) return;
    job->kernel = kernel;
    job->ended = true;
    if (job->state != State::kRead) return;
  }
  Ring();
}

void KernelCounting::KernelLost(uint32_t number, Loss why) {
  {
    const MutexLock lock(mutex_);
    CounterJob* const job = jobs_[number - 1];
    if (job == nullptr) return;
    Lose(job, why);
    job->ended = true;
  }
  Ring();
}

// One that is read, and whose times are known; one that only took its turn needs none.
CounterJob* KernelCounting::NextToHandOut() {
  const MutexLock lock(mutex_);
  for (CounterJob* job : jobs_) {
    if (job != nullptr && job->state == State::kRead && (job->ended || job->plan == nullptr))
      return job;
  }
  return nullptr;
}

void KernelCounting::HandOut(CounterJob* job) {
  if (job->plan != nullptr) {
    const uint32_t count = job->lost ? 0 : job->device->Values(*job, room_->values, kMostValues);
    if (count == UINT32_MAX) {
      job->lost = true;
      job->why = Loss::kNotCountable;
    }
    if (job->lost) {
      CountLoss(job->why);
      options_.user->NotCounted(job->token, job->why);
    } else {
      options_.user->Counted(job->token, job->kernel, job->queue, room_->values, count);
    }
  }
  Recycle(job);
}

void KernelCounting::Recycle(CounterJob* job) {
  const MutexLock lock(mutex_);
  jobs_[job->number - 1] = nullptr;
  --in_flight_;
  job->device->Give(job);
}

bool KernelCounting::AnyToHandOut() {
  const MutexLock lock(mutex_);
  for (const CounterJob* job : jobs_) {
    if (job != nullptr && job->plan != nullptr && job->ended) return true;
  }
  return false;
}

bool KernelCounting::Settle() {
  if (!started_ || ThreadId::Current() == thread_id_.load(std::memory_order_relaxed)) return true;
  const uint64_t limit = BootTimeNs() + kSettleNs;
  while (AnyToHandOut() && !stopped_.load(std::memory_order_relaxed)) {
    if (BootTimeNs() >= limit) return false;
    Ring();
    Nap(50'000);
  }
  return true;
}

void KernelCounting::Stop(uint64_t budget_ns) {
  if (!started_ || stopped_.exchange(true, std::memory_order_acq_rel)) return;
  const uint64_t limit = BootTimeNs() + budget_ns;
  while (AnyToHandOut() && BootTimeNs() < limit) {
    Ring();
    Nap(50'000);
  }
  options_.api->signal_store_screlease(bell_, 0);
  stop_.store(true, std::memory_order_release);
  if (!JoinOwnThread(thread_, budget_ns + kSettleNs)) return;  // it ends with the process
  const MutexLock lock(mutex_);
  for (CounterDevice& device : room_->devices) {
    if (device.open()) device.Close();
  }
  memory_.Close();
  (void)options_.api->signal_destroy(bell_);  // refused: the runtime's to keep
}

// The application's kernels are not held any longer.
void KernelCounting::GiveUpRest() {
  for (CounterJob*& job : jobs_) {
    CounterJob* left;
    {
      const MutexLock lock(mutex_);
      left = job;
      job = nullptr;
      if (left != nullptr) options_.api->signal_store_screlease(left->gate, 0);
    }
    if (left == nullptr || left->plan == nullptr) continue;
    CountLoss(Loss::kShutdown);
    options_.user->NotCounted(left->token, Loss::kShutdown);
  }
}

}  // namespace rtl::capture
