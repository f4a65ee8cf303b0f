// SPDX-License-Identifier: MIT
#include "capture/clr/clr_capture.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/own_thread.h"
#include "base/thread_state.h"
#include "capture/clr/self_read.h"

namespace rtl::capture {
namespace {

constexpr size_t kStackBytes = 1024 * 1024;  // HIP's own functions run on this stack
constexpr size_t kMostChunks = 1'000'000;

constexpr uint64_t kStepNs = 200'000;

// Processor time of the calling thread.
uint64_t ThreadTimeNs() {
  timespec now = {};
  (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);  // this clock always exists
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace

constinit ClrCapture* ClrCapture::installed_ = nullptr;

// An error needs no handling here: Probe reports the reason later.
void ClrCapture::Prepare() {
  if (library_.Find().ok()) library_.FillTables();
}

Status ClrCapture::Probe() {
  RTL_TRY(library_.Find());
  if (!SelfReadWorks()) {
    return Status::Error(
        "this system lets no process read itself (process_vm_readv), without which "
        "what HIP's profiler says cannot be checked");
  }
  char other[128];
  if (ClrLibrary::OtherTool(other, sizeof other)) {
    return Status::Error(
        "HIP reports its activities to one tool only, and this process has another: %s", other);
  }
  return Status::Ok();
}

Status ClrCapture::Open(const Options& options, const HipCallHooks** hooks) {
  static constexpr HipCallHooks kHooks = {OnEnter, OnExit};
  options_ = options;
  RTL_TRY(Probe());
  options_.services.library = &library_;
  installed_ = this;
  {
    const MutexLock lock(mutex_);
    RTL_TRY(records_.Open(options_.services));
  }
  RTL_TRY(SwitchOn());
  Describe();
  *hooks = nullptr;
  late_.Update([] { return false; });
  for (size_t i = 0; i < options.calls.count && i < kMaxCalls; ++i) {
    const char* const name = options.calls.names[i];
    if (strstr(name, "LaunchKernel") != nullptr || strstr(name, "LaunchCoop") != nullptr)
      launches_[i] = Launches::kKernel;
    if (strcmp(name, "hipGraphLaunch") == 0) launches_[i] = Launches::kGraph;
  }
  if (library_.form() == ClrForm::kStreaming) {
    // If the thread cannot start, all records are read at the end.
    looks_ = StartOwnThread("rtl-clr", LookMain, this, &looker_).ok();
    return Status::Ok();
  }
  for (size_t i = 0; i < options.calls.count && i < kMaxCalls; ++i) {
    waits_[i] = strstr(options.calls.names[i], "Synchronize") != nullptr;
  }
  *hooks = &kHooks;
  return Status::Ok();
}

// Switches HIP's profiler on and makes one test call, which shows the profiler's clock.
Status ClrCapture::SwitchOn() {
  const ClrClockSample start = SampleClrClocks();
  const int32_t error = library_.Enable(&first_);
  if (error != 0) return Status::Error("HIP's profiler cannot be switched on (error %d)", error);
  state_.store(State::kRecording, std::memory_order_release);
  const ClrClockSample before = SampleClrClocks();
  // The result of the call does not matter: only its record is used.
  if (library_.harmless_call() != nullptr) (void)library_.harmless_call()();
  const ClrClockSample after = SampleClrClocks();
  const bool has_call = library_.harmless_call() != nullptr;
  const MutexLock lock(mutex_);
  records_.BeginClock(has_call ? before : start, after, ThreadId::Current());
  return library_.form() == ClrForm::kStreaming ? live_.Open(&library_, &records_, first_)
                                                : Status::Ok();
}

void ClrCapture::Describe() {
  (void)snprintf(description_, sizeof description_, "HIP's built-in profiler (%s)",
                 ClrFormName(library_.form()));
}

void* ClrCapture::LookMain(void* data) {
  auto* const self = static_cast<ClrCapture*>(data);
  const ReentryGuard guard;
  while (self->end_looks_.load(std::memory_order_acquire) == 0) {
    const uint64_t start = ThreadTimeNs();
    {
      const MutexLock lock(self->mutex_);
      self->live_.Look(false);
    }
    uint64_t wait = (ThreadTimeNs() - start) * kLookShare;
    if (wait < kLookNs) wait = kLookNs;
    if (wait > kMostLookNs) wait = kMostLookNs;
    const timespec left = {0, static_cast<long>(wait)};
    (void)syscall(SYS_futex, &self->end_looks_, FUTEX_WAIT_PRIVATE, 0, &left, nullptr, 0);
  }
  return nullptr;
}

void ClrCapture::StopLooking() {
  if (!looks_) return;
  looks_ = false;
  end_looks_.store(1, std::memory_order_release);
  (void)syscall(SYS_futex, &end_looks_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  (void)JoinOwnThread(looker_, options_.drain_ns);  // if late, it ends by itself
}

// HOT: once per call, in the forms whose records stay in HIP until the tracer fetches them.
void* ClrCapture::OnEnter(uint32_t place, const uint64_t*) {
  ClrCapture* const self = installed_;
  if (self->forked_.load(std::memory_order_relaxed) || ReentryGuard::Active()) return nullptr;
  const State state = self->state_.load(std::memory_order_acquire);
  if (state == State::kClosed) return nullptr;
  self->watched_.fetch_add(1, std::memory_order_relaxed);
  if (state != State::kRecording) return nullptr;
  self->under_way_.fetch_add(1, std::memory_order_seq_cst);
  // Checks the state again: a thread that has just switched the profiler off may have missed this
  // call in under_way_.
  if (self->state_.load(std::memory_order_seq_cst) == State::kRecording) [[likely]] {
    return &self->waits_[place < kMaxCalls ? place : 0];
  }
  self->under_way_.fetch_sub(1, std::memory_order_seq_cst);
  return nullptr;
}

// Counts a call after the trace has ended, and the kernels that it launches, except those of
// graphs.
void* ClrCapture::OnLate(uint32_t place, const uint64_t*) {
  ClrCapture* const self = installed_;
  if (ReentryGuard::Active()) return nullptr;
  const Loss why =
      self->forked_.load(std::memory_order_relaxed) ? Loss::kForked : Loss::kProfilerOff;
  const ClrRecords::Services& services = self->options_.services;
  (void)services.calls_submitted->fetch_add(1, std::memory_order_relaxed);
  services.sink->CountLoss(EventKind::kHipCall, why, 1);
  const Launches what = place < kMaxCalls ? self->launches_[place] : Launches::kNothing;
  if (what == Launches::kGraph) (void)self->late_graphs_.fetch_add(1, std::memory_order_relaxed);
  if (what == Launches::kKernel) {
    services.sink->CountSubmitted(EventKind::kKernel, 1);
    services.sink->CountLoss(EventKind::kKernel, why, 1);
  }
  return nullptr;
}

// Counts the calls that were seen but have no record from HIP. Only HIP knows whether the profiler
// was on when a call began, so they are counted after the last record.
void ClrCapture::CountUnwatched() {
  if (library_.form() == ClrForm::kStreaming) return records_.CloseLive(UINT64_MAX);
  records_.Close(watched_.load(std::memory_order_relaxed),
                 under_way_.load(std::memory_order_relaxed));
}

// Without a reset recording ends at the first pause, so that pause comes later.
uint64_t ClrCapture::PauseEvery() const {
  return library_.can_reset() ? options_.pause_every : 5 * options_.pause_every;
}

void ClrCapture::OnExit(void* entered, const uint64_t*, int32_t, bool) {
  ClrCapture* const self = installed_;
  self->under_way_.fetch_sub(1, std::memory_order_seq_cst);
  const uint64_t calls = self->calls_.fetch_add(1, std::memory_order_relaxed) + 1;
  const uint64_t many = self->PauseEvery();
  const bool waited = *static_cast<const bool*>(entered);
  if (calls >= 2 * many || (waited && calls >= many)) [[unlikely]]
    self->Pause();
}

// Cold. The first thread that arrives starts a thread for the pause; the application continues.
void ClrCapture::Pause() {
  if (state_.load(std::memory_order_relaxed) != State::kRecording || pausing_.exchange(true)) {
    return;
  }
  const int error_number = errno;  // the application's
  pthread_t thread;
  const Status started = StartOwnThread("rtl-clr", PauseMain, this, &thread, kStackBytes);
  if (started.ok()) {
    (void)pthread_detach(thread);
  } else {
    calls_.store(0, std::memory_order_relaxed);  // tried again after `pause_every` more calls
    pausing_.store(false);
  }
  errno = error_number;
}

void* ClrCapture::PauseMain(void* data) {
  auto* const self = static_cast<ClrCapture*>(data);
  const ReentryGuard guard;
  State recording = State::kRecording;
  if (!self->state_.compare_exchange_strong(recording, State::kPaused)) return nullptr;
  uint64_t behind = 0;
  const bool stopped = self->library_.Disable(&behind) == 0;
  self->disabled_.store(stopped, std::memory_order_release);
  const bool quiet = stopped && self->WaitUntilNoneIsUnderWay();
  if (quiet) self->TakeOut();
  self->taken_out_.store(quiet);
  // Resets HIP's profiler only while no call can be writing records, and not at exit.
  State paused = State::kPaused;
  const bool goes_on = quiet && self->library_.can_reset() && self->state_.load() == paused;
  bool on = goes_on && self->library_.Reset() == 0;
  if (on && self->state_.load() == paused) {
    self->disabled_.store(false, std::memory_order_release);
    on = self->library_.Enable(&behind) == 0;
    self->calls_.store(0, std::memory_order_relaxed);
    if (on) self->taken_out_.store(false);
    if (on && !self->state_.compare_exchange_strong(paused, State::kRecording)) {
      (void)self->library_.Disable(&behind);  // Stop was called meanwhile
    }
  }
  if (!on) (void)self->state_.compare_exchange_strong(paused, State::kOff);
  self->pausing_.store(false, std::memory_order_release);
  return nullptr;
}

bool ClrCapture::WaitUntilNoneIsUnderWay() const {
  const uint64_t deadline = BootTimeNs() + kUnderWayNs;
  while (under_way_.load(std::memory_order_seq_cst) != 0) {
    if (BootTimeNs() >= deadline) return false;
    Nap(kStepNs);
  }
  return true;
}

void ClrCapture::TakeFlat() {
  const void* records = nullptr;
  size_t count = 0;
  if (library_.GetFlat(&records, &count) != 0 || count == 0) return;
  const auto address = reinterpret_cast<uint64_t>(records);
  uint8_t head[kMaxClrCallBytes] = {};
  const size_t readable = SelfRead(address, head, sizeof head);
  (void)records_.AddSlab(TellFlatForm(head, readable, count), address, count);
}

void ClrCapture::TakeChunks() {
  const void* const* chunks = nullptr;
  size_t chunk_count = 0, chunk_size = 0, total = 0;
  if (library_.GetChunks(&chunks, &chunk_count, &chunk_size, &total) != 0) return;
  const size_t chunks_there = chunk_count < kMostChunks ? chunk_count : kMostChunks;
  for (size_t i = 0; i < chunks_there && i * chunk_size < total && !records_.closed(); ++i) {
    const size_t left = total - i * chunk_size;
    const size_t count = left < chunk_size ? left : chunk_size;
    uint64_t chunk = 0;
    const auto place = reinterpret_cast<uint64_t>(chunks + i);
    const bool there = SelfRead(place, &chunk, sizeof chunk) == sizeof chunk && chunk != 0;
    if (there) {
      (void)records_.AddSlab(library_.form(), chunk, count);
    } else {
      records_.CountLost(Loss::kProfilerLost, count);
    }
  }
}

void ClrCapture::TakeOut() {
  const MutexLock lock(mutex_);
  if (library_.form() == ClrForm::kStreaming) {
    live_.Look(true);
    records_.CloseLive(live_.open());
  } else if (library_.form() == ClrForm::kFlat) {
    TakeFlat();
  } else {
    TakeChunks();
  }
}

void* ClrCapture::StopMain(void* data) {
  auto* const self = static_cast<ClrCapture*>(data);
  const ReentryGuard guard;
  uint64_t behind = 0;
  (void)self->library_.Disable(&behind);
  self->disabled_.store(true, std::memory_order_release);
  // Calls that do not return are waiting inside HIP. Their records are complete by now.
  (void)self->WaitUntilNoneIsUnderWay();
  if (!self->taken_out_.load()) self->TakeOut();
  self->CountUnwatched();
  return nullptr;
}

// Called when HIP does not return from Disable, or when reading afterwards takes too long.
void ClrCapture::LookOnceMore() {
  if (library_.form() != ClrForm::kStreaming || !mutex_.TryLock()) return;
  live_.Look(false);
  mutex_.Unlock();
}

void ClrCapture::SayWhatWasFound() {
  const MutexLock lock(mutex_);
  if (records_.met() == 0) return;
  if (!records_.clock().chosen()) {
    (void)snprintf(warning_, sizeof warning_,
                   "the times of HIP's profiler are of an unknown clock; none of its records "
                   "has a time");
  } else if (records_.threads_are_hashed()) {
    (void)snprintf(warning_, sizeof warning_,
                   "HIP's profiler numbers threads in its own way: thread ids of calls are not the "
                   "kernel's");
  }
  (void)snprintf(description_, sizeof description_, "HIP's built-in profiler (%s), times of %s",
                 ClrFormName(library_.form()), records_.clock().name());
}

void ClrCapture::Stop(uint64_t exit_budget_ns) {
  if (forked_.load(std::memory_order_relaxed)) return;
  const uint64_t start = BootTimeNs();
  while (pausing_.load(std::memory_order_acquire)) {
    const uint64_t limit =
        disabled_.load(std::memory_order_acquire) ? options_.drain_ns : exit_budget_ns;
    if (BootTimeNs() - start >= limit) break;
    Nap(kStepNs);
  }
  const State before = state_.load();
  if (before == State::kClosed) return;
  StopLooking();
  bool ended = false;
  const uint64_t budget_end = BootTimeNs() + exit_budget_ns;
  disabled_.store(false, std::memory_order_release);
  pthread_t thread;
  if (before != State::kPaused &&
      StartOwnThread("rtl-clr", StopMain, this, &thread, kStackBytes).ok()) {
    while (!disabled_.load(std::memory_order_acquire) && BootTimeNs() < budget_end) Nap(kStepNs);
    ended =
        JoinOwnThread(thread, disabled_.load(std::memory_order_acquire) ? options_.drain_ns : 0);
  }
  CountLate();
  state_.store(State::kClosed, std::memory_order_release);
  if (ended) {
    SayWhatWasFound();
  } else {
    LookOnceMore();
    CountUnwatched();  // later reads are not counted
    (void)snprintf(
        warning_, sizeof warning_,
        "HIP's profiler did not come to an end in time; its remaining records are not in the "
        "trace");
  }
}

}  // namespace rtl::capture
