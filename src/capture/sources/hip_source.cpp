// SPDX-License-Identifier: MIT
#include "capture/sources/hip_source.h"

#include <unistd.h>

#include "base/thread_state.h"
#include "capture/hip/hip_tables.h"
#include "capture/hip/undescribed_calls.h"

namespace rtl::capture {

HipSource::HipSource(Session* session, HipProfiler* profiler)
    : session_(session), profiler_(profiler) {
  session->Add(this);
}

HipCalls::Trace HipSource::Trace() const {
  const CaptureCounters counters = session_->output()->counters();
  const EventSet& events = session_->events();
  const bool compiler = events.Has(EventKind::kCompilerCall);
  return {session_->output()->sink(),
          counters.hip_calls_submitted,
          session_->clock(),
          events.Has(EventKind::kHipCall),
          compiler ? counters.compiler_calls_submitted : nullptr,
          counters.call_cells};
}

bool HipSource::WantsCalls() const {
  return session_->events().Has(EventKind::kHipCall) ||
         session_->events().Has(EventKind::kCompilerCall);
}

bool HipSource::Uses(HipMethod method) const {
  const HipMethod wish = session_->config().hip_method;
  return wish == HipMethod::kAuto || wish == method;
}

bool HipSource::TraceWants() { return session_->EnsureOpen() && TraceWillWant(); }

bool HipSource::TraceWillWant() {
  return session_->Plan() && WantsCalls() && session_->config().mode != Mode::kClr;
}

bool HipSource::ToolsWant() {
  const ToolSide* const tools = session_->tools();
  return tools != nullptr && tools->hip_calls() != nullptr && session_->ToolsAreAllowed() &&
         session_->config().hip_method != HipMethod::kNone;
}

bool HipSource::LinksKernels(bool trace, bool tools) {
  return (trace && WantsCalls()) || (tools && session_->tools()->hip_calls() != nullptr);
}

// Passes HIP calls to the parties that record them.
void HipSource::Arm() {
  if (session_->Recording() && TraceWants()) hip_.Record(Trace());
  if (ToolsWant()) hip_.Listen(session_->tools()->hip_calls());
}

// The first call that is to be recorded opens the trace. A fork before that call counts as a fork
// before the first use.
void HipSource::Await() {
  const EventSet& events = session_->events();
  hip_.Await(
      {OpenTrace, this, events.Has(EventKind::kHipCall), events.Has(EventKind::kCompilerCall)});
}

void HipSource::OpenTrace(void* source) {
  auto* const self = static_cast<HipSource*>(source);
  if (!self->session_->Usable()) return;
  const ReentryGuard guard;
  const MutexLock lock(self->session_->mutex());
  if (!self->TraceWants()) return self->hip_.StopAwaiting();
  self->Arm();
  self->session_->DescribeAgain();
}

void HipSource::BeginAnewInChild() {
  const bool recorded = hip_.recorded();
  hip_.BeginAnew();
  if (recorded) Await();
}

void HipSource::RuntimeReady() { Open(session_->config().hip_method); }

// HIP initialises the runtime before its first call begins, so this is early enough for that call.
void HipSource::Open(HipMethod wish) {
  if (session_->Recording() && session_->events().Has(EventKind::kInit)) {
    HipLibrary hip;
    if (hip.Find())
      session_->NoteRuntime(InitOperation::kHip, InitEvents::VersionOf(hip.major(), hip.minor()),
                            0);
  }
  const bool trace = session_->Recording() && TraceWants();
  const bool tools = ToolsWant();
  if ((!trace && !tools) || wish == HipMethod::kNone) return;
  Arm();
  if (!hip_.ShouldOpen()) return;
  const Status opened = hip_.Open(wish);
  if (opened.ok()) return;
  if (trace) Complain(opened);
  if (tools) Session::ComplainToTools("HIP calls are", opened);
}

void HipSource::Complain(const Status& why) {
  session_->warnings().Add("HIP calls are not recorded in process %d: %s",
                           static_cast<int>(getpid()), why.message());
}

bool HipSource::WantsProfiler() {
  const MutexLock lock(session_->mutex());
  return profiler_ != nullptr && session_->EnsureOpen() && session_->config().mode == Mode::kClr;
}

// Called at HIP's first call, before a runtime is loaded.
const HipCallHooks* HipSource::OpenPreload(const PreloadedCalls& calls) {
  if (!session_->Usable()) return nullptr;
  const ReentryGuard guard;
  if (WantsProfiler()) {
    prepared_by_.store(ThreadId::Current(), std::memory_order_relaxed);
    profiler_->Prepare();
    prepared_by_.store(0, std::memory_order_relaxed);
  }
  const MutexLock lock(session_->mutex());
  const HipCallHooks* hooks = nullptr;
  if (profiler_ != nullptr && session_->EnsureOpen() && session_->config().mode == Mode::kClr &&
      profiler_->TakesCalls(calls, &hooks))
    return hooks;
  if (!TraceWants() || !Uses(HipMethod::kPreload)) return nullptr;
  Arm();
  const Status opened = hip_.OpenPreload(calls, &hooks);
  if (!opened.ok()) Complain(opened);
  session_->DescribeAgain();
  return hooks;
}

const HipCallHooks* HipSource::OpenToolPreload(const PreloadedCalls& calls) {
  if (!session_->Usable()) return nullptr;
  const ReentryGuard guard;
  const MutexLock lock(session_->mutex());
  if (!ToolsWant() || !Uses(HipMethod::kPreload)) return nullptr;
  Arm();
  const HipCallHooks* hooks = nullptr;
  const Status opened = profiler_ != nullptr && profiler_->TakesPreload()
                            ? Status::Error("in mode clr HIP's own profiler has them")
                            : hip_.OpenPreload(calls, &hooks);
  if (!opened.ok()) Session::ComplainToTools("HIP calls are", opened);
  return hooks;
}

bool HipSource::OpenTable(const char* name, uint64_t version, void* table) {
  if (!session_->Usable()) return false;
  const ReentryGuard guard;
  const MutexLock lock(session_->mutex());
  if (!TraceWillWant() || !Uses(HipMethod::kRegister)) return false;
  session_->state() == Lifecycle::State::kNew ? Await() : Arm();
  const Status opened = hip_.OpenTable(name, version, table);
  // Calls of a second copy of HIP may come through librtl_hip.so. Whether they did is known at the
  // end.
  if (!opened.ok() && !HipTables::IsOfSecondCopy(name, table))
    session_->warnings().Add("HIP's table is not used in process %d: %s",
                             static_cast<int>(getpid()), opened.message());
  session_->DescribeAgain();
  return opened.ok();
}

bool HipSource::TakesTables() const {
  return session_->Usable() ||
         (prepared_by_.load(std::memory_order_relaxed) == ThreadId::Current() &&
          session_->state() != Lifecycle::State::kForked);
}

bool HipSource::OpenToolTable(const char* name, uint64_t version, void* table) {
  if (!TakesTables()) return false;
  const ReentryGuard guard;
  const MutexLock lock(session_->mutex());
  if (!ToolsWant() || !Uses(HipMethod::kRegister)) return false;
  Arm();
  const Status opened = hip_.OpenTable(name, version, table);
  if (!opened.ok() && !HipTables::IsOfSecondCopy(name, table))  // FinishTools reports a second copy
    Session::ComplainToTools("HIP calls are", opened);
  return opened.ok();
}

bool HipSource::TakesToolTables() {
  if (!TakesTables()) return false;
  const MutexLock lock(session_->mutex());
  return session_->ToolsAreAllowed() && Uses(HipMethod::kRegister);
}

void HipSource::OpenForTools() {
  if (!session_->Usable()) return;
  const ReentryGuard guard;
  const MutexLock lock(session_->mutex());
  if (ToolsWant()) Open(session_->config().hip_method);
}

void HipSource::OpenForLateTools() {
  if (!session_->Usable()) return;
  const ReentryGuard guard;
  const MutexLock lock(session_->mutex());
  const HipMethod wish = session_->config().hip_method;
  if (ToolsWant()) Open(wish == HipMethod::kAuto ? HipMethod::kMemory : wish);
}

void HipSource::OpenForTrace() {
  if (!session_->Usable()) return;
  const ReentryGuard guard;
  const MutexLock lock(session_->mutex());
  if (session_->EnsureOpen()) Open(session_->config().hip_method);
}

void HipSource::Leave() {
  const MutexLock lock(session_->mutex());
  hip_.Leave();
}

void HipSource::Finish() {
  if (!session_->Recording()) return;
  const bool trace = WantsCalls() && session_->config().mode != Mode::kClr;
  if (trace && hip_.missing() != nullptr) Complain(Status::Error("%s", hip_.missing()));
  constexpr auto kHip = UndescribedCalls::Api::kHip;
  if (const uint32_t called = UndescribedCalls::called(kHip); called != 0) {
    char numbers[160];
    UndescribedCalls::Describe(kHip, nullptr, numbers, sizeof numbers);
    Complain(
        Status::Error("those of %u functions that are newer than this tracer are counted only; "
                      "their numbers in HIP's table: %s",
                      called, numbers));
  }
  const Status untraced = trace ? Untraced() : Status::Ok();
  if (!untraced.ok()) Complain(untraced);
}

Status HipSource::Untraced() const {
  HipLibrary other;
  if (!hip_.FindUntraced(&other)) return Status::Ok();
  return Status::Error(
      "those of HIP %u.%u, the second one here, come by no interception method: %s", other.major(),
      other.minor(), other.path());
}

void HipSource::FinishTools() {
  if (!session_->Usable()) return;
  const ReentryGuard guard;
  const MutexLock lock(session_->mutex());
  if (!ToolsWant()) return;
  const bool said = session_->Recording() && WantsCalls() && session_->config().mode != Mode::kClr;
  if (said) return;  // the trace has reported it
  const Status untraced = Untraced();
  if (!untraced.ok()) Session::ComplainToTools("HIP calls are", untraced);
}

void HipSource::Stop() { hip_.listened_to() ? hip_.StopRecording() : hip_.Disarm(); }

}  // namespace rtl::capture
