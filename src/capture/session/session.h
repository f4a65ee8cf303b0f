// SPDX-License-Identifier: MIT
// session.h: the one session of a process. It opens the trace on first use, hooks the runtime when
// it is loaded, removes the hooks when it is unloaded, and finishes the trace once. Its parts: the
// configuration (event_plan.h), the trace and the tools as parties (parties.h), the runtime
// (hooked_runtime.h), its hooks (engine.h), and libraries above HSA (source_list.h).
//
//   first marker or OnLoad   the trace is opened (once), or tracing is off for the process
//   OnLoad                   hooks go into the tables
//   exit                     events in flight may end within the exit budget
//   OnUnload                 no new events; the tables are restored; another OnLoad may follow
//   end of the process       the trace is finished (once)
//   fork                     before OnLoad: the child begins anew, with a trace of its own. After
//                            it: the child is not traced, every call passes through
//
// Threads    any thread may call any function in any order; a lock serialises the slow ones.
//            UseTools: before the tools' functions
// Blocking   sink(): never, except for the call that opens the trace
// Memory     leaked on purpose: late threads may still be inside a hook
// Errors     one line on stderr, and the application continues untraced. A caller never gets an
//            error
#pragma once

#include <stdint.h>

#include <atomic>

#include "base/config.h"
#include "base/mutex.h"
#include "base/status.h"
#include "capture/roctx/markers.h"
#include "capture/session/counting.h"
#include "capture/session/engine.h"
#include "capture/session/event_plan.h"
#include "capture/session/forked_sink.h"
#include "capture/session/hooked_runtime.h"
#include "capture/session/init_events.h"
#include "capture/session/lifecycle.h"
#include "capture/session/parties.h"
#include "capture/session/source_list.h"
#include "capture/session/user_warnings.h"
#include "model/record_sink.h"

namespace rtl::capture {

class Session {
 public:
  using State = Lifecycle::State;
  using LoadedBy = capture::LoadedBy;

  Session(TraceOutput* output, EventPlan::ReadConfig read_config)
      : output_(output), plan_(read_config, counting_.counters(), counting_.samples()) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Adds the tools as the second party.
  void UseTools(ToolSide* tools) {
    const MutexLock lock(mutex_);
    parties_.UseTools(tools);
  }

  // Adds a source of calls, before any other function.
  void Add(CallSource* source) { sources_.Add(source); }

  // A runtime is loaded; `root_table` is its HsaApiTable. Returns true if the runtime is traced,
  // from now on or already: a runtime may register in two of these ways.
  bool OnLoad(void* root_table, LoadedBy loaded_by = LoadedBy::kToolsLib, bool running = false);
  // `running`: the runtime was in use before; queues that exist are traced from now on.
  bool OnToolLoad(void* root_table, LoadedBy loaded_by, bool running = false);
  // The HsaApiTable of the hooked runtime; null if none is hooked.
  void* hooked_root() {
    const MutexLock lock(mutex_);
    return runtime_.hooked() ? runtime_.root_table() : nullptr;
  }
  // True while a trace of a running program is open (model/late_trace.h). The session of that trace
  // then hooks the runtime.
  static bool LateTraceIsOpen() { return late_trace_.load(std::memory_order_acquire); }
  static void SetLateTrace(bool open) { late_trace_.store(open, std::memory_order_release); }
  // True if this session traces and reports nothing, so another session of this process may hook
  // the runtime.
  bool Idle() {
    const MutexLock lock(mutex_);
    return !life_.open() && life_.state() != State::kForked && !runtime_.hooked() &&
           !runtime_.reports_calls() && parties_.tools() == nullptr;
  }
  // True if a runtime is hooked for the tools.
  bool HasTools() {
    const MutexLock lock(mutex_);
    return parties_.In(Party::kTools);
  }
  // OnToolLoad for tools that need only HSA calls, which are reported without the rest of the
  // engine. `refused`: OnToolLoad has failed before.
  void OpenToolHsa(void* root_table, bool refused = false);
  // The last runtime is about to be unloaded. The trace and the tools may each report it.
  void OnUnload() { Unload(Party::kTrace); }
  void OnToolUnload() { Unload(Party::kTools); }

  // Reads all ended events and reports them to the watchers. False if this takes too long.
  bool SettleEnded() { return engine_.capture.SettleEnded(); }
  // The process has begun to run its exit handlers. Called in each handler before anything else.
  void NoteExit() { engine_.capture.NoteExit(); }
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
  bool Recording() const { return life_.records(); }
  // False if nothing may be reported to tools.
  bool ToolsAreAllowed() RTL_REQUIRES(mutex_) { return plan_.Configure() && !config().disabled; }
  const Config& config() const RTL_REQUIRES(mutex_) { return plan_.config(); }
  const EventSet& events() const RTL_REQUIRES(mutex_) { return plan_.events(); }
  // Null if there are no tools.
  ToolSide* tools() const RTL_REQUIRES(mutex_) { return parties_.tools(); }
  TraceOutput* output() const { return output_; }
  const FastClock* clock() const { return engine_.capture.clock(); }
  // Uses this mode, because the requested one is not possible.
  void UseMode(Mode mode) RTL_REQUIRES(mutex_) { plan_.UseMode(mode); }
  // Writes the description of the trace again, because it has changed.
  void DescribeAgain() RTL_REQUIRES(mutex_) {
    if (parties_.In(Party::kTrace)) runtime_.Describe();
  }
  // A library above HSA was found, possibly before it registers its tables.
  void NoteRuntime(InitOperation runtime, uint64_t version, uint64_t instance)
      RTL_REQUIRES(mutex_) {
    init_.Note(InitSink(), runtime, version, instance);
  }
  UserWarnings& warnings() RTL_REQUIRES(mutex_) { return warnings_; }
  static void ComplainToTools(const char* what, const Status& why);

 private:
  // The sink of EventKind::kInit; null if such events are not recorded.
  RecordSink* InitSink() const RTL_REQUIRES(mutex_) {
    return events().Has(EventKind::kInit) ? output_->sink() : nullptr;
  }
  void SayUndescribed() RTL_REQUIRES(mutex_);
  void Unload(Party party);
  void Unhook() RTL_REQUIRES(mutex_);
  void NoteMarkers();
  static void OnRuntimeUse(void* session);
  static void OnLastShutDown(void* session);
  void StopEngine() RTL_REQUIRES(mutex_);
  // Works without the lock: the child has only one thread, and a thread of the parent may have held
  // the lock.
  void BeginAnewInChild() RTL_THREAD_SAFETY(no_thread_safety_analysis);

  static inline constinit std::atomic<bool> late_trace_{false};

  TraceOutput* const output_;
  ForkedSink forked_sink_{output_};
  Lifecycle life_;
  Mutex mutex_{Rank::kSession};
  bool no_output_ = false;                // tracing is off because the trace could not be opened
  std::atomic<bool> met_runtime_{false};  // written under the lock
  // markers are not recorded; written before the trace opens
  std::atomic<bool> leaves_markers_{false};
  std::atomic<bool> noted_markers_{false};
  Engine engine_;
  SourceList sources_;  // constant after the last Add
  Counting counting_ RTL_GUARDED_BY(mutex_){output_, &parties_, &engine_};
  EventPlan plan_ RTL_GUARDED_BY(mutex_);
  Parties parties_ RTL_GUARDED_BY(mutex_){output_, &plan_};
  UserWarnings warnings_ RTL_GUARDED_BY(mutex_){&life_, &plan_, output_};
  InitEvents init_ RTL_GUARDED_BY(mutex_);
  HookedRuntime runtime_ RTL_GUARDED_BY(mutex_){{.output = output_,
                                                 .plan = &plan_,
                                                 .parties = &parties_,
                                                 .sources = &sources_,
                                                 .warnings = &warnings_,
                                                 .counting = &counting_,
                                                 .engine = &engine_,
                                                 .on_use = OnRuntimeUse,
                                                 .on_last_shut_down = OnLastShutDown,
                                                 .data = this}};
  Markers markers_;
};

}  // namespace rtl::capture
