// SPDX-License-Identifier: MIT
#include "capture/session/session.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include <new>

#include "base/clock.h"
#include "base/log.h"
#include "base/own_thread.h"
#include "base/thread_state.h"
#include "capture/hip/open_call.h"
#include "capture/hip/undescribed_calls.h"
#include "capture/roctx/pause.h"

namespace rtl::capture {
namespace {

using State = Lifecycle::State;

constexpr struct {
  const char* tables;
  InitOperation runtime;
} kRuntimes[] = {{"hip", InitOperation::kHip},
                 {"rccl", InitOperation::kRccl},
                 {"rocdecode", InitOperation::kRocdecode},
                 {"rocjpeg", InitOperation::kRocjpeg}};
// 4.1, as roctx_version_major and roctx_version_minor return it
constexpr uint64_t kRoctxVersion = 40'100;

// Functions of the AMD table from ROCm 6.0 on. Only the names of the last ones are known.
constexpr const char* kAmdFunctions[] = {
#include "spec/api/hsa_amd_ext_2.inc"
};

const char* AmdFunction(uint32_t number) {
  return number < sizeof kAmdFunctions / sizeof *kAmdFunctions ? kAmdFunctions[number] : nullptr;
}

}  // namespace

bool Session::Usable() const { return life_.state() != State::kForked && !ReentryGuard::Active(); }

bool Session::Plan() {
  if (plan_.made()) return !plan_.off();
  if (!plan_.Make()) return false;
  parties_.sinks()->SetFilter(counting_.counters()->filter());
  leaves_markers_.store(!events().Has(EventKind::kMarker), std::memory_order_relaxed);
  if (plan_.off() && !plan_.problem().ok()) {
    Warn("%s", plan_.problem().message());
    output_->SayRefused(config(), plan_.problem().message());
  }
  return !plan_.off();
}

void Session::ComplainToTools(const char* what, const Status& why) {
  Warn("%s not reported to tools in process %d: %s", what, static_cast<int>(getpid()),
       why.message());
}

bool Session::EnsureOpen() {
  if (life_.state() != State::kNew) return life_.open();
  if (!Plan()) {
    (void)life_.Advance(State::kNew, State::kOff);  // cannot fail, because the lock is held
    return false;
  }
  const Status opened = output_->Open(config());
  if (!opened.ok()) {
    // A user who traces a running program sees this in the output; stderr belongs to the program.
    if (!config().leaves)
      Warn("tracing is off in process %d: %s", static_cast<int>(getpid()), opened.message());
    no_output_ = true;
    (void)life_.Advance(State::kNew, State::kOff);  // cannot fail, because the lock is held
    return false;
  }
  if (!life_.Advance(State::kNew, State::kOpen)) return false;
  output_->SayEvents(events());
  if (!plan_.problem().ok()) warnings_.Add("%s", plan_.problem().message());
  init_.NoteRemembered(InitSink());
  return true;
}

RecordSink* Session::marker_sink() {
  RecordSink* const open = sink();
  if (open == nullptr) return nullptr;
  if (!noted_markers_.load(std::memory_order_relaxed)) [[unlikely]]
    NoteMarkers();
  return leaves_markers_.load(std::memory_order_relaxed) ? nullptr : open;
}

RecordSink* Session::sink() {
  switch (life_.state()) {
    case State::kOpen:
    case State::kTracing:
    case State::kStopped:
      return output_->sink();
    case State::kNew:
      break;
    case State::kForked:
      return &forked_sink_;
    default:
      return nullptr;
  }
  // Opening the trace calls libraries whose functions the application may have wrapped, with
  // markers, too.
  if (ReentryGuard::Active()) return nullptr;
  // a marker of a signal handler is recorded after the trace has opened
  const SignalsBlocked blocked;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  return EnsureOpen() ? output_->sink() : nullptr;
}

// Called when the program uses the runtime: it may load the libraries above the runtime later than
// the runtime.
void Session::OnRuntimeUse(void* data) {
  auto* const session = static_cast<Session*>(data);
  if (session->life_.state() == State::kForked) return;
  const ReentryGuard guard;
  const MutexLock lock(session->mutex_);
  if (!session->runtime_.hooked()) return;
  session->sources_.RuntimeReady();
  session->DescribeAgain();
}

// Fetches the last samples while the runtime still delivers them, and restores the tables unless
// OnUnload will be called.
void Session::OnLastShutDown(void* data) {
  auto* const session = static_cast<Session*>(data);
  if (session->life_.state() == State::kForked) return;
  const ReentryGuard guard;
  const MutexLock lock(session->mutex_);
  if (session->state() == State::kTracing) session->counting_.EndSamples();
  if (session->runtime_.EndsAtShutDown()) session->Unhook();
}

bool Session::OnLoad(void* root_table, LoadedBy loaded_by, bool running) {
  if (life_.state() == State::kForked) return false;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  met_runtime_.store(true, std::memory_order_relaxed);
  if (!EnsureOpen()) return false;
  if (sources_.ReplaceHooks()) return true;
  if (life_.state() == State::kTracing && root_table == runtime_.root_table()) return true;
  if (life_.state() == State::kStopped) {
    parties_.MeetOther(Party::kTrace);
    warnings_.Add("%s", kSecondRuntimeWarning);
    return false;
  }
  if (!runtime_.Join(Party::kTrace, root_table, loaded_by, running)) return false;
  if (const uint64_t version = runtime_.Version(); version != 0)
    InitEvents::Write(InitSink(), InitOperation::kHsa, version, parties_.others(Party::kTrace));
  sources_.RuntimeReady();
  runtime_.Describe();
  return life_.Advance(State::kOpen, State::kTracing);
}

bool Session::OnToolLoad(void* root_table, LoadedBy loaded_by, bool running) {
  if (life_.state() == State::kForked) return false;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  met_runtime_.store(true, std::memory_order_relaxed);
  if (!ToolsAreAllowed()) return false;
  if (!runtime_.Join(Party::kTools, root_table, loaded_by, running)) return false;
  sources_.RuntimeReady();
  return true;
}

void Session::OpenToolHsa(void* root_table, bool refused) {
  if (life_.state() == State::kForked) return;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  met_runtime_.store(true, std::memory_order_relaxed);
  if (parties_.In(Party::kTools)) return;
  if (!runtime_.IsAnother(root_table)) return runtime_.ReportCalls(root_table);
  if (refused) return;
  parties_.MeetOther(Party::kTools);
  warnings_.Add("HSA calls of a second HSA runtime in this process are not reported to tools");
}

[[gnu::cold]] void Session::NoteMarkers() {
  if (ReentryGuard::Active() || noted_markers_.exchange(true, std::memory_order_relaxed)) return;
  const SignalsBlocked blocked;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  InitEvents::Write(InitSink(), InitOperation::kRoctx, kRoctxVersion, 0);
}

void Session::NoteTables(const char* name, uint64_t version, uint64_t instance) {
  if (life_.state() == State::kForked || ReentryGuard::Active()) return;
  for (const auto& each : kRuntimes) {
    if (strcmp(each.tables, name) != 0) continue;
    const ReentryGuard guard;
    const MutexLock lock(mutex_);
    // HIP may register when it is loaded. Only the first use opens the trace, so the library is
    // remembered.
    if (!Plan() || !init_.Remember(each.runtime, version, instance)) return;
    if (life_.state() != State::kNew && EnsureOpen()) NoteRuntime(each.runtime, version, instance);
    return;
  }
}

// Ends the engine. Events that its hooks see afterwards are counted as lost.
void Session::StopEngine() {
  if (life_.state() != State::kTracing) return;
  counting_.EndSamples();
  engine_.Stop();
  // Fails only in the child of a fork, where there is nothing to stop.
  (void)life_.Advance(State::kTracing, State::kStopped);
}

// Waits without the lock, so that threads of the application can go on.
void Session::Settle() {
  const State now = life_.state();
  if (now == State::kTracing) engine_.capture.AwaitEnds();
  if (now == State::kForked) return;
  const ReentryGuard guard;
  if (now == State::kTracing) engine_.sampler.Flush();
  const MutexLock lock(mutex_);
  sources_.StopLoneOnes();
}

void Session::StopTools(bool (*in_flight)(void* data), void* data) {
  if (life_.state() == State::kForked) return;
  uint64_t until;
  {
    const ReentryGuard guard;
    const MutexLock lock(mutex_);
    if (!parties_.In(Party::kTools)) return;
    if (life_.state() != State::kTracing) return engine_.Stop();
    until = BootTimeNs() + config().exit_budget_ns;
  }
  // Without the lock, because another thread calls the watcher meanwhile.
  while (SettleEnded() && in_flight(data) && BootTimeNs() < until) {
    const timespec pause = {0, 1'000'000};
    (void)nanosleep(&pause, nullptr);  // if interrupted, the loop checks once more
  }
}

void Session::Unhook() {
  const bool hooked = runtime_.hooked();
  if (hooked) {
    if (parties_.In(Party::kTools)) parties_.tools()->RuntimeGone();
    StopEngine();
  }
  runtime_.Unhook();
  if (hooked && life_.state() == State::kStopped)
    (void)life_.Advance(State::kStopped, State::kOpen);
}

void Session::Unload(Party party) {
  if (life_.state() == State::kForked) return;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  if (!parties_.ForgetOther(party)) Unhook();
}

void Session::SayUndescribed() {
  constexpr auto kHsa = UndescribedCalls::Api::kHsa;
  const uint32_t called = UndescribedCalls::called(kHsa);
  if (called == 0) return;
  char functions[240];
  UndescribedCalls::Describe(kHsa, AmdFunction, functions, sizeof functions);
  UndescribedCalls::Forget(kHsa);
  warnings_.Add(
      "HSA calls are not recorded in process %d: those of %u function%s that %s newer than this "
      "tracer are counted only: %s",
      static_cast<int>(getpid()), called, called == 1 ? "" : "s", called == 1 ? "is" : "are",
      functions);
}

void Session::Leave() {
  if (life_.state() == State::kForked) return;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  // The wrappers of calls are removed first: they lie above the hooks in the table, and a hook
  // below a wrapper would stay.
  runtime_.RemoveCallHooks();
  // Kernels are stopped before calls of HIP, so that each recorded kernel has its call.
  engine_.capture.BeginToLeave();
  sources_.Stop();
  if (runtime_.hooked()) {
    runtime_.Leave();
    // Fails only in the child of a fork.
    (void)life_.Advance(State::kTracing, State::kStopped);
  }
  const State now = life_.state();
  if (now != State::kOpen && now != State::kStopped) return;
  SayUndescribed();
  if (life_.Advance(now, State::kFinished)) output_->Finish();
}

void Session::Finish() {
  if (!life_.open()) return;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  sources_.Finish();
  SayUndescribed();
  StopEngine();
  if (output_->TakesMore()) return output_->Finish();
  engine_.call_hooks.StopRecording();
  engine_.scratch.Disarm();
  sources_.Stop();
  const State stopped = life_.state();
  if (stopped == State::kFinished || stopped == State::kForked) return;
  // The state changes first, so that late markers are rejected and not counted after the counters
  // are final.
  if (!life_.Advance(stopped, State::kFinished)) return;
  output_->Finish();
}

// Called if the parent has used no runtime: the child only gives up the parent's trace. Other
// threads of the parent may have been inside this session.
void Session::BeginAnewInChild() {
  const bool quiet = mutex_.TryLock();
  if (quiet) mutex_.Unlock();
  new (&mutex_) Mutex(Rank::kSession);
  if (!quiet) plan_.Forget();
  no_output_ = false;
  noted_markers_.store(false, std::memory_order_relaxed);
  init_.BeginAnewInChild();
  parties_.UseTools(nullptr);
  output_->BeginAnewInChild();
  life_.BeginAnew();
  sources_.BeginAnewInChild();
}

void Session::OnForkInChild() {
  const uint32_t thread = ThreadId::Current();
  ThreadId::OnForkInChild();
  Pause::OnForkInChild(thread, ThreadId::Current());
  OpenCall::OnForkInChild();
  Markers::OnForkInChild();
  const State of_parent = life_.state();
  const bool off = of_parent == State::kOff && !no_output_;
  const bool anew = !met_runtime_.load(std::memory_order_relaxed) && !ReentryGuard::Active();
  if (anew && !off && of_parent != State::kForked) return BeginAnewInChild();
  life_.Fork();
  sources_.DisarmInChild();
  engine_.DisarmInChild();
}

}  // namespace rtl::capture
