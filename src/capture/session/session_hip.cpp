// SPDX-License-Identifier: MIT
// The part of the session for HIP and RCCL: who records their calls, with which method.
#include <stdio.h>
#include <unistd.h>

#include "base/log.h"
#include "base/thread_state.h"
#include "capture/rccl/rccl_tables.h"
#include "capture/session/session.h"

namespace rtl::capture {
namespace {

using State = Lifecycle::State;

}  // namespace

HipCalls::Trace Session::HipTrace() {
  const CaptureCounters counters = output_->counters();
  const bool compiler = events_.Has(EventKind::kCompilerCall);
  return {output_->sink(), counters.hip_calls_seen, capture_.clock(),
          events_.Has(EventKind::kHipCall), compiler ? counters.compiler_calls_seen : nullptr};
}

bool Session::Uses(HipDoor door) const {
  return config_.hip_door == HipDoor::kAuto || config_.hip_door == door;
}

bool Session::TraceWantsHip() { return EnsureOpen() && WantsCalls() && config_.mode != Mode::kClr; }

bool Session::ToolsWantHip() {
  return tools_ != nullptr && tools_->hip_calls() != nullptr && Configure() && !config_.disabled &&
         config_.hip_door != HipDoor::kNone;
}

bool Session::Recording() const {
  const State now = life_.state();
  return now == State::kOpen || now == State::kTracing;
}

// Connects the parties that record HIP calls.
void Session::ArmHip() {
  if (Recording() && TraceWantsHip()) hip_.Record(HipTrace());
  if (ToolsWantHip()) hip_.Listen(tools_->hip_calls());
}

// HIP initialises the runtime before its first call begins, so this is in time for that call.
void Session::OpenHip() {
  if (Recording() && events_.Has(EventKind::kInit) && !noted_hip_) {
    HipLibrary hip;
    if (hip.Find()) NoteHip(VersionOf(hip.major(), hip.minor()), 0);
  }
  const bool trace = Recording() && TraceWantsHip();
  const bool tools = ToolsWantHip();
  if ((!trace && !tools) || config_.hip_door == HipDoor::kNone) return;
  ArmHip();
  if (!hip_.ShouldOpen()) return;
  const Status opened = hip_.Open(config_.hip_door);
  if (opened.ok()) return;
  if (trace) ComplainAboutHip(opened);
  if (tools) ComplainToTools("HIP calls are", opened);
}

void Session::ComplainToTools(const char* what, const Status& why) {
  Warn("%s not reported to tools in process %d: %s", what, static_cast<int>(getpid()),
       why.message());
}

void Session::ComplainAboutHip(const Status& why) {
  char text[320];
  snprintf(text, sizeof text, "HIP calls are not recorded in process %d: %s",
           static_cast<int>(getpid()), why.message());
  Complain(text);
}

// The first call begins before a runtime is loaded.
const PreloadDoor* Session::OpenHipPreload(const PreloadedCalls& calls) {
  if (life_.state() == State::kForked || ReentryGuard::Active()) return nullptr;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  if (EnsureOpen() && config_.mode == Mode::kClr) return OpenClr(calls);
  if (!TraceWantsHip() || !Uses(HipDoor::kPreload)) return nullptr;
  ArmHip();
  const PreloadDoor* door = nullptr;
  const Status opened = hip_.OpenPreload(calls, &door);
  if (!opened.ok()) ComplainAboutHip(opened);
  if (In(Party::kTrace)) Describe();
  return door;
}

const PreloadDoor* Session::OpenToolHipPreload(const PreloadedCalls& calls) {
  if (life_.state() == State::kForked || ReentryGuard::Active()) return nullptr;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  if (!ToolsWantHip() || !Uses(HipDoor::kPreload)) return nullptr;
  ArmHip();
  const PreloadDoor* door = nullptr;
  const Status opened = ClrIsOpen() ? Status::Error("in mode clr HIP's own profiler has them")
                                    : hip_.OpenPreload(calls, &door);
  if (!opened.ok()) ComplainToTools("HIP calls are", opened);
  return door;
}

bool Session::OpenHipTable(const char* name, void* table) {
  if (life_.state() == State::kForked || ReentryGuard::Active()) return false;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  if (!TraceWantsHip() || !Uses(HipDoor::kRegister)) return false;
  ArmHip();
  const Status opened = hip_.OpenTable(name, table);
  if (!opened.ok()) {
    char text[320];
    snprintf(text, sizeof text, "HIP's table is not used in process %d: %s",
             static_cast<int>(getpid()), opened.message());
    Complain(text);
  }
  if (In(Party::kTrace)) Describe();
  return opened.ok();
}

// Null: RCCL calls are not recorded.
const RcclDoor* Session::ArmRccl() {
  if (!EnsureOpen() || !events_.Has(EventKind::kRcclCall) || !Recording()) return nullptr;
  return rccl_.Record(output_->sink(), capture_.clock());
}

const RcclDoor* Session::OpenRccl() {
  if (life_.state() == State::kForked || ReentryGuard::Active()) return nullptr;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  return ArmRccl();
}

bool Session::OpenRcclTable(void* table) {
  if (life_.state() == State::kForked || ReentryGuard::Active()) return false;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  const RcclDoor* const door = ArmRccl();
  if (door == nullptr) return false;
  const Status wrapped = RcclTables::Wrap(table, door);
  if (wrapped.ok()) return true;
  char text[320];
  snprintf(text, sizeof text, "RCCL's table is not used in process %d: %s",
           static_cast<int>(getpid()), wrapped.message());
  Complain(text);
  return false;
}

const RcclDoor* Session::ArmToolRccl() {
  if (tools_ == nullptr || tools_->rccl_calls() == nullptr || !Configure() || config_.disabled)
    return nullptr;
  return rccl_.Listen(tools_->rccl_calls());
}

const RcclDoor* Session::OpenToolRccl() {
  if (life_.state() == State::kForked || ReentryGuard::Active()) return nullptr;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  return ArmToolRccl();
}

bool Session::OpenToolRcclTable(void* table) {
  if (life_.state() == State::kForked || ReentryGuard::Active()) return false;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  const RcclDoor* const door = ArmToolRccl();
  if (door == nullptr) return false;
  const Status wrapped = RcclTables::Wrap(table, door);
  if (!wrapped.ok()) ComplainToTools("RCCL calls are", wrapped);
  return wrapped.ok();
}

bool Session::OpenToolHipTable(const char* name, void* table) {
  if (life_.state() == State::kForked || ReentryGuard::Active()) return false;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  if (!ToolsWantHip() || !Uses(HipDoor::kRegister)) return false;
  ArmHip();
  const Status opened = hip_.OpenTable(name, table);
  if (!opened.ok()) ComplainToTools("HIP calls are", opened);
  return opened.ok();
}

bool Session::TakesToolTables() {
  const MutexLock lock(mutex_);
  return Configure() && !config_.disabled && Uses(HipDoor::kRegister);
}

void Session::OpenToolHip() {
  if (life_.state() == State::kForked || ReentryGuard::Active()) return;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  if (ToolsWantHip()) OpenHip();
}

}  // namespace rtl::capture
