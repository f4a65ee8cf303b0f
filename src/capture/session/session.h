// SPDX-License-Identifier: MIT
// session.h: the one session of a process. It opens the trace on first use, hooks the runtime when
// it is loaded, removes the hooks when it is unloaded, and finishes the trace once. The trace and
// the tools of rocprofiler-sdk's services (tool_side.h) are its two parties. The first party hooks
// the runtime. For the second party the hooks are set up again, which is possible until a queue
// exists.
//
//   first marker or OnLoad   the trace is opened (once), or tracing is off for the process
//   OnLoad                   hooks go into the tables
//   OnUnload, or exit        no new events; events in flight may end within the exit budget
//   OnUnload                 the tables are restored; another OnLoad may follow
//   end of the process       the trace is finished (once)
//   fork                     the child is not traced: every call passes through
//
// Threads    any thread, any function, any order; a lock separates the slow ones. UseTools: before
//            any of the tools' functions
// Blocking   sink(): never, except for the call that opens the trace
// Memory     leaked on purpose: late threads may still be inside a hook
// Errors     one line on stderr; the application continues untraced. Never an error to the caller
#pragma once

#include <stdint.h>

#include "base/config.h"
#include "base/mutex.h"
#include "base/status.h"
#ifdef RTL_CLR
#include "capture/clr/clr_capture.h"
#endif
#include "capture/codeobj/code_objects.h"
#include "capture/counters/counter_pair.h"
#include "capture/counters/trace_counters.h"
#include "capture/hip/hip_capture.h"
#include "capture/hooks/hsa_call_hooks.h"
#include "capture/hooks/hsa_capture.h"
#include "capture/hooks/scratch_events.h"
#include "capture/hsa/hsa_api.h"
#include "capture/hsa/mode_choice.h"
#include "capture/marker/markers.h"
#include "capture/pc_sampling/pc_sampler.h"
#include "capture/pc_sampling/trace_pc_samples.h"
#include "capture/rccl/rccl_calls.h"
#include "capture/session/lifecycle.h"
#include "capture/session/party_sinks.h"
#include "capture/session/tool_side.h"
#include "capture/session/trace_output.h"
#include "model/record_sink.h"

namespace rtl::capture {

class Session {
 public:
  using State = Lifecycle::State;
  // The source of the configuration: the environment, or a test.
  using ReadConfig = Status (*)(Config* out);

  Session(TraceOutput* output, ReadConfig read_config)
      : output_(output), read_config_(read_config) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Adds the tools as the second party.
  void UseTools(ToolSide* tools) {
    const MutexLock lock(mutex_);
    tools_ = tools;
  }

  // A runtime is loaded: `root_table` is its HsaApiTable. True when it is traced, from now on or
  // already: a runtime may register both ways.
  enum class Door : uint8_t {
    kToolsLib,  // HSA_TOOLS_LIB; OnUnload follows
    kRegister,  // rocprofiler-register, which does not report that a runtime is unloaded
  };
  bool OnLoad(void* root_table, Door door = Door::kToolsLib);
  bool OnToolLoad(void* root_table, Door door);
  // The last runtime is about to be unloaded; each party may report it.
  void OnUnload() { Unload(Party::kTrace); }
  void OnToolUnload() { Unload(Party::kTools); }

  // Reads all ended events and reports them to the watchers. False: not in time.
  bool SettleEnded() { return capture_.SettleEnded(); }
  // The process has begun to exit and the runtime still works. Idempotent.
  void Stop();
  // The same for the tools: events in flight may end within the exit budget. While a trace is open
  // the engine continues. `in_flight`: whether kernels or copies of the tools are pending.
  void StopTools(bool (*in_flight)(void* data), void* data);
  // The process is about to end. Idempotent.
  void Finish();
  // In the child of a fork; async-signal-safe.
  void OnForkInChild();

  // librtl_hip.so calls this at the first HIP call. Returns its listener; null: none. In mode clr
  // it switches HIP's own profiler on.
  const PreloadDoor* OpenHipPreload(const PreloadedCalls& calls);
  const PreloadDoor* OpenToolHipPreload(const PreloadedCalls& calls);

  // HIP has registered this table, at its first call. True when its entries are wrapped now; false
  // also when HIP calls are not recorded.
  bool OpenHipTable(const char* name, void* table);
  bool OpenToolHipTable(const char* name, void* table);
  // A program has begun to use the runtime below HIP: HIP may be loaded.
  void OpenToolHip();
  // True if the tools may take the tables that HIP registers.
  bool TakesToolTables();

  // librtl_rccl.so calls this at the first RCCL call. Returns its listener; null: none.
  const RcclDoor* OpenRccl();
  // RCCL has registered this table, at its first call. True when its entries are wrapped now.
  bool OpenRcclTable(void* table);
  // The same for tools.
  const RcclDoor* OpenToolRccl();
  bool OpenToolRcclTable(void* table);

  // A runtime has registered its tables: "hip", "rccl". OnLoad covers HSA's initialization.
  void NoteTables(const char* name, uint64_t version, uint64_t instance);

  // Mode clr: HIP's own profiler is on.
  bool RecordsByHip() const { return ClrIsOpen(); }

  // The sink of records; null when nothing is recorded. The first call opens the trace.
  RecordSink* sink();
  // The same for markers: null also when they are not recorded.
  RecordSink* marker_sink();
  Markers& markers() { return markers_; }
  State state() const { return life_.state(); }

 private:
  // A mode is a name for a set of events.
  static EventSet EventsOf(Mode mode);
  static constexpr uint64_t VersionOf(uint32_t major, uint32_t minor) {
    return uint64_t{10'000} * major + uint64_t{100} * minor;
  }
  enum class Party : uint8_t { kTrace, kTools };
  static constexpr size_t kParties = 2;

  bool Configure() RTL_REQUIRES(mutex_);
  bool EnsureOpen() RTL_REQUIRES(mutex_);
  Status ChooseEvents(bool* off) RTL_REQUIRES(mutex_);
  bool In(Party party) const RTL_REQUIRES(mutex_) { return in_[static_cast<size_t>(party)]; }
  // Calls of the HIP API, or of its compiler.
  bool WantsCalls() const RTL_REQUIRES(mutex_) {
    return events_.Has(EventKind::kHipCall) || events_.Has(EventKind::kCompilerCall);
  }
  bool Join(Party party, void* root_table, Door door) RTL_REQUIRES(mutex_);
  Status Hook(void* root_table) RTL_REQUIRES(mutex_);
  Status HookAgain() RTL_REQUIRES(mutex_);
  Status TellAgents() RTL_REQUIRES(mutex_);
  void PutWrappers() RTL_REQUIRES(mutex_);
  void LiftWrappers() RTL_REQUIRES(mutex_);
  CaptureOptions Options(const ModeChoice& choice) RTL_REQUIRES(mutex_);
  void Unload(Party party);
  void Unhook() RTL_REQUIRES(mutex_);
  Status ChooseCounters() RTL_REQUIRES(mutex_);
  Status ChooseSamples() RTL_REQUIRES(mutex_);
  bool WantsSamples() RTL_REQUIRES(mutex_);
  void OpenSampler(void* root_table) RTL_REQUIRES(mutex_);
  CounterUser* CountersFor() RTL_REQUIRES(mutex_);
  void WatchCalls(void* root_table) RTL_REQUIRES(mutex_);
  void NoteHsa() RTL_REQUIRES(mutex_);
  void NoteInit(InitOperation runtime, uint64_t version, uint64_t instance) RTL_REQUIRES(mutex_);
  void NoteHip(uint64_t version, uint64_t instance) RTL_REQUIRES(mutex_);
  void NoteMarkers();
  void WatchFaults(void* root_table) RTL_REQUIRES(mutex_);
  HipCalls::Trace HipTrace() RTL_REQUIRES(mutex_);
  bool TraceWantsHip() RTL_REQUIRES(mutex_);
  bool ToolsWantHip() RTL_REQUIRES(mutex_);
  bool Uses(HipDoor door) const RTL_REQUIRES(mutex_);
  void ArmHip() RTL_REQUIRES(mutex_);
  void OpenHip() RTL_REQUIRES(mutex_);
  bool Recording() const;
  const RcclDoor* ArmRccl() RTL_REQUIRES(mutex_);
  const RcclDoor* ArmToolRccl() RTL_REQUIRES(mutex_);
  void ComplainAboutHip(const Status& why) RTL_REQUIRES(mutex_);
  void ComplainToTools(const char* what, const Status& why) RTL_REQUIRES(mutex_);
#ifdef RTL_CLR  // session_clr.cpp
  bool ClrIsOpen() const { return clr_.open(); }
  bool ClrRecordsInPlaceOfUs() RTL_REQUIRES(mutex_);
  bool ClrIsRefused(const Status& why) RTL_REQUIRES(mutex_);
  const PreloadDoor* OpenClr(const PreloadedCalls& calls) RTL_REQUIRES(mutex_);
  void StopClr() RTL_REQUIRES(mutex_);
  void DescribeClr() RTL_REQUIRES(mutex_);
  void DisarmClrInChild() { clr_.DisarmInChild(); }
#else  // Config refuses mode clr
  static constexpr bool ClrIsOpen() { return false; }
  static constexpr bool ClrRecordsInPlaceOfUs() { return false; }
  static constexpr const PreloadDoor* OpenClr(const PreloadedCalls&) { return nullptr; }
  static constexpr void StopClr() {}
  static constexpr void DisarmClrInChild() {}
#endif
  void Describe() RTL_REQUIRES(mutex_);
  static void OnRuntimeUse(void* session);
  static void OnLastShutDown(void* session);
  void StopLocked() RTL_REQUIRES(mutex_);
  void Complain(const char* text) RTL_REQUIRES(mutex_);
  static void Heartbeat(void* output);

  TraceOutput* const output_;
  const ReadConfig read_config_;
  Lifecycle life_;
  Mutex mutex_{Rank::kSession};
  bool configured_ RTL_GUARDED_BY(mutex_) = false;
  Status problem_ RTL_GUARDED_BY(mutex_) = Status::Ok();  // of the configuration
  Config config_ RTL_GUARDED_BY(mutex_);
  EventSet events_ RTL_GUARDED_BY(mutex_);   // to be recorded
  std::atomic<bool> leaves_markers_{false};  // written before the trace opens
  std::atomic<bool> noted_markers_{false};
  bool noted_hip_ RTL_GUARDED_BY(mutex_) = false;
  bool hooked_ RTL_GUARDED_BY(mutex_) = false;         // a runtime's tables hold our functions
  void* root_table_ RTL_GUARDED_BY(mutex_) = nullptr;  // of that runtime
  Door door_ RTL_GUARDED_BY(mutex_) = Door::kToolsLib;
  ToolSide* tools_ RTL_GUARDED_BY(mutex_) = nullptr;
  PartySinks sinks_;
  // By party: it has joined the hooked runtime; it has the agents; the number of runtimes that it
  // met beside the traced one.
  bool in_[kParties] RTL_GUARDED_BY(mutex_) = {};
  bool knows_agents_[kParties] RTL_GUARDED_BY(mutex_) = {};
  uint32_t other_runtimes_[kParties] RTL_GUARDED_BY(mutex_) = {};
  TraceCounters trace_counters_;
  CounterPair counter_pair_;
  PcSampler sampler_;
  TracePcSamples trace_samples_;
  HsaTables tables_;
  CodeObjects code_objects_;
  HsaCapture capture_;
  HsaCallHooks call_hooks_;
  ScratchEvents scratch_;
  HipCapture hip_;
  RcclCalls rccl_;
#ifdef RTL_CLR
  ClrCapture clr_;
  bool clr_refused_ RTL_GUARDED_BY(mutex_) = false;  // and the user knows
  bool met_runtime_ RTL_GUARDED_BY(mutex_) = false;
#endif
  ModeChoice choice_ RTL_GUARDED_BY(mutex_);  // for the packets
  Markers markers_;
};

}  // namespace rtl::capture
