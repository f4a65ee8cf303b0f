// SPDX-License-Identifier: MIT
// hip_source.h: decides who records HIP calls, and with which method (hip/hip_capture.h).
//
// Threads    any: the session's lock serialises them
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
  // Called at HIP's first call, without the session's lock.
  virtual void Prepare() = 0;
  // Called at HIP's first call. True if the profiler takes HIP's calls, or if no method may have
  // them; `*hooks` are then the hooks for HIP's preloaded functions, or null. False if the mode is
  // another one now.
  virtual bool TakesCalls(const PreloadedCalls& calls, const HipCallHooks** hooks) = 0;
  virtual bool open() const = 0;
  // True if only the profiler may get calls that come through librtl_hip.so.
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

  // librtl_hip.so calls this at the first HIP call, once for the trace and once for tools. Returns
  // the hooks that it must call; null: none.
  const HipCallHooks* OpenPreload(const PreloadedCalls& calls);
  const HipCallHooks* OpenToolPreload(const PreloadedCalls& calls);
  // HIP has registered this table, at its first call or when it was loaded. The first call that is
  // to be recorded opens the trace. True if the entries are wrapped now; false also if HIP calls
  // are not recorded.
  bool OpenTable(const char* name, uint64_t version, void* table);
  bool OpenToolTable(const char* name, uint64_t version, void* table);
  // True if HIP's own profiler records (mode clr).
  bool ProfilerIsOpen() const { return profiler_ != nullptr && profiler_->open(); }
  // True if the tools may take the tables that HIP registers.
  bool TakesToolTables();
  // The trace ends and the program goes on: ends the recording of HIP calls.
  void Leave();
  // The tools are about to be finalized; this is the last chance to warn the user.
  void FinishTools();
  // A program has begun to use the runtime below HIP, so HIP may be loaded.
  void OpenForTools();
  // Tools join while HIP is in use. HIP must not be made to register again.
  void OpenForLateTools();
  // The trace joins while the runtime is in use. Called before kernels are recorded, so that calls
  // are seen before their kernels.
  void OpenForTrace();

  bool LinksKernels(bool trace, bool tools) override RTL_REQUIRES(session_->mutex());
  void RuntimeReady() override RTL_REQUIRES(session_->mutex());
  const char* description() const override { return hip_.description(); }
  void Finish() override RTL_REQUIRES(session_->mutex());
  void Stop() override RTL_REQUIRES(session_->mutex());
  void DisarmInChild() override { hip_.CountForked(); }
  // Works without the session's lock, like Session::BeginAnewInChild.
  void BeginAnewInChild() override RTL_THREAD_SAFETY(no_thread_safety_analysis);

 private:
  HipCalls::Trace Trace() const RTL_REQUIRES(session_->mutex());
  // True if calls of the HIP API, or calls that its compiler generates, are wanted.
  bool WantsCalls() const RTL_REQUIRES(session_->mutex());
  // True if the trace records HIP calls. TraceWants opens the trace, TraceWillWant does not.
  bool TraceWants() RTL_REQUIRES(session_->mutex());
  bool TraceWillWant() RTL_REQUIRES(session_->mutex());
  void Await() RTL_REQUIRES(session_->mutex());
  static void OpenTrace(void* source);
  bool ToolsWant() RTL_REQUIRES(session_->mutex());
  bool Uses(HipMethod method) const RTL_REQUIRES(session_->mutex());
  void Arm() RTL_REQUIRES(session_->mutex());
  void Open(HipMethod wish) RTL_REQUIRES(session_->mutex());
  void Complain(const Status& why) RTL_REQUIRES(session_->mutex());
  // Returns an error if no method sees the calls of a HIP library in this process.
  Status Untraced() const RTL_REQUIRES(session_->mutex());
  bool WantsProfiler();
  // True also while HIP registers its tables in the profiler's Prepare: the calling thread is then
  // inside the tracer and holds no lock.
  bool TakesTables() const;

  Session* const session_;
  HipProfiler* const profiler_;
  HipCapture hip_;  // guarded by the session's lock
  // the thread that is in the profiler's Prepare; zero: none
  std::atomic<uint32_t> prepared_by_{0};
};

}  // namespace rtl::capture
