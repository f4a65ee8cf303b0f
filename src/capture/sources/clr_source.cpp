// SPDX-License-Identifier: MIT
#include "capture/sources/clr_source.h"

#include <inttypes.h>
#include <unistd.h>

#include "capture/hip/hip_library.h"

namespace rtl::capture {

// With --allow-fallback it must be known now, before there are queues, whether the profiler is
// possible.
bool ClrSource::ReplacesHooks() {
  if (session_->config().mode != Mode::kClr) return false;
  met_runtime_ = true;
  if (!session_->config().allow_fallback || clr_.open()) return true;
  const Status probed = clr_.Probe();
  return probed.ok() || IsRefused(probed);
}

// Called when mode clr is not possible here. False if the user has allowed mode hip instead.
bool ClrSource::IsRefused(const Status& why) {
  if (session_->config().allow_fallback) {
    session_->UseMode(Mode::kHip);
    session_->warnings().Add("mode clr is not available in process %d, mode hip is used: %s",
                             static_cast<int>(getpid()), why.message());
    return false;
  }
  if (refused_) return true;
  refused_ = true;
  session_->warnings().Add(
      "process %d is not traced: mode clr is not available: %s (--allow-fallback uses mode hip)",
      static_cast<int>(getpid()), why.message());
  session_->output()->SayRefused(session_->config(), why.message());
  return true;
}

// Not called inside the runtime's initialisation, because HIP is then in the middle of its own
// initialisation.
bool ClrSource::TakesCalls(const PreloadedCalls& calls, const HipCallHooks** hooks) {
  ClrCapture::Options options;
  options.services.sink = session_->output()->sink();
  options.services.calls_submitted = session_->output()->counters().hip_calls_submitted;
  options.services.other_packets = session_->output()->counters().other_packets;
  options.calls = calls;
  const Status opened = clr_.Open(options, hooks);
  if (!opened.ok()) return IsRefused(opened);
  opened_ = true;
  const ToolSide* const tools = session_->tools();
  // If tools watch HIP calls, they need the hooks of librtl_hip.so for themselves.
  if (*hooks == nullptr && (tools == nullptr || tools->hip_calls() == nullptr))
    *hooks = clr_.late_hooks();
  Describe();
  return true;
}

void ClrSource::Describe() {
  session_->output()->Describe(
      {clr_.description(), clr_.library_path(), ModeName(Mode::kClr),
       "requested; calls, kernels and copies come from HIP's own profiler"});
}

void ClrSource::Finish() {
  HipLibrary profiled;
  HipLibrary other;
  if (opened_ && session_->Recording() && profiled.Find(clr_.in_library()) &&
      other.FindBeside({&profiled})) {
    session_->warnings().Add(
        "%s %u.%u, the second one in process %d, are not recorded: the profiler of the first one "
        "is switched on alone: %s",
        kSecondProfilerWarning, other.major(), other.minor(), static_cast<int>(getpid()),
        other.path());
  }
  Stop();
  if (const uint64_t graphs = clr_.late_graphs(); graphs != 0 && session_->Recording()) {
    session_->warnings().Add("%s, launched %" PRIu64
                             " time%s in process %d when HIP's profiler was off, as in exit "
                             "handlers and destructors, are neither recorded nor counted",
                             kLateGraphsWarning, graphs, graphs == 1 ? "" : "s",
                             static_cast<int>(getpid()));
  }
  clr_.Close();
}

void ClrSource::Stop() {
  if (!clr_.open()) {
    const bool is_untraced =
        met_runtime_ && !opened_ && !refused_ && session_->config().mode == Mode::kClr;
    if (is_untraced && session_->state() == Lifecycle::State::kOpen) {
      (void)IsRefused(Status::Error(
          "no call of HIP came through librtl_hip.so, at the first of which HIP's profiler is "
          "switched on; `rtl trace` preloads it"));
    }
    return;
  }
  clr_.Stop(session_->config().exit_budget_ns);
  if (clr_.warning() != nullptr) session_->warnings().Add("%s", clr_.warning());
  Describe();
}

}  // namespace rtl::capture
