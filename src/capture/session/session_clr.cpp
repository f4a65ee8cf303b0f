// SPDX-License-Identifier: MIT
// The part of the session for mode clr, in builds that have it (RTL_CLR): HIP's own profiler in place of
// packets and signals.
#include <stdio.h>
#include <unistd.h>

#include "capture/session/session.h"

namespace rtl::capture {

using State = Lifecycle::State;

// With --allow-fallback the answer is needed now, before there are queues.
bool Session::ClrRecordsInPlaceOfUs() {
  met_runtime_ = true;
  if (!config_.allow_fallback || clr_.open()) return true;
  const Status probed = clr_.Probe();
  return probed.ok() || ClrIsRefused(probed);
}

// Mode clr is not possible here. False: the user has allowed mode hip instead.
bool Session::ClrIsRefused(const Status& why) {
  char text[480];
  if (config_.allow_fallback) {
    config_.mode = Mode::kHip;
    events_ = EventsOf(Mode::kHip);
    snprintf(text, sizeof text, "mode clr is not available in process %d, mode hip is used: %s",
             static_cast<int>(getpid()), why.message());
    Complain(text);
    return false;
  }
  if (clr_refused_) return true;
  clr_refused_ = true;
  snprintf(text, sizeof text,
           "process %d is not traced: mode clr is not available: %s (--allow-fallback uses mode "
           "hip)",
           static_cast<int>(getpid()), why.message());
  Complain(text);
  output_->SayRefused(config_, why.message());
  return true;
}

// Not called inside the runtime's initialisation, because HIP is in the middle of its own then.
const PreloadDoor* Session::OpenClr(const PreloadedCalls& calls) {
  ClrCapture::Options options;
  options.services.sink = output_->sink();
  options.services.calls_seen = output_->counters().hip_calls_seen;
  options.services.other_packets = output_->counters().other_packets;
  options.calls = calls;
  const PreloadDoor* door = nullptr;
  const Status opened = clr_.Open(options, &door);
  if (opened.ok()) {
    DescribeClr();
    return door;
  }
  if (ClrIsRefused(opened)) return nullptr;
  ArmHip();
  const Status preloaded = hip_.OpenPreload(calls, &door);
  if (!preloaded.ok()) ComplainAboutHip(preloaded);
  if (In(Party::kTrace)) Describe();
  return door;
}

void Session::DescribeClr() {
  output_->Describe({clr_.description(), clr_.library_path(), ModeName(Mode::kClr),
                     "requested; calls, kernels and copies come from HIP's own profiler"});
}

void Session::StopClr() {
  if (!clr_.open()) {
    const bool unseen = met_runtime_ && !clr_refused_ && config_.mode == Mode::kClr;
    if (unseen && life_.state() == State::kOpen) {
      (void)ClrIsRefused(Status::Error(
          "no call of HIP came through librtl_hip.so, at the first of which HIP's profiler is "
          "switched on; `rtl trace` preloads it"));
    }
    return;
  }
  clr_.Stop(config_.exit_budget_ns);
  if (clr_.warning() != nullptr) Complain(clr_.warning());
  DescribeClr();
}

}  // namespace rtl::capture
