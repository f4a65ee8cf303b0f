// SPDX-License-Identifier: MIT
// hooked_runtime.h: the HSA runtime whose tables hold the tracer's functions. The first party hooks
// the runtime; for the second the hooks are set up again.
//
// Threads    under the session's lock
// Errors     a failure is one warning, and the program continues untraced
#pragma once

#include <stdint.h>

#include "base/status.h"
#include "capture/hsa/mode_choice.h"
#include "capture/session/counting.h"
#include "capture/session/engine.h"
#include "capture/session/event_plan.h"
#include "capture/session/parties.h"
#include "capture/session/source_list.h"
#include "capture/session/user_warnings.h"

namespace rtl::capture {

enum class LoadedBy : uint8_t {
  kToolsLib,  // HSA_TOOLS_LIB; OnUnload follows
  kRegister,  // rocprofiler-register, which does not report that a runtime is unloaded
  kMemory,    // its tables were found in its memory; nothing reports that it is unloaded
};

class HookedRuntime {
 public:
  struct Services {
    TraceOutput* output;
    EventPlan* plan;
    Parties* parties;
    const SourceList* sources;
    UserWarnings* warnings;
    Counting* counting;
    Engine* engine;
    // As in CaptureOptions: called without the lock.
    void (*on_use)(void* data);
    void (*on_last_shut_down)(void* data);
    void* data;
  };
  explicit HookedRuntime(const Services& services) : services_(services) {}
  HookedRuntime(const HookedRuntime&) = delete;
  HookedRuntime& operator=(const HookedRuntime&) = delete;

  // Hooks the runtime for the party. True if it is traced for the party, from now on or already.
  // `running`: the runtime was in use before; queues that exist are traced from now on.
  bool Join(Party party, void* root_table, LoadedBy loaded_by, bool running);
  // Reports calls to the tools, without the rest of the engine.
  void ReportCalls(void* root_table);

  bool hooked() const { return hooked_; }
  bool reports_calls() const { return calls_root_ != nullptr; }
  // The HsaApiTable of the runtime that was hooked last.
  void* root_table() const { return root_table_; }
  bool Is(const void* root_table) const { return hooked_ && root_table == root_table_; }
  bool IsAnother(const void* root_table) const { return hooked_ && root_table != root_table_; }
  // True if the tables must be restored at the last hsa_shut_down, because nothing reports that the
  // runtime is unloaded. It may be loaded again with the same tables.
  bool EndsAtShutDown() const { return loaded_by_ != LoadedBy::kToolsLib; }
  // 10000 * major + 100 * minor of HSA; zero if the runtime does not tell.
  uint64_t Version() const;
  // Writes the description of the trace.
  void Describe() const;

  // Removes the hooks for both parties: the runtime is unloaded.
  void Unhook();
  // The wrappers of calls are removed, before the rest of Leave.
  void RemoveCallHooks() {
    if (hooked_) services_.engine->call_hooks.Remove();
  }
  // The trace ends and the process goes on.
  void Leave();

 private:
  const Config& config() const { return services_.plan->config(); }
  bool In(Party party) const { return services_.parties->In(party); }
  ToolSide* tools() const { return services_.parties->tools(); }
  Status Hook(void* root_table);
  Status HookAgain(Party joined);
  Status AddTools();
  void Adapt();
  void SeeAtDoorbell(const char* why);
  Status Hooked(Party joined);
  void Refuse(Party party, bool first, const Status& why);
  CaptureOptions Options() const;
  void ReportEvents(CaptureOptions* options) const;
  bool ToolsGetCallsOf(const void* root_table) const {
    return calls_root_ != nullptr && calls_root_ == root_table;
  }
  void PutWrappers(void* root_table);
  void LiftWrappers();
  void WatchCalls(void* root_table);
  static void Heartbeat(void* output);

  const Services services_;
  bool hooked_ = false;
  void* root_table_ = nullptr;
  bool running_ = false;        // it was in use before it was hooked
  void* calls_root_ = nullptr;  // the HsaApiTable of the runtime of ReportCalls
  LoadedBy loaded_by_ = LoadedBy::kToolsLib;
  ModeChoice choice_;  // mode and queue method of the packets
};

}  // namespace rtl::capture
