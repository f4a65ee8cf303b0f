// SPDX-License-Identifier: MIT
// hip_source.h: who records HIP calls, and with which method (hip/hip_capture.h).
//
// Threads    any: the session's lock separates them
// Blocking   as the session's functions that open a trace or hook a runtime
// Memory     lives as long as the process
// Errors     one line for each party, and the program continues without records of HIP calls
#pragma once

#include <stdint.h>

#include <atomic>

#include "base/config.h"
#include "base/status.h"
#include "capture/hip/hip_capture.h"
#include "capture/session/call_source.h"
#include "capture/session/session.h"

namespace rtl::capture {

// HIP's own profiler, which replaces all other methods in mode clr.
class HipProfiler {
 public:
  // HIP's first call, without the session's lock.
  virtual void Prepare() = 0;
  // HIP's first call. True: the profiler has HIP's calls, or nothing may have them; `*hooks`: what
  // HIP's preloaded functions call, or null. False: the mode is another one now.
  virtual bool TakesCalls(const PreloadedCalls& calls, const HipCallHooks** hooks) = 0;
  virtual bool open() const = 0;
  // Calls that come through librtl_hip.so are the profiler's alone.
  virtual bool TakesPreload() const = 0;

 protected:
  ~HipProfiler() = default;
};

class HipSource final : public CallSource {
 public:
  // `profiler`: null in builds without one.
  HipSource(Session* session, HipProfiler* profiler);
  HipSource(const HipSource&) = delete;
  HipSource& operator=(const HipSource&) = delete;

  // librtl_hip.so calls this at the first HIP call, for the trace and for tools. Returns its
  // listener; null: none.
  const HipCallHooks* OpenPreload(const PreloadedCalls& calls);
  const HipCallHooks* OpenToolPreload(const PreloadedCalls& calls);
  // HIP has registered this table, at its first call or when it is loaded: the first call that is
  // to be recorded opens the trace. True when its entries are wrapped now; false also when HIP
  // calls are not recorded.
  bool OpenTable(const char* name, uint64_t version, void* table);
  bool OpenToolTable(const char* name, uint64_t version, void* table);
  // Mode clr: HIP's own profiler records.
  bool ProfilerIsOpen() const { return profiler_ != nullptr && profiler_->open(); }
  // True if the tools may take the tables that HIP registers.
  bool TakesToolTables();
  // The trace ends and the program goes on.
  void Leave();
  // The tools are about to be finalized: the last chance for a complaint.
  void FinishTools();
  // A program has begun to use the runtime below HIP: HIP may be loaded.
  void OpenForTools();
  // Tools join a HIP that runs, and it must not be asked to register again.
  void OpenForLateTools();
  // The trace joins a runtime that runs: calls are seen before the kernels that belong to them.
  void OpenForTrace();

  bool LinksKernels(bool trace, bool tools) override RTL_REQUIRES(session_->mutex());
  void RuntimeReady() override RTL_REQUIRES(session_->mutex());
  const char* description() const override { return hip_.description(); }
  void Finish() override RTL_REQUIRES(session_->mutex());
  void Stop() override RTL_REQUIRES(session_->mutex());
  void DisarmInChild() override { hip_.CountForked(); }
  // Works without the session's lock, as Session::BeginAnewInChild.
  void BeginAnewInChild() override RTL_THREAD_SAFETY(no_thread_safety_analysis);

 private:
  HipCalls::Trace Trace() const RTL_REQUIRES(session_->mutex());
  // Calls of the HIP API, or of its compiler.
  bool WantsCalls() const RTL_REQUIRES(session_->mutex());
  // The first opens the trace.
  bool TraceWants() RTL_REQUIRES(session_->mutex());
  bool TraceWillWant() RTL_REQUIRES(session_->mutex());
  void Await() RTL_REQUIRES(session_->mutex());
  static void OpenTrace(void* source);
  bool ToolsWant() RTL_REQUIRES(session_->mutex());
  bool Uses(HipMethod method) const RTL_REQUIRES(session_->mutex());
  void Arm() RTL_REQUIRES(session_->mutex());
  void Open(HipMethod wish) RTL_REQUIRES(session_->mutex());
  void Complain(const Status& why) RTL_REQUIRES(session_->mutex());
  // An error: the calls of a HIP in this process are seen by no method.
  Status Unseen() const RTL_REQUIRES(session_->mutex());
  bool WantsProfiler();
  // True also while HIP registers its tables in the profiler's Prepare: this thread is inside the
  // tracer then, and holds no lock.
  bool TakesTables() const;

  Session* const session_;
  HipProfiler* const profiler_;
  HipCapture hip_;                        // guarded by the session's lock
  std::atomic<uint32_t> prepared_by_{0};  // the thread that is in the profiler's Prepare
};

}  // namespace rtl::capture
