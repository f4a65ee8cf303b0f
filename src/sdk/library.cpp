// SPDX-License-Identifier: MIT
#include "sdk/library.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <new>

#include "base/clock.h"
#include "base/log.h"
#include "base/thread_state.h"
#include "sdk/kinds.h"

namespace rtl::sdk {
namespace {

constinit Library* the_library = nullptr;

void FinalizeAtExit() { the_library->OnExit(); }

void FinalizeWhenTheProcessExits() {
  (void)atexit(FinalizeAtExit);  // if it fails, tools are not finalized
  (void)at_quick_exit(FinalizeAtExit);
}

}  // namespace

Library* Library::Get() { return the_library; }

void Library::Make(capture::Session* session, const capture::CallSources& sources) {
  void* const memory = aligned_alloc(alignof(Library), sizeof(Library));
  if (memory != nullptr) the_library = new (memory) Library(session, sources);
}

// Initialises the tools. False if this or another call has done so already.
bool Library::Initialize(rocprofiler_configure_func_t forced) {
  int expected = 0;
  if (!phase_.init.compare_exchange_strong(expected, -1, std::memory_order_acq_rel)) return false;
  // only compared with the own id
  initializer_.store(ThreadId::Current(), std::memory_order_relaxed);
  clients_.Discover(forced);
  clients_.ConfigureAll(ROCPROFILER_VERSION, ROCPROFILER_VERSION_STRING, &phase_.tool);
  if (!clients_.AnyTakesPart()) {  // a tool may come later, through rocprofiler_force_configure
    phase_.init.store(0, std::memory_order_release);
    return false;
  }
  clients_.InitializeAll(FinalizeClient, &phase_.tool);
  for (Context& context : contexts()) {
    if (!clients_.alive(context.client)) context.Close();
  }
  ReportUnproduced(contexts());
  FinalizeWhenTheProcessExits();
  scratch_.Open();
  retirement_.Open();
  calls_.Open();
  hip_.Open();
  if (hip_.asked()) hsa_.WatchInit(OnRuntimeUse);
  rccl_.Open();
  ompt_.Open();
  markers_.Open();
  tracer_.async().Open();
  tracer_.counting().Open();
  UpdateDemand();
  session_->UseTools(&tracer_);
  phase_.init.store(1, std::memory_order_release);
  return true;
}

void Library::UpdateDemand() {
  tracer_.async().UpdateDemand();
  hip_.UpdateDemand();
}

void Library::AwaitInitialized() {
  if (initializer_.load(std::memory_order_relaxed) == ThreadId::Current()) return;
  (void)WaitUntil(kInitializeLimitMs, [this] { return init_status() >= 0; });
}

// True if contexts need the engine. False if they subscribe only to calls, which are reported
// without it.
bool Library::WantsEngine() {
  return tracer_.async().asked() || tracer_.counting().asked() || tracer_.device_counts().asked() ||
         tracer_.pc_samples().asked() ||
         contexts().WithCallback(ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT) != 0;
}

void Library::Trace(void* hsa_table, capture::Session::LoadedBy loaded_by, bool running) {
  hsa_met_.store(true, std::memory_order_release);
  const bool engine = WantsEngine();
  // The engine queries agents; allocations and scratch memory query the agent of a pool or queue.
  if (engine || allocations_.Asked() || scratch_.Asked()) (void)topology();
  bool traced = false;
  if (engine) {
    const InternalThreads::Making making(&services_.internal_threads());
    traced =
        session_->OnToolLoad(hsa_table, loaded_by, running);  // on false it has printed the reason
  }
  if (traced) {
    // Once more, because exit handlers run last in, first out, and the runtime must still work when
    // this one runs.
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, FinalizeWhenTheProcessExits);
  } else {
    session_->OpenToolHsa(hsa_table, engine);
  }
  AskRegister();
  sources_.hip->OpenForTools();
}

void Library::OnRuntimeUse() { the_library->sources_.hip->OpenForTools(); }

bool Library::Ready() {
  if (!Initialize(nullptr)) AwaitInitialized();
  return init_status() == 1 && fini_status() == 0;
}

const capture::HipCallHooks* Library::OnHipPreload(const capture::PreloadedCalls& calls) {
  if (!Ready()) return nullptr;
  OnTraceLoad(session_->hooked_root(), true);
  runtimes_.OnHipCall();
  return sources_.hip->OpenToolPreload(calls);
}

ompt_start_tool_result_t* Library::OnOpenMp() { return Ready() ? ompt_.Start() : nullptr; }

const capture::RcclCallHooks* Library::OnRcclPreload() {
  if (!Ready()) return nullptr;
  runtimes_.OnRcclCall();
  return sources_.rccl->OpenToolPreload();
}

void Library::OnTables(const char* name, uint64_t version, uint64_t instance, void** tables,
                       uint64_t count, capture::Session::LoadedBy loaded_by, bool running) {
  if (!Ready()) {
    if (init_status() == 0) kept_.Keep(name, version, instance, tables, count, loaded_by);
    return;
  }
  const uint32_t first = InterceptTables::TableOf(name, 0);
  const bool hsa = first == ROCPROFILER_HSA_TABLE;
  if (hsa && loaded_by == capture::Session::LoadedBy::kToolsLib &&
      from_trace_.exchange(nullptr, std::memory_order_acq_rel) == tables[0])
    return;
  running |= asks_register_.load(std::memory_order_relaxed) == ThreadId::Current();
  if (hsa) Trace(tables[0], loaded_by, running);
  if (capture::HipTables::IsOne(name)) OnHipTable(name, version, tables[0]);
  if (first == ROCPROFILER_RCCL_TABLE)
    // False: no context subscribes, or the reason was printed.
    (void)sources_.rccl->OpenToolTable(tables[0]);
  if (first == ROCPROFILER_MARKER_CORE_TABLE && !markers_.OnTables(tables, count)) return;
  intercept_tables_.Tell(name, version, instance, tables, count);
  runtimes_.OnTables(name, version, instance);
}

void Library::OnHipTable(const char* name, uint64_t version, void* table) {
  CodeObjectEvents& code_objects = *tracer_.code_objects();
  if (strcmp(name, HostFunctions::kTable) == 0 && sources_.hip->TakesToolTables() &&
      code_objects.Asked(ROCPROFILER_CODE_OBJECT_HOST_KERNEL_SYMBOL_REGISTER)) {
    const Status taken = code_objects.host_functions().Take(table);
    if (!taken.ok()) {
      Warn("host functions are not reported to tools in process %d: %s", static_cast<int>(getpid()),
           taken.message());
    }
  }
  // False: no context subscribes to HIP calls, or the reason was printed.
  (void)sources_.hip->OpenToolTable(name, version, table);
}

void Library::OnTraceLoad(void* hsa_table, bool running) {
  if (hsa_table == nullptr || !Ready() || hsa_met_.load(std::memory_order_acquire)) return;
  OnTables("hsa", 0, 0, &hsa_table, 1, capture::Session::LoadedBy::kToolsLib, running);
  from_trace_.store(hsa_table, std::memory_order_release);
}

void Library::OnTraceUnload() {
  if (from_trace_.exchange(nullptr, std::memory_order_acq_rel) != nullptr) OnRuntimeGone();
}

void Library::OnRuntimeGone() {
  hsa_met_.store(false, std::memory_order_relaxed);
  kept_.Forget("hsa");
  session_->OnToolUnload();
}

// Reports kernels and copies that have ended by now; their records are then in the buffers.
void Library::BringHome() {
  if (!(tracer_.async().asked() || tracer_.counting().asked()) || init_status() != 1 ||
      forked_.load(std::memory_order_relaxed))
    return;
  tracer_.pc_samples().Flush();
  // False: the worker is stalled. It reports the remaining events later.
  (void)session_->SettleEnded();
}

// Delivers a tool's buffers while the tool can still take them.
void Library::DeliverTo(uint32_t index) {
  services_.buffers().ForEach([&](Buffer& buffer) {
    // An error of Flush means a timeout, or that this is the callback thread. In both cases there
    // is nothing more to wait for.
    if (contexts().Find(buffer.context())->client == index && buffer.open()) (void)buffer.Flush();
  });
}

void Library::FinalizeTool(uint32_t index) {
  BringHome();
  for (Context& context : contexts()) {
    if (context.client != index) continue;
    tracer_.device_counts().Stop(context);
    tracer_.pc_samples().Stop(context);
    tracer_.pc_samples().Release(context);
    context.Close();
  }
  AwaitCallers(index);
  DeliverTo(index);
  clients_.Finalize(index);
  services_.buffers().ForEach([&](Buffer& buffer) {
    if (contexts().Find(buffer.context())->client != index) return;
    // Destroy has no further effect if the buffer is in a callback or was destroyed before: it gets
    // no callbacks after this one.
    if (buffer.Destroy() != ROCPROFILER_STATUS_ERROR_BUFFER_BUSY) return;
    if (const uint64_t records = buffer.Waiting(); records != 0) {
      Warn(
          "a tool is finalized in process %d inside a callback of its buffer %llu, which did not "
          "end: at least %llu records did not reach it",
          static_cast<int>(getpid()), static_cast<unsigned long long>(buffer.id()),
          static_cast<unsigned long long>(records));
    }
  });
}

// Waits until no thread is in the tool's callbacks, because a finalized tool frees the data that
// they use. A thread that finalizes a tool from inside a callback does not wait for itself.
void Library::AwaitCallers(uint32_t index) {
  const int32_t mine = ReentryGuard::Active() ? 1 : 0;
  int32_t inside = 0;
  const auto left = [&] {
    inside = 0;
    for (const Context& context : contexts()) {
      if (context.client == index) inside += context.inside();
    }
    inside += clients_.inside(index);
    return inside <= mine;
  };
  if (WaitUntil(kCallersLimitMs, left)) return;
  Warn("a tool is finalized in process %d while %d threads are inside its callbacks, for %u ms now",
       static_cast<int>(getpid()), inside - mine, kCallersLimitMs);
}

void Library::OnExit() {
  session_->NoteExit();
  Finalize();
}

void Library::Finalize() {
  if (forked_.load(std::memory_order_relaxed) || init_status() != 1) return;
  int expected = 0;
  if (!phase_.fini.compare_exchange_strong(expected, -1, std::memory_order_acq_rel))
    return AwaitFinalized();
  // only compared with the own id
  finalizer_.store(ThreadId::Current(), std::memory_order_relaxed);
  StopEngine();
  WarnUntold();
  sources_.hip->FinishTools();
  tracer_.async().BeginLate();
  // reported here, because most programs unload code objects only when the process ends
  tracer_.code_objects()->AllGone();
  for (uint32_t i = 0; i < clients_.count(); ++i) FinalizeTool(i);
  phase_.fini.store(1, std::memory_order_release);
}

// Waits until another thread has finalized the tools, because the process may be about to end. A
// thread does not wait for itself: a tool may call exit in its finalize function, or in a callback
// for which another thread waits.
void Library::AwaitFinalized() {
  if (finalizer_.load(std::memory_order_relaxed) == ThreadId::Current() || ReentryGuard::Active())
    return;
  (void)WaitUntil(kFinalizeLimitMs, [this] { return fini_status() >= 0; });
}

// Lets events in flight end within the exit budget. If a trace continues, so does the engine, and
// events that are still pending are lost for the tools only.
void Library::StopEngine() {
  session_->StopTools([](void* self) { return static_cast<const Library*>(self)->InFlight() != 0; },
                      this);
  for (EventKind kind : {EventKind::kKernel, EventKind::kCopy}) {
    const uint64_t left = tracer_.async().InFlight(kind);
    if (left != 0) tracer_.CountLoss(kind, Loss::kShutdown, left);
  }
}

// Reports late events. Exit handlers and destructors that were registered before the tools run
// after the tools were finalized.
void Library::WarnLate() {
  if (forked_.load(std::memory_order_relaxed)) return;
  const uint64_t kernels = tracer_.async().late(EventKind::kKernel);
  const uint64_t copies = tracer_.async().late(EventKind::kCopy);
  if (kernels + copies == 0) return;
  Warn(
      "%llu kernels and %llu copies in process %d came after its tools were finalized, and were "
      "not reported to them",
      static_cast<unsigned long long>(kernels), static_cast<unsigned long long>(copies),
      static_cast<int>(getpid()));
}

// Reports losses of tools that have only callbacks: buffers report their drops to tools, but
// callbacks have no such number.
void Library::WarnUntold() {
  const uint64_t late_kernels = tracer_.unfinished(EventKind::kKernel);
  const uint64_t late_copies = tracer_.unfinished(EventKind::kCopy);
  if (late_kernels + late_copies != 0) {
    Warn(
        "%llu kernels and %llu copies in process %d had not ended when its tools were finalized: "
        "they count as dropped (kShutdown)",
        static_cast<unsigned long long>(late_kernels), static_cast<unsigned long long>(late_copies),
        static_cast<int>(getpid()));
  }
  const uint64_t kernels = tracer_.async().untold(EventKind::kKernel);
  const uint64_t copies = tracer_.async().untold(EventKind::kCopy);
  if (kernels + copies == 0) return;
  Warn("the end of %llu kernels and %llu copies was not reported to tools in process %d",
       static_cast<unsigned long long>(kernels), static_cast<unsigned long long>(copies),
       static_cast<int>(getpid()));
}

void Library::FinalizeClient(rocprofiler_client_id_t client) {
  Library& self = *the_library;
  const uint32_t index = self.clients_.IndexOf(client.handle);
  if (index == self.clients_.count() || self.forked_.load(std::memory_order_relaxed)) return;
  bool others = false;
  for (uint32_t i = 0; i < self.clients_.count(); ++i) {
    if (i != index && self.clients_.alive(i)) others = true;
  }
  if (others) return self.FinalizeTool(index);
  self.Finalize();
}

// The child of a fork has tools of its own.
void Library::ForkedInChild() {
  if (init_status() == 0) return;
  forked_.store(true, std::memory_order_relaxed);
  calls_.Close();
  phase_.fini.store(1, std::memory_order_relaxed);
}

void Library::SayForked() {
  static std::atomic<bool> said{false};
  if (!forked_.load(std::memory_order_relaxed) || said.exchange(true, std::memory_order_relaxed))
    return;
  Warn(
      "nothing is reported to tools in process %d: it is the child of a fork, and its parent had "
      "configured them; configure them in the child alone, or start it with exec",
      static_cast<int>(getpid()));
}

rocprofiler_status_t Library::AtTableRegistration(rocprofiler_intercept_library_cb_t callback,
                                                  int tables, void* data) {
  if (init_status() > 0) return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
  constexpr int kEvery = 2 * ROCPROFILER_TABLE_LAST - 1;
  if (callback == nullptr || (tables & ~kEvery) != 0)
    return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  return intercept_tables_.Add(callback, static_cast<uint32_t>(tables), data)
             ? ROCPROFILER_STATUS_SUCCESS
             : ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
}

rocprofiler_status_t Library::Start(rocprofiler_context_id_t id) {
  Context* const context = contexts().Find(id);
  if (context == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  if (fini_status() != 0 || (!phase_.configuring() && !clients_.alive(context->client))) {
    SayForked();
    return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
  }
  if (tracer_.counting().Conflicts(*context)) return ROCPROFILER_STATUS_ERROR_CONTEXT_CONFLICT;
  if (const rocprofiler_status_t status = tracer_.device_counts().Start(*context);
      status != ROCPROFILER_STATUS_SUCCESS)
    return status;
  (void)context->Start();  // may have been started already
  UpdateDemand();
  tracer_.pc_samples().Start(*context);
  return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t Library::Stop(rocprofiler_context_id_t id) {
  Context* const context = contexts().Find(id);
  if (context == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  if (fini_status() > 0) return ROCPROFILER_STATUS_SUCCESS;
  if (context->Stop()) {
    UpdateDemand();
    tracer_.device_counts().Stop(*context);
    tracer_.pc_samples().Stop(*context);
    // No waiting inside a tool's callback: the tool may start the context again there, and work in
    // flight is reported when it ends.
    if (!ReentryGuard::Active() && !services_.buffers().OnCallbackThread()) BringHome();
    return ROCPROFILER_STATUS_SUCCESS;
  }
  return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
}

rocprofiler_status_t Library::Flush(rocprofiler_buffer_id_t id) {
  if (fini_status() > 0) return ROCPROFILER_STATUS_ERROR_FINALIZED;
  Buffer* const buffer = services_.buffers().Find(id);
  if (buffer == nullptr) return ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND;
  BringHome();
  return buffer->Flush();
}

const rocprofiler_agent_t* Library::AgentOf(rocprofiler_agent_id_t id) {
  if (the_library == nullptr) return nullptr;
  for (const rocprofiler_agent_t& agent : the_library->topology()) {
    if (agent.id.handle == id.handle) return &agent;
  }
  return nullptr;
}

Context* Library::ContextOf(rocprofiler_context_id_t id) {
  return the_library == nullptr ? nullptr : the_library->contexts().Find(id);
}

Topology& Library::topology() {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  (void)pthread_once(&once, [] { the_library->topology_.Load(Topology::kRoot); });
  return topology_;
}

rocprofiler_status_t SetDeviceCounts(rocprofiler_context_id_t context,
                                     rocprofiler_counter_config_id_t config) {
  return the_library->services().ChooseDeviceCounts(context, config);
}

}  // namespace rtl::sdk
