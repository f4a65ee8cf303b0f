// SPDX-License-Identifier: MIT
#include "sdk/library.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <new>

#include "base/log.h"
#include "base/thread_state.h"
#include "sdk/kinds.h"
#include "sdk/unproduced.h"

namespace rtl::sdk {
namespace {

constinit Library* the_library = nullptr;

void FinalizeAtExit() {
  if (the_library != nullptr) the_library->OnExit();
}

// OPERATION_NOT_FOUND if the kind lacks one of the operations.
rocprofiler_status_t SetOf(Service service, uint32_t kind,
                           const rocprofiler_tracing_operation_t* operations, size_t count,
                           OperationSet* set) {
  *set = {};
  if (operations == nullptr || count == 0) {
    set->AddAll();
    return ROCPROFILER_STATUS_SUCCESS;
  }
  for (size_t i = 0; i < count; ++i) {
    if (OperationName(service, kind, operations[i]) == nullptr)
      return ROCPROFILER_STATUS_ERROR_OPERATION_NOT_FOUND;
    set->Add(operations[i]);
  }
  return ROCPROFILER_STATUS_SUCCESS;
}

}  // namespace

Library* Library::Get() { return the_library; }

void Library::Make(capture::Session* session, const capture::CallSources& sources) {
  void* const memory = aligned_alloc(alignof(Library), sizeof(Library));
  if (memory != nullptr) the_library = new (memory) Library(session, sources);
}

// True: this or another call has done it.
bool Library::Initialize(rocprofiler_configure_func_t forced) {
  int expected = 0;
  if (!init_.compare_exchange_strong(expected, -1, std::memory_order_acq_rel)) return false;
  initializer_.store(ThreadId::Current(), std::memory_order_relaxed);  // read by this thread only
  clients_.Discover(forced);
  clients_.ConfigureAll(ROCPROFILER_VERSION, ROCPROFILER_VERSION_STRING, &current_tool_);
  if (!clients_.AnyTakesPart()) {  // one may come later, by rocprofiler_force_configure
    init_.store(0, std::memory_order_release);
    return false;
  }
  clients_.InitializeAll(FinalizeClient, &current_tool_);
  for (uint32_t i = 0; i < contexts_.count(); ++i) {
    Context& context = contexts_.at(i);
    if (!clients_.alive(context.client)) context.Close();
  }
  ReportUnproduced(&contexts_);
  (void)atexit(FinalizeAtExit);  // if it fails, tools are not finalized
  (void)at_quick_exit(FinalizeAtExit);
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
  init_.store(1, std::memory_order_release);
  return true;
}

void Library::UpdateDemand() {
  tracer_.async().UpdateDemand();
  hip_.UpdateDemand();
}

void Library::AwaitInitialized() {
  if (initializer_.load(std::memory_order_relaxed) == ThreadId::Current()) return;
  for (uint32_t ms = 0; init_status() < 0 && ms < kInitializeLimitMs; ++ms) {
    const timespec pause = {0, 1'000'000};
    (void)nanosleep(&pause, nullptr);  // if interrupted, the loop checks once more
  }
}

// False: only calls are subscribed, and they are reported without the engine.
bool Library::WantsEngine() {
  return tracer_.async().asked() || tracer_.counting().asked() || tracer_.device_counts().asked() ||
         tracer_.pc_samples().asked() ||
         contexts_.WithCallback(ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT) != 0;
}

void Library::Trace(void* hsa_table, capture::Session::LoadedBy loaded_by, bool running) {
  hsa_met_.store(true, std::memory_order_release);
  const bool engine = WantsEngine();
  // The engine queries agents; the other users query the agent of a pool or queue.
  if (engine || allocations_.Asked() || scratch_.Asked()) (void)topology();
  bool traced = false;
  if (engine) {
    const InternalThreads::Making making(&internal_threads_);
    traced =
        session_->OnToolLoad(hsa_table, loaded_by, running);  // false: it has printed the reason
  }
  // Registers once more: exit handlers run last in, first out, and the runtime must still work in
  // ours.
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (traced) {
    (void)pthread_once(&once, [] {
      (void)atexit(FinalizeAtExit);
      (void)at_quick_exit(FinalizeAtExit);
    });
  }
  if (!traced) session_->OpenToolHsa(hsa_table, engine);
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
  const bool hsa = InterceptTables::TableOf(name, 0) == ROCPROFILER_HSA_TABLE;
  if (hsa && loaded_by == capture::Session::LoadedBy::kToolsLib &&
      from_trace_.exchange(nullptr, std::memory_order_acq_rel) == tables[0])
    return;
  running |= asks_register_.load(std::memory_order_relaxed) == ThreadId::Current();
  if (hsa) Trace(tables[0], loaded_by, running);
  if (capture::HipTables::IsOne(name)) OnHipTable(name, version, tables[0]);
  if (InterceptTables::TableOf(name, 0) == ROCPROFILER_RCCL_TABLE)
    // False: no subscription, or it has printed the reason.
    (void)sources_.rccl->OpenToolTable(tables[0]);
  if (InterceptTables::TableOf(name, 0) == ROCPROFILER_MARKER_CORE_TABLE &&
      !markers_.OnTables(tables, count))
    return;
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
  // False: no context subscribes to its calls, or the reason was printed.
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

// Kernels and copies that have ended by now are reported, and their records are in the buffers.
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
  buffers_.ForEach([&](Buffer& buffer) {
    // It timed out, or this is the callback thread: either way the wait is over.
    if (contexts_.Find(buffer.context())->client == index && buffer.open()) (void)buffer.Flush();
  });
}

void Library::FinalizeTool(uint32_t index) {
  BringHome();
  for (uint32_t i = 0; i < contexts_.count(); ++i) {
    if (contexts_.at(i).client != index) continue;
    tracer_.device_counts().Stop(contexts_.at(i));
    tracer_.pc_samples().Stop(contexts_.at(i));
    tracer_.pc_samples().Release(contexts_.at(i));
    contexts_.at(i).Close();
  }
  AwaitCallers(index);
  DeliverTo(index);
  clients_.Finalize(index);
  buffers_.ForEach([&](Buffer& buffer) {
    if (contexts_.Find(buffer.context())->client != index) return;
    // Busy or destroyed: it gets no more callbacks after this one.
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

// A finalized tool frees the data that its callbacks use. A thread that finalizes a tool from
// inside a callback does not wait for itself.
void Library::AwaitCallers(uint32_t index) {
  const int32_t mine = ReentryGuard::Active() ? 1 : 0;
  int32_t inside = 0;
  for (uint32_t ms = 0; ms < kCallersLimitMs; ++ms) {
    inside = 0;
    for (uint32_t i = 0; i < contexts_.count(); ++i) {
      if (contexts_.at(i).client == index) inside += contexts_.at(i).inside();
    }
    inside += clients_.inside(index);
    if (inside <= mine) return;
    const timespec pause = {0, 1'000'000};
    (void)nanosleep(&pause, nullptr);  // if interrupted, the loop checks once more
  }
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
  if (!fini_.compare_exchange_strong(expected, -1, std::memory_order_acq_rel))
    return AwaitFinalized();
  finalizer_.store(ThreadId::Current(), std::memory_order_relaxed);  // read by this thread only
  StopEngine();
  WarnUntold();
  sources_.hip->FinishTools();
  tracer_.async().BeginLate();
  tracer_.code_objects()->AllGone();  // most programs unload at process exit
  for (uint32_t i = 0; i < clients_.count(); ++i) FinalizeTool(i);
  fini_.store(1, std::memory_order_release);
}

// The process may be about to end. A thread does not wait for itself: a tool may call exit in its
// finalize, or in a callback that another thread waits for.
void Library::AwaitFinalized() {
  if (finalizer_.load(std::memory_order_relaxed) == ThreadId::Current() || ReentryGuard::Active())
    return;
  for (uint32_t ms = 0; fini_status() < 0 && ms < kFinalizeLimitMs; ++ms) {
    const timespec pause = {0, 1'000'000};
    (void)nanosleep(&pause, nullptr);  // if interrupted, the loop checks once more
  }
}

// Events in flight may end within the exit budget. If a trace continues, so does the engine: events
// that are still pending then are lost for the tools only.
void Library::StopEngine() {
  session_->StopTools([](void* self) { return static_cast<const Library*>(self)->InFlight() != 0; },
                      this);
  for (EventKind kind : {EventKind::kKernel, EventKind::kCopy}) {
    const uint64_t left = tracer_.async().InFlight(kind);
    if (left != 0) tracer_.CountLoss(kind, Loss::kShutdown, left);
  }
}

// Exit handlers and destructors that are older than the tools run after their finalize.
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

// Buffers have drop counts; callbacks have no such count.
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

// Tools of the child are its own.
void Library::ForkedInChild() {
  if (init_status() == 0) return;
  forked_.store(true, std::memory_order_relaxed);
  calls_.Close();
  fini_.store(1, std::memory_order_relaxed);
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

rocprofiler_status_t Library::CreateContext(rocprofiler_context_id_t* id) {
  if (id == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  if (id->handle != 0) return ROCPROFILER_STATUS_ERROR_CONTEXT_ID_NOT_ZERO;
  if (!Configuring()) return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
  Context* const context = contexts_.Create(current_tool_.load(std::memory_order_acquire));
  if (context == nullptr) return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  *id = context->id;
  return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t Library::Start(rocprofiler_context_id_t id) {
  Context* const context = contexts_.Find(id);
  if (context == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  if (fini_status() != 0 || (!Configuring() && !clients_.alive(context->client))) {
    SayForked();
    return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
  }
  if (tracer_.counting().Conflicts(*context)) return ROCPROFILER_STATUS_ERROR_CONTEXT_CONFLICT;
  if (const rocprofiler_status_t status = tracer_.device_counts().Start(*context);
      status != ROCPROFILER_STATUS_SUCCESS)
    return status;
  (void)context->Start();  // it may be started already
  UpdateDemand();
  tracer_.pc_samples().Start(*context);
  return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t Library::Stop(rocprofiler_context_id_t id) {
  Context* const context = contexts_.Find(id);
  if (context == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  if (fini_status() > 0) return ROCPROFILER_STATUS_SUCCESS;
  if (context->Stop()) {
    UpdateDemand();
    tracer_.device_counts().Stop(*context);
    tracer_.pc_samples().Stop(*context);
    // A tool may start it again in the same callback, and nothing is seen until then: what is in
    // flight is reported when it ends.
    if (!ReentryGuard::Active() && !buffers_.OnCallbackThread()) BringHome();
    return ROCPROFILER_STATUS_SUCCESS;
  }
  return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
}

rocprofiler_status_t Library::CreateBuffer(rocprofiler_context_id_t context, size_t size,
                                           size_t watermark, rocprofiler_buffer_policy_t policy,
                                           rocprofiler_buffer_tracing_cb_t callback, void* data,
                                           rocprofiler_buffer_id_t* id) {
  if (!Configuring()) return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
  if (callback == nullptr || id == nullptr || size == 0 || size > Buffer::kMostBytes ||
      (policy != ROCPROFILER_BUFFER_POLICY_DISCARD && policy != ROCPROFILER_BUFFER_POLICY_LOSSLESS))
    return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  if (contexts_.Find(context) == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  Buffer::Options options = {};
  options.context = context;
  options.size = size;
  options.watermark = watermark;
  options.lossless = policy == ROCPROFILER_BUFFER_POLICY_LOSSLESS;
  options.callback = callback;
  options.data = data;
  return buffers_.Add(options, id);
}

rocprofiler_status_t Library::Flush(rocprofiler_buffer_id_t id) {
  if (fini_status() > 0) return ROCPROFILER_STATUS_ERROR_FINALIZED;
  Buffer* const buffer = FindBuffer(id);
  if (buffer == nullptr) return ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND;
  BringHome();
  return buffer->Flush();
}

rocprofiler_status_t Library::CreateThread(rocprofiler_callback_thread_t* id) {
  if (id == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  if (!Configuring()) return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
  return buffers_.AddThread(id);
}

rocprofiler_status_t Library::Assign(rocprofiler_buffer_id_t id,
                                     rocprofiler_callback_thread_t thread) {
  return Configuring() ? buffers_.Assign(id, thread)
                       : ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
}

rocprofiler_status_t Library::ConfigureBuffered(rocprofiler_context_id_t id, uint32_t kind,
                                                const rocprofiler_tracing_operation_t* operations,
                                                size_t count, rocprofiler_buffer_id_t buffer_id) {
  if (!Configuring()) return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
  if (kind == 0 || KindName(Service::kBuffer, kind) == nullptr)
    return ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND;
  Context* const context = contexts_.Find(id);
  if (context == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  Buffer* const buffer = FindBuffer(buffer_id);
  if (buffer == nullptr || buffer->context().handle != id.handle)
    return ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND;
  BufferService& service = context->buffers[kind];
  if (service.buffer != nullptr) return ROCPROFILER_STATUS_ERROR_SERVICE_ALREADY_CONFIGURED;
  const rocprofiler_status_t status =
      SetOf(Service::kBuffer, kind, operations, count, &service.operations);
  if (status == ROCPROFILER_STATUS_SUCCESS) service.buffer = buffer;
  return status;
}

rocprofiler_status_t Library::ConfigureCounting(rocprofiler_context_id_t id,
                                                rocprofiler_buffer_id_t buffer_id,
                                                Counting::Service service) {
  if (!Configuring()) return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
  if (service.dispatch == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  const Context* const context = contexts_.Find(id);
  if (context == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  if (service.record == nullptr) {
    service.buffer = FindBuffer(buffer_id);
    if (service.buffer == nullptr || service.buffer->context().handle != id.handle)
      return ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND;
  }
  if (tracer_.pc_samples().Has(*context)) return ROCPROFILER_STATUS_ERROR_CONTEXT_CONFLICT;
  return tracer_.counting().Configure(*context, service);
}

rocprofiler_status_t Library::ConfigureSampling(rocprofiler_context_id_t id,
                                                rocprofiler_agent_id_t agent_id,
                                                rocprofiler_pc_sampling_method_t method,
                                                rocprofiler_pc_sampling_unit_t unit,
                                                uint64_t interval,
                                                rocprofiler_buffer_id_t buffer_id) {
  if (!Configuring()) return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
  const rocprofiler_agent_t* const agent = AgentOf(agent_id);
  if (agent == nullptr) return ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND;
  const Context* const context = contexts_.Find(id);
  if (context == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  Buffer* const buffer = FindBuffer(buffer_id);
  if (buffer == nullptr) return ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND;
  if (tracer_.counting().Has(*context) || tracer_.device_counts().Has(*context))
    return ROCPROFILER_STATUS_ERROR_CONTEXT_CONFLICT;
  const rocprofiler_status_t status =
      tracer_.pc_samples().Configure(*context, *agent, method, unit, interval, buffer);
  if (status == ROCPROFILER_STATUS_SUCCESS) tracer_.async().NoteIn(&tracer_.pc_samples());
  return status;
}

rocprofiler_status_t Library::ConfigureDeviceCounting(
    rocprofiler_context_id_t id, rocprofiler_buffer_id_t buffer_id, rocprofiler_agent_id_t agent_id,
    rocprofiler_device_counting_service_cb_t callback, void* data) {
  if (!Configuring()) return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
  if (callback == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  const Context* const context = contexts_.Find(id);
  if (context == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  Buffer* const buffer = FindBuffer(buffer_id);
  if (buffer_id.handle != 0 && (buffer == nullptr || buffer->context().handle != id.handle))
    return ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND;
  const rocprofiler_agent_t* const agent = AgentOf(agent_id);
  if (agent == nullptr) return ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND;
  if (tracer_.counting().Has(*context) || tracer_.pc_samples().Has(*context))
    return ROCPROFILER_STATUS_ERROR_CONTEXT_CONFLICT;
  return tracer_.device_counts().Configure(*context, buffer, *agent, callback, data);
}

rocprofiler_status_t Library::ChooseDeviceCounts(rocprofiler_context_id_t id,
                                                 rocprofiler_counter_config_id_t config) {
  const Context* const context = contexts_.Find(id);
  return context == nullptr ? ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND
                            : tracer_.device_counts().Choose(*context, config);
}

rocprofiler_status_t Library::SampleDevices(rocprofiler_context_id_t id,
                                            rocprofiler_user_data_t user,
                                            rocprofiler_counter_flag_t flags,
                                            rocprofiler_counter_record_t* out, size_t* count) {
  const Context* const context = contexts_.Find(id);
  if (context == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  if (fini_status() != 0) return ROCPROFILER_STATUS_ERROR_FINALIZED;
  const bool wait = (flags & ROCPROFILER_COUNTER_FLAG_ASYNC) == 0;
  if (out != nullptr && (count == nullptr || !wait))
    return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  if (!context->active()) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_STARTED;
  if (out != nullptr && *count == 0) return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  if (!wait) {
    const InternalThreads::Making making(&internal_threads_);
    if (!tracer_.device_counts().StartThread()) return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  }
  return tracer_.device_counts().Sample(*context, user, wait, out, count);
}

rocprofiler_status_t Library::CreateCounterConfig(rocprofiler_agent_id_t id,
                                                  const rocprofiler_counter_id_t* counters,
                                                  size_t count,
                                                  rocprofiler_counter_config_id_t* config) {
  return tracer_.counting().CreateConfig(AgentOf(id), counters, count, config);
}

const rocprofiler_agent_t* Library::AgentOf(rocprofiler_agent_id_t id) {
  const Topology& all = topology();
  for (uint32_t i = 0; i < all.count(); ++i) {
    if (all.at(i).id.handle == id.handle) return &all.at(i);
  }
  return nullptr;
}

rocprofiler_status_t Library::ConfigureCallback(rocprofiler_context_id_t id, uint32_t kind,
                                                const rocprofiler_tracing_operation_t* operations,
                                                size_t count,
                                                rocprofiler_callback_tracing_cb_t callback,
                                                void* data) {
  if (!Configuring()) return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
  if (kind == 0 || KindName(Service::kCallback, kind) == nullptr)
    return ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND;
  Context* const context = contexts_.Find(id);
  if (context == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  if (callback == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  CallbackService& service = context->callbacks[kind];
  if (service.callback != nullptr) return ROCPROFILER_STATUS_ERROR_SERVICE_ALREADY_CONFIGURED;
  const rocprofiler_status_t status =
      SetOf(Service::kCallback, kind, operations, count, &service.operations);
  if (status != ROCPROFILER_STATUS_SUCCESS) return status;
  service.data = data;
  service.callback = callback;
  return status;
}

rocprofiler_status_t Library::ConfigureRequest(
    rocprofiler_context_id_t id, const rocprofiler_external_correlation_id_request_kind_t* kinds,
    size_t count, rocprofiler_external_correlation_id_request_cb_t callback, void* data) {
  if (!Configuring()) return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
  Context* const context = contexts_.Find(id);
  if (context == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  if (callback == nullptr || (kinds == nullptr) != (count == 0))
    return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  if (context->request.callback != nullptr)
    return ROCPROFILER_STATUS_ERROR_SERVICE_ALREADY_CONFIGURED;
  uint32_t bits = kinds == nullptr ? UINT32_MAX : 0;
  for (size_t i = 0; i < count; ++i) {
    uint32_t kind;
    memcpy(&kind, &kinds[i], sizeof kind);  // the tool's value may not be in the enumeration
    if (kind == ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_NONE ||
        kind >= ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_LAST)
      return ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND;
    bits |= uint32_t{1} << kind;
  }
  context->request = {callback, data, bits};
  return ROCPROFILER_STATUS_SUCCESS;
}

Topology& Library::topology() {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  (void)pthread_once(&once, [] { the_library->topology_.Load(Topology::kRoot); });
  return topology_;
}

rocprofiler_status_t SetDeviceCounts(rocprofiler_context_id_t context,
                                     rocprofiler_counter_config_id_t config) {
  Library* const library = Library::Get();
  return library == nullptr ? ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND
                            : library->ChooseDeviceCounts(context, config);
}

}  // namespace rtl::sdk
