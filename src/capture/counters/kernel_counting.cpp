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
  // the thread only compares the value with its own id
  thread_id_.store(ThreadId::Current(), std::memory_order_relaxed);
  while (!stop_.load(std::memory_order_acquire)) {
    Wait();
    Look();
    HandOutAll();
  }
  GiveUpRest();
}

void KernelCounting::Ring() { bell_.RingUrgent(); }

// Returns the signal that is likely to change next: the end of the kernel that runs, or else the
// arrival of a queue at a gate. Returns no signal if no queue waits.
hsa_signal_t KernelCounting::NextSignal() {
  const MutexLock lock(mutex_);
  hsa_signal_t next = {};
  for (uint32_t i = 0; i < line_count_; ++i) {
    const CounterJob* const job = lines_[i].first;
    if (job == nullptr || !job->gated || job->state == State::kArrived) continue;
    if (job->state != State::kRuns) {
      next = job->arrived;
      continue;
    }
    const CounterJob* last = job;  // the last job of the queue's turn
    while (last->next != nullptr && last->next->state == State::kRuns) last = last->next;
    return last->Done();
  }
  return next;
}

// Waits for one signal only and polls the others soon after. ROCm 7.2's wait for several signals
// writes past its memory when a later signal changes, and reads past it on a timeout.
void KernelCounting::Wait() {
  const hsa_signal_t signal = NextSignal();
  if (signal.handle != 0) {
    (void)options_.api->signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_LT, 1, kSoonNs,
                                              HSA_WAIT_STATE_BLOCKED);  // the result is not needed
    return;
  }
  idle_looks_ = in_flight_.load(std::memory_order_relaxed) == 0 ? idle_looks_ + 1 : 0;
  if (idle_looks_ < kIdleLooks) return bell_.Sleep(kPollNs);
  // Either the thread that makes a job sees idle_, or this thread sees the job in in_flight_.
  idle_.store(true, std::memory_order_seq_cst);
  if (in_flight_.load(std::memory_order_seq_cst) == 0) bell_.Sleep(kIdleNs);
  idle_.store(false, std::memory_order_relaxed);
}

void KernelCounting::Look() {
  const MutexLock lock(mutex_);
  for (uint32_t i = 0; i < line_count_; ++i) {
    while (LookAt(&lines_[i])) {
    }
  }
  TakeTurns(BootTimeNs());  // after the finished jobs, which set `running_since` themselves
}

// Advances the state of the queue's first job. True if the job is finished, so the next one may be,
// too.
bool KernelCounting::LookAt(Line* line) {
  CounterJob* const job = line->first;
  if (job == nullptr) return false;
  const HsaApi& api = *options_.api;
  if (job->state == State::kSubmitted && api.signal_load_scacquire(job->arrived) < 1) {
    job->state = State::kArrived;
    job->since = BootTimeNs();
  }
  if (job->state != State::kRuns || api.signal_load_scacquire(job->Done()) >= 1) return false;
  line->first = job->next;
  if (line->first == nullptr) line->last = nullptr;
  Finish(job);
  return true;
}

// Removes a job whose counters have been read, or that has had its turn.
void KernelCounting::Finish(CounterJob* job) {
  CounterDevice* const device = job->device;
  if (--device->running == 0) device->mixed = false;
  device->running_since = BootTimeNs();  // the bound of the remaining kernels starts now
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

// Gives one turn to kernels whose packets follow each other in the queue without a gap. No packet
// between them waits, so the queue reaches each of them, and the thread need not wake up for each.
void KernelCounting::AdmitTurn(CounterJob* first, uint64_t now) {
  Admit(first, now);
  const CounterJob* last = first;
  for (uint32_t i = 1; i < kTurn && last->packet != UINT64_MAX; ++i) {
    CounterJob* const job = last->next;
    if (job == nullptr || job->state != State::kSubmitted || job->packet != last->packet + 1)
      return;
    Admit(job, now);
    last = job;
  }
}

// Gives the turn to the queue that has waited longest.
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
    AdmitTurn(next, now);
  }
}

// Suspends the turns: the running kernels have exceeded the bound, and they may be waiting for
// kernels of the queues that wait.
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
    if (stop_.load(std::memory_order_relaxed)) return;  // AMD's library may be unloaded
    const Status opened = device.Open(&library_, &memory_, options_.api, queue.hsa_agent);
    if (!opened.ok()) return Warn("kernels are not counted: %s", opened.message());
  }
  (void)device.queues.fetch_add(1, std::memory_order_relaxed);
  Line* line = LineOf(0);
  if (line == nullptr && line_count_ < kMostQueues) line = &lines_[line_count_++];
  if (line != nullptr) *line = {queue.queue, &device, nullptr, nullptr};
}

bool KernelCounting::Busy(uint32_t queue) {
  const MutexLock lock(mutex_);
  const Line* const line = LineOf(queue);
  return line != nullptr && line->first != nullptr;
}

// Packets after the queue's last kernel may not have been processed. They are lost with the queue.
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
  (void)line->device->queues.fetch_sub(1, std::memory_order_relaxed);
  *line = Line();
  Ring();
}

// Takes a job and appends it to the line. Returns null on failure, for the reason `why`.
CounterJob* KernelCounting::EnterNow(const CounterSet* set, Line* line, bool gated, uint64_t packet,
                                     Loss* why) {
  CounterJob* const job = line->device->Take(set, gated, why);
  if (job == nullptr) return nullptr;
  const uint32_t number = free_count_ != 0 ? free_numbers_[--free_count_] : numbers_++;
  jobs_[number] = job;
  (void)in_flight_.fetch_add(1, std::memory_order_seq_cst);
  job->number = number + 1;
  job->packet = packet;
  if (!gated) {
    job->state = State::kRuns;
    if (line->device->running++ == 0) line->device->running_since = BootTimeNs();
  }
  (line->last == nullptr ? line->first : line->last->next) = job;
  line->last = job;
  return job;
}

// EnterNow, but waits up to kRoomMs if too many kernels are in flight. Null for the reason `why`.
CounterJob* KernelCounting::Enter(const CounterSet* set, const QueueIdentity& queue, bool gated,
                                  uint64_t packet, Loss* why) {
  const ReentryGuard guard;
  for (uint32_t ms = 0;; ++ms) {
    {
      const MutexLock lock(mutex_);
      Line* const line = LineOf(queue.queue);
      *why = Loss::kNotCountable;
      if (line == nullptr) return nullptr;
      *why = Loss::kShutdown;
      if (stop_.load(std::memory_order_relaxed)) return nullptr;
      *why = Loss::kBacklog;
      if (in_flight_.load(std::memory_order_relaxed) < kMostJobs)
        return EnterNow(set, line, gated, packet, why);
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
  if (device == nullptr) return 1;
  if (stop_.load(std::memory_order_relaxed)) {
    if (kernel != nullptr) Uncountable(*kernel, queue, Loss::kShutdown);
    return 1;
  }
  uint64_t token = 0;
  const CounterSet* const set =
      kernel == nullptr ? nullptr : options_.user->Choose(*kernel, queue, &device->facts(), &token);
  const bool gated = device->queues.load(std::memory_order_relaxed) > 1;
  if (set == nullptr && !gated) return 1;
  Loss why;
  const uint64_t index = kernel == nullptr ? UINT64_MAX : kernel->packet;
  CounterJob* const job = Enter(set, queue, gated, index, &why);
  if (job == nullptr) {
    if (set != nullptr) options_.user->NotCounted(token, why);
    return 1;
  }
  job->token = token;
  job->queue = queue;
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
    out[count++] = CommandPacket(job->packets.read, job->Done());
    *number = job->number;
  } else {
    out[count++] = BarrierPacket({}, job->Done());
  }
  if (idle_.load(std::memory_order_seq_cst)) Ring();
  return count;
}

void KernelCounting::Uncountable(const DispatchRecord& kernel, const QueueIdentity& queue,
                                 Loss why) {
  uint64_t token = 0;
  const CounterDevice* const device = DeviceOf(queue);
  const NodeFacts* const facts = device == nullptr ? nullptr : &device->facts();
  if (options_.user->Choose(kernel, queue, facts, &token) == nullptr) return;
  options_.user->NotCounted(token, why);
}

void KernelCounting::KernelEnded(uint32_t number, const DispatchRecord& kernel) {
  const MutexLock lock(mutex_);
  CounterJob* const job = jobs_[number - 1];
  if (job == nullptr) return;
  job->kernel = kernel;
  job->ended = true;
}

void KernelCounting::KernelLost(uint32_t number, Loss why) {
  const MutexLock lock(mutex_);
  CounterJob* const job = jobs_[number - 1];
  if (job == nullptr) return;
  Lose(job, why);
  job->ended = true;
}

// Reports all kernels whose values are read and whose times are known. Jobs that only took their
// turn are freed without times.
void KernelCounting::HandOutAll() {
  CounterJob* ready[kBatch];
  uint32_t count = kBatch;
  for (uint32_t from = 0; count == kBatch;) {
    count = 0;
    {
      const MutexLock lock(mutex_);
      for (; from < numbers_ && count < kBatch; ++from) {
        CounterJob* const job = jobs_[from];
        if (job != nullptr && job->state == State::kRead && (job->ended || job->plan == nullptr))
          ready[count++] = job;
      }
    }
    for (uint32_t i = 0; i < count; ++i) HandOut(ready[i]);
    const MutexLock lock(mutex_);
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t number = ready[i]->number - 1;
      jobs_[number] = nullptr;
      free_numbers_[free_count_++] = static_cast<uint16_t>(number);
      (void)in_flight_.fetch_sub(1, std::memory_order_relaxed);
      ready[i]->device->Give(ready[i]);
    }
  }
}

void KernelCounting::HandOut(CounterJob* job) {
  if (job->plan == nullptr) return;
  const uint32_t count = job->lost ? 0 : job->device->Values(*job, room_->values, kMostValues);
  if (count == UINT32_MAX) {
    job->lost = true;
    job->why = Loss::kNotCountable;
  }
  if (job->lost) {
    options_.user->NotCounted(job->token, job->why);
  } else {
    options_.user->Counted(job->token, job->kernel, job->queue, room_->values, count);
  }
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
  if (!started_) return;
  const uint64_t limit = BootTimeNs() + budget_ns;
  if (stopped_.exchange(true, std::memory_order_acq_rel)) {
    // Another thread is in Stop. Waits for it, because the caller may shut the runtime down
    // afterwards.
    while (!over_.load(std::memory_order_acquire) && BootTimeNs() < limit + kSettleNs) Nap(50'000);
    return;
  }
  Close(budget_ns, limit);
  over_.store(true, std::memory_order_release);
}

void KernelCounting::Close(uint64_t budget_ns, uint64_t limit) {
  while (AnyToHandOut() && BootTimeNs() < limit) {
    Ring();
    Nap(50'000);
  }
  stop_.store(true, std::memory_order_release);
  Ring();
  if (!JoinOwnThread(thread_, budget_ns + kSettleNs)) return;  // it ends with the process
  const MutexLock lock(mutex_);
  for (CounterDevice& device : room_->devices) {
    if (device.open()) device.Close();
  }
  memory_.Close();
}

// Opens the gates of the remaining kernels, so that the application's kernels are no longer held.
void KernelCounting::GiveUpRest() {
  for (CounterJob*& job : jobs_) {
    CounterJob* left;
    {
      const MutexLock lock(mutex_);
      left = job;
      job = nullptr;
      if (left != nullptr && left->gated) options_.api->signal_store_screlease(left->gate, 0);
    }
    if (left == nullptr || left->plan == nullptr) continue;
    options_.user->NotCounted(left->token, Loss::kShutdown);
  }
}

}  // namespace rtl::capture
