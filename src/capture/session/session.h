// SPDX-License-Identifier: MIT
// session.h: the one session of a process. It opens the trace on first use, hooks the runtime when
// it is loaded, removes the hooks when it is unloaded, and finishes the trace once. The trace and
// the tools of rocprofiler-sdk's services (tool_side.h) are its two parties. The first party hooks
// the runtime. For the second party the hooks are set up again, which is possible until a queue
// exists.
//
//   first marker or OnLoad   the trace is opened (once), or tracing is off for the process
//   OnLoad                   hooks go into the tables
//   exit                     events in flight may end within the exit budget
//   OnUnload                 no new events; the tables are restored; another OnLoad may follow
//   end of the process       the trace is finished (once)
//   fork                     before OnLoad: the child begins anew, with a trace of its own. After
//                            it: the child is not traced, every call passes through
//
// The libraries above HSA have sources of calls (call_source.h).
//
// Threads    any thread may call any function in any order; a lock serialises the slow ones.
//            UseTools: before the tools' functions
// Blocking   sink(): never, except for the call that opens the trace
// Memory     leaked on purpose: late threads may still be inside a hook
// Errors     one line on stderr, and the application continues untraced. A caller never gets an
//            error
#pragma once

#include <stdint.h>

#include "base/config.h"
#include "base/mutex.h"
#include "base/status.h"
#include "capture/codeobj/code_objects.h"
#include "capture/counters/counter_pair.h"
#include "capture/counters/trace_counters.h"
#include "capture/hooks/hsa_call_hooks.h"
#include "capture/hooks/hsa_capture.h"
#include "capture/hooks/scratch_events.h"
#include "capture/hsa/hsa_api.h"
#include "capture/hsa/mode_choice.h"
#include "capture/pc_sampling/pc_sampler.h"
#include "capture/pc_sampling/trace_pc_samples.h"
#include "capture/roctx/markers.h"
#include "capture/session/call_source.h"
#include "capture/session/event_plan.h"
#include "capture/session/forked_sink.h"
#include "capture/session/init_events.h"
#include "capture/session/lifecycle.h"
#include "capture/session/party_sinks.h"
#include "capture/session/tool_side.h"
#include "capture/session/trace_output.h"
#include "model/record_sink.h"

namespace rtl::capture {

class Session {
 public:
  using State = Lifecycle::State;

  Session(TraceOutput* output, EventPlan::ReadConfig read_config)
      : output_(output), plan_(read_config, &trace_counters_, &trace_samples_) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Adds the tools as the second party.
  void UseTools(ToolSide* tools) {
    const MutexLock lock(mutex_);
    tools_ = tools;
  }

  // Adds a source of calls, before any other function.
  void Add(CallSource* source);

  // A runtime is loaded; `root_table` is its HsaApiTable. Returns true if the runtime is traced,
  // from now on or already: a runtime may register in two of these ways.
  enum class LoadedBy : uint8_t {
    kToolsLib,  // HSA_TOOLS_LIB; OnUnload follows
    kRegister,  // rocprofiler-register, which does not report that a runtime is unloaded
    kMemory,    // its tables were found in its memory; nothing reports that it is unloaded
  };
  bool OnLoad(void* root_table, LoadedBy loaded_by = LoadedBy::kToolsLib, bool running = false);
  // `running`: the runtime was in use before; queues that exist are traced from now on.
  bool OnToolLoad(void* root_table, LoadedBy loaded_by, bool running = false);
  // The HsaApiTable of the hooked runtime; null if none is hooked.
  void* hooked_root() {
    const MutexLock lock(mutex_);
    return hooked_ ? root_table_ : nullptr;
  }
  // True while a trace of a running program is open (model/late_trace.h). The session of that trace
  // then hooks the runtime.
  static bool LateTraceIsOpen() { return late_trace_.load(std::memory_order_acquire); }
  static void SetLateTrace(bool open) { late_trace_.store(open, std::memory_order_release); }
  // True if this session traces and reports nothing, so another session of this process may hook
  // the runtime.
  bool Idle() {
    const MutexLock lock(mutex_);
    const State now = life_.state();
    const bool open = now == State::kOpen || now == State::kTracing || now == State::kStopped;
    return !open && now != State::kForked && !hooked_ && tool_root_ == nullptr && tools_ == nullptr;
  }
  // True if a runtime is hooked for the tools.
  bool HasTools() {
    const MutexLock lock(mutex_);
    return In(Party::kTools);
  }
  // OnToolLoad for tools that need only HSA calls, which are reported without the rest of the
  // engine. `refused`: OnToolLoad has failed before.
  void OpenToolHsa(void* root_table, bool refused = false);
  // The last runtime is about to be unloaded. The trace and the tools may each report it.
  void OnUnload() { Unload(Party::kTrace); }
  void OnToolUnload() { Unload(Party::kTools); }

  // Reads all ended events and reports them to the watchers. False if this takes too long.
  bool SettleEnded() { return capture_.SettleEnded(); }
  // The process has begun to run its exit handlers. Called in each handler before anything else.
  void NoteExit() { capture_.NoteExit(); }
  // The process has begun to exit, and the runtime still works. Waits for events in flight, and
  // goes on recording, because exit handlers and destructors may use the GPU. Idempotent.
  void Settle();
  // Like Settle, but for the tools: waits for events in flight, at most as long as the exit budget.
  // While a trace is open, the engine continues. `in_flight`: returns whether kernels or copies of
  // the tools are pending.
  void StopTools(bool (*in_flight)(void* data), void* data);
  // The process is about to end. Idempotent.
  void Finish();
  // The trace ends and the process goes on: restores the runtime's tables. Events in flight may end
  // within the exit budget, for which the calling thread waits.
  void Leave();
  // In the child of a fork; async-signal-safe.
  void OnForkInChild();

  // A library has registered its tables: "hip", "rccl". For HSA's own tables OnLoad is called
  // instead. Does not open the trace.
  void NoteTables(const char* name, uint64_t version, uint64_t instance);

  // The sink of records; null when nothing is recorded. The first call opens the trace.
  RecordSink* sink();
  // The sink of markers; null also if markers are not recorded.
  RecordSink* marker_sink();
  Markers& markers() { return markers_; }
  State state() const { return life_.state(); }

  // The following functions are for the sources of calls. Plan reads the configuration once and
  // decides what is recorded. False if nothing is recorded in this process.
  bool Plan() RTL_REQUIRES(mutex_);
  // False in the child of a fork, and while this thread is inside the tracer.
  bool Usable() const;
  Mutex& mutex() RTL_THREAD_SAFETY(lock_returned(mutex_)) { return mutex_; }
  // Opens the trace unless that was tried before. True if the trace is open.
  bool EnsureOpen() RTL_REQUIRES(mutex_);
  // True if events are accepted now.
  bool Recording() const;
  // False if nothing may be reported to tools.
  bool ToolsAreAllowed() RTL_REQUIRES(mutex_) { return plan_.Configure() && !config().disabled; }
  const Config& config() const RTL_REQUIRES(mutex_) { return plan_.config(); }
  const EventSet& events() const RTL_REQUIRES(mutex_) { return plan_.events(); }
  // Null if there are no tools.
  ToolSide* tools() const RTL_REQUIRES(mutex_) { return tools_; }
  TraceOutput* output() const { return output_; }
  const FastClock* clock() const { return capture_.clock(); }
  // Uses this mode, because the requested one is not possible.
  void UseMode(Mode mode) RTL_REQUIRES(mutex_) { plan_.UseMode(mode); }
  // Writes the description of the trace again, because it has changed.
  void DescribeAgain() RTL_REQUIRES(mutex_) {
    if (In(Party::kTrace)) Describe();
  }
  // A library above HSA was found, possibly before it registers its tables.
  void NoteRuntime(InitOperation runtime, uint64_t version, uint64_t instance)
      RTL_REQUIRES(mutex_) {
    init_.Note(InitSink(), runtime, version, instance);
  }
  static constexpr uint64_t VersionOf(uint32_t major, uint32_t minor) {
    return uint64_t{10'000} * major + uint64_t{100} * minor;
  }
  // Warns the user: by a record in the trace, or on stderr.
  void Complain(const char* text) RTL_REQUIRES(mutex_);
  static void ComplainToTools(const char* what, const Status& why);

 private:
  static constexpr size_t kMostSources = 4;
  enum class Party : uint8_t { kTrace, kTools };
  static constexpr size_t kParties = 2;

  // The sink of EventKind::kInit; null if such events are not recorded.
  RecordSink* InitSink() const RTL_REQUIRES(mutex_) {
    return events().Has(EventKind::kInit) ? output_->sink() : nullptr;
  }
  bool In(Party party) const RTL_REQUIRES(mutex_) { return in_[static_cast<size_t>(party)]; }
  bool Join(Party party, void* root_table, LoadedBy loaded_by, bool running) RTL_REQUIRES(mutex_);
  Status Hook(void* root_table) RTL_REQUIRES(mutex_);
  Status HookAgain(Party joined) RTL_REQUIRES(mutex_);
  void Adapt() RTL_REQUIRES(mutex_);
  Status Hooked(Party joined) RTL_REQUIRES(mutex_);
  Status AddTools() RTL_REQUIRES(mutex_);
  Status TellAgents() RTL_REQUIRES(mutex_);
  bool ToolsGetCallsOf(void* root_table) const RTL_REQUIRES(mutex_) {
    return tool_root_ != nullptr && tool_root_ == root_table;
  }
  void PutWrappers(void* root_table) RTL_REQUIRES(mutex_);
  void LiftWrappers() RTL_REQUIRES(mutex_);
  void SayUndescribed() RTL_REQUIRES(mutex_);
  CaptureOptions Options(const ModeChoice& choice) RTL_REQUIRES(mutex_);
  void Unload(Party party);
  void Unhook() RTL_REQUIRES(mutex_);
  bool WantsSamples() RTL_REQUIRES(mutex_);
  void OpenSampler(Party joined) RTL_REQUIRES(mutex_);
  CounterUser* CountersFor() RTL_REQUIRES(mutex_);
  void WatchCalls(void* root_table) RTL_REQUIRES(mutex_);
  void NoteHsa() RTL_REQUIRES(mutex_);
  void NoteMarkers();
  void WatchFaults(void* root_table) RTL_REQUIRES(mutex_);
  bool LinksKernels() RTL_REQUIRES(mutex_);
  void TellSources() RTL_REQUIRES(mutex_);
  void Describe() RTL_REQUIRES(mutex_);
  static void OnRuntimeUse(void* session);
  static void OnLastShutDown(void* session);
  void StopEngine() RTL_REQUIRES(mutex_);
  // Works without the lock: the child has only one thread, and a thread of the parent may have held
  // the lock.
  void BeginAnewInChild() RTL_THREAD_SAFETY(no_thread_safety_analysis);
  static void Heartbeat(void* output);

  static inline constinit std::atomic<bool> late_trace_{false};

  TraceOutput* const output_;
  ForkedSink forked_sink_{output_};
  Lifecycle life_;
  Mutex mutex_{Rank::kSession};
  TraceCounters trace_counters_;
  TracePcSamples trace_samples_;
  EventPlan plan_ RTL_GUARDED_BY(mutex_);
  InitEvents init_ RTL_GUARDED_BY(mutex_);
  bool no_output_ = false;                // tracing is off because the trace could not be opened
  std::atomic<bool> met_runtime_{false};  // written under the lock
  // markers are not recorded; written before the trace opens
  std::atomic<bool> leaves_markers_{false};
  std::atomic<bool> noted_markers_{false};
  // a runtime's tables hold the tracer's functions
  bool hooked_ RTL_GUARDED_BY(mutex_) = false;
  void* root_table_ RTL_GUARDED_BY(mutex_) = nullptr;  // the HsaApiTable of that runtime
  // that runtime was in use before it was hooked
  bool running_ RTL_GUARDED_BY(mutex_) = false;
  // The HsaApiTable of the runtime whose calls tools get without the rest of the engine.
  void* tool_root_ RTL_GUARDED_BY(mutex_) = nullptr;
  LoadedBy loaded_by_ RTL_GUARDED_BY(mutex_) = LoadedBy::kToolsLib;
  ToolSide* tools_ RTL_GUARDED_BY(mutex_) = nullptr;
  PartySinks sinks_;
  // Indexed by party: whether it has joined the hooked runtime, whether it has got the agents, and
  // how many other runtimes it has met.
  bool in_[kParties] RTL_GUARDED_BY(mutex_) = {};
  bool knows_agents_[kParties] RTL_GUARDED_BY(mutex_) = {};
  uint32_t other_runtimes_[kParties] RTL_GUARDED_BY(mutex_) = {};
  CounterPair counter_pair_;
  PcSampler sampler_;
  HsaTables tables_;
  CodeObjects code_objects_;
  HsaCapture capture_;
  HsaCallHooks call_hooks_;
  ScratchEvents scratch_;
  CallSource* sources_[kMostSources] = {};  // constant after the last Add
  size_t source_count_ = 0;
  ModeChoice choice_ RTL_GUARDED_BY(mutex_);  // mode and queue method of the packets
  Markers markers_;
};

}  // namespace rtl::capture
