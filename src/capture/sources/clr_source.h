// SPDX-License-Identifier: MIT
// clr_source.h: mode clr, which uses HIP's own profiler in place of packets and signals.
//
// Threads    any: the session's lock serialises them
// Blocking   Stop: at most the exit budget
// Memory     lives as long as the process
// Errors     if HIP has no profiler, one line reports it; with --allow-fallback mode hip is used
#pragma once

#include "base/status.h"
#include "capture/clr/clr_capture.h"
#include "capture/session/call_source.h"
#include "capture/session/session.h"
#include "capture/sources/hip_source.h"

namespace rtl::capture {

class ClrSource final : public CallSource, public HipProfiler {
 public:
  explicit ClrSource(Session* session) : session_(session) { session->Add(this); }
  ClrSource(const ClrSource&) = delete;
  ClrSource& operator=(const ClrSource&) = delete;

  void Prepare() override { clr_.Prepare(); }
  bool open() const override { return clr_.open(); }
  bool TakesPreload() const override { return clr_.watches_calls(); }
  bool TakesCalls(const PreloadedCalls& calls, const HipCallHooks** hooks) override
      RTL_REQUIRES(session_->mutex());

  bool ReplacesHooks() override RTL_REQUIRES(session_->mutex());
  bool RecordsAlone() const override { return clr_.open(); }
  void Finish() override RTL_REQUIRES(session_->mutex());
  void Stop() override RTL_REQUIRES(session_->mutex());
  void DisarmInChild() override { clr_.DisarmInChild(); }
  void BeginAnewInChild() override { met_runtime_ = refused_ = false; }

 private:
  bool IsRefused(const Status& why) RTL_REQUIRES(session_->mutex());
  void Describe() RTL_REQUIRES(session_->mutex());

  Session* const session_;
  ClrCapture clr_;        // guarded by the session's lock, like all members below
  bool refused_ = false;  // mode clr is not possible, and the user has been warned
  bool opened_ = false;   // the profiler was open at least once
  bool met_runtime_ = false;
};

}  // namespace rtl::capture
