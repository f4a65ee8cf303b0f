// SPDX-License-Identifier: MIT
// library.h: the implementation of the C functions: the life of tools, and the engine
// below them. services.h has what tools configure.
//
//   state          entered by                                allowed
//   new            -                                         queries; ForceConfigure
//   initialising   ForceConfigure, or the first runtime      tools make contexts, buffers, services
//   initialised    -                                         start, stop, flush, query
//   finalizing     exit, or the tools themselves             flush, stop
//   finalized      -                                         queries
//
// Threads    any
// Blocking   a second thread that arrives while tools are initialised waits for at most
//            kInitializeLimitMs. Finalize waits until no thread is inside a tool's callbacks, at
//            most kCallersLimitMs for each tool, and until its buffers are delivered. Detach also
//            waits for kernels in flight. If another thread finalizes already, it waits for at most
//            kFinalizeLimitMs. Flush: buffer.h of the interface
// Memory     one per process, never destroyed
// Errors     statuses of the interface
// Why        docs/adr/0051-one-engine.md
#pragma once

#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>
#include <stdint.h>

#include <atomic>

#include "capture/sources/sources.h"
#include "sdk/agents/topology.h"
#include "sdk/calls/api_calls.h"
#include "sdk/clients.h"
#include "sdk/contexts/contexts.h"
#include "sdk/contexts/retirement.h"
#include "sdk/counting/counter_info.h"
#include "sdk/hip/hip_tracing.h"
#include "sdk/hsa/hsa_tracing.h"
#include "sdk/intercept_tables.h"
#include "sdk/kept_tables.h"
#include "sdk/marker/marker_tracing.h"
#include "sdk/memory/allocations.h"
#include "sdk/memory/scratch_memory.h"
#include "sdk/ompt/ompt_tracing.h"
#include "sdk/rccl/rccl_tracing.h"
#include "sdk/runtime_events.h"
#include "sdk/services.h"
#include "sdk/tracer.h"

namespace rtl::sdk {

class Library {
 public:
  static constexpr uint32_t kInitializeLimitMs = 10'000;
  static constexpr uint32_t kCallersLimitMs = 2'000;
  static constexpr uint32_t kFinalizeLimitMs = 10'000;

  Library(capture::Session* session, const capture::CallSources& sources)
      : session_(session),
        sources_(sources),
        retirement_(&contexts()),
        tracer_(&contexts(), &topology_, &retirement_),
        calls_(&contexts(), &retirement_),
        allocations_(&contexts(), &calls_, &topology_),
        scratch_(&contexts(), &calls_, &tracer_.async(), &retirement_, &topology_),
        hsa_(&calls_, &allocations_, &scratch_),
        hip_(&contexts(), &calls_),
        rccl_(&calls_),
        ompt_(&calls_),
        markers_(&calls_),
        runtimes_(&contexts()) {
    tracer_.Use(&hip_, &rccl_, &hsa_);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  // The instance of this process; null if there was no memory for it.
  static Library* Get();
  static void Make(capture::Session* session, const capture::CallSources& sources);

  rocprofiler_status_t ForceConfigure(rocprofiler_configure_func_t configure);
  // Attaches tools at the request of another process. The first time, the tools are loaded and
  // configured. The program's environment is not changed (library_attach.cpp).
  Status Attach(const char* libraries);
  rocprofiler_status_t Detach();
  // -1: running now, 0: not yet, 1: done.
  int init_status() const { return phase_.init.load(std::memory_order_acquire); }
  int fini_status() const { return phase_.fini.load(std::memory_order_acquire); }

  // A runtime was loaded: the library that registers as `name` has passed these tables. Tools get
  // the tables after the tracer's wrappers are installed. `running`: the library has been in use
  // before.
  void OnTables(const char* name, uint64_t version, uint64_t instance, void** tables,
                uint64_t count, capture::Session::LoadedBy loaded_by, bool running = false);
  void OnRuntimeGone();
  // The trace has hooked a runtime, or is about to lose it. Tools that are found now, or were found
  // before at a call of HIP, join this runtime, because it may have registered with the trace only.
  void OnTraceLoad(void* hsa_table, bool running = false);
  void OnTraceUnload();
  // librtl_hip.so calls this at the process's first HIP call. Returns null if there is no listener.
  const capture::HipCallHooks* OnHipPreload(const capture::PreloadedCalls& calls);
  // librtl_rccl.so calls this at the process's first RCCL call. Returns null if there is no
  // listener.
  const capture::RcclCallHooks* OnRcclPreload();
  // An OpenMP runtime calls this to get a tool. Returns null if there is none.
  ompt_start_tool_result_t* OnOpenMp();
  OmptTracing& ompt() { return ompt_; }
  void Finalize();
  // Calls Finalize in an exit handler.
  void OnExit();
  // The process ends: reports events that came after the tools were finalized.
  void WarnLate();
  void ForkedInChild();

  rocprofiler_status_t Start(rocprofiler_context_id_t id);
  rocprofiler_status_t Stop(rocprofiler_context_id_t id);
  Services& services() { return services_; }
  Contexts& contexts() { return services_.contexts(); }

  rocprofiler_status_t AtTableRegistration(rocprofiler_intercept_library_cb_t callback, int tables,
                                           void* data);
  rocprofiler_status_t Flush(rocprofiler_buffer_id_t id);

  Counting& counting() { return tracer_.counting(); }
  CounterInfo& counter_info() { return counter_info_; }
  // Both return null if there is no such agent or context, or no library.
  static const rocprofiler_agent_t* AgentOf(rocprofiler_agent_id_t id);
  static Context* ContextOf(rocprofiler_context_id_t id);

  Topology& topology();

 private:
  bool Initialize(rocprofiler_configure_func_t forced);
  // Called when contexts start or stop: the engine only passes kernels, copies and HIP calls
  // through while no started context subscribes to them.
  void UpdateDemand();
  void AwaitInitialized();
  void FinalizeTool(uint32_t index);
  void AwaitCallers(uint32_t index);
  void AwaitFinalized();
  void AwaitInFlight();
  void BringHome();
  uint64_t InFlight() const {
    return tracer_.async().InFlight(EventKind::kKernel) +
           tracer_.async().InFlight(EventKind::kCopy);
  }
  void StopEngine();
  void DeliverTo(uint32_t index);
  void WarnUntold();
  void SayForked();
  void SayRefused(rocprofiler_configure_func_t configure);
  static void FinalizeClient(rocprofiler_client_id_t client);
  // True after tools are initialised and before they are finalized.
  bool Ready();
  static void OnRuntimeUse();
  bool WantsEngine();
  void Trace(void* hsa_table, capture::Session::LoadedBy loaded_by, bool running);
  void TakeKept();
  void AskRegister();
  Status FindHsaRoot(void** root);
  bool HearsRuntime();
  bool JoinHsa(void* root);
  Status Join(const char* libraries);
  Status AttachTools();
  bool DetachTool(uint32_t index);
  static void DetachClient(rocprofiler_client_id_t client);
  void OnHipTable(const char* name, uint64_t version, void* table);

  capture::Session* const session_;
  const capture::CallSources sources_;
  Phase phase_;
  std::atomic<bool> forked_{false};
  std::atomic<uint32_t> initializer_{0};    // thread id
  std::atomic<uint32_t> finalizer_{0};      // thread id
  std::atomic<bool> hsa_met_{false};        // tools have got the tables of a runtime
  std::atomic<void*> from_trace_{nullptr};  // a table that only OnTraceLoad has passed
  std::atomic<uint32_t> asks_register_{0};  // the thread that is inside AskRegister; zero: none
  std::atomic<bool> from_outside_{false};   // tools were attached by another process
  std::atomic<bool> attaching_{false};
  std::atomic<uint64_t> stopped_{0};  // contexts that Detach has stopped, as bits
  KeptTables kept_;
  Topology topology_;
  Clients clients_;
  InterceptTables intercept_tables_;
  Services services_{&phase_, &tracer_};
  Retirement retirement_;
  Tracer tracer_;
  CounterInfo counter_info_{&tracer_.counting()};
  ApiCalls calls_;
  Allocations allocations_;
  ScratchMemory scratch_;
  HsaTracing hsa_;
  HipTracing hip_;
  RcclTracing rccl_;
  OmptTracing ompt_;
  MarkerTracing markers_;
  RuntimeEvents runtimes_;
};

}  // namespace rtl::sdk
