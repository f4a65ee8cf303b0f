// SPDX-License-Identifier: MIT
#include "capture/hooks/hsa_capture.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "base/bell.h"
#include "base/clock.h"
#include "base/self_kept_clock.h"
#include "base/thread_state.h"
#include "capture/counters/kernel_counting.h"
#include "capture/hip/open_call.h"
#include "capture/hooks/copy_hooks.h"
#include "capture/hooks/wait_hooks.h"
#include "capture/hsa/agents.h"
#include "capture/hsa/mode_choice.h"
#include "capture/queue/async_copies.h"
#include "capture/queue/forwarder.h"
#include "capture/queue/packet_origins.h"
#include "capture/queue/queue_registry.h"
#include "capture/queue/submission_watcher.h"
#include "capture/queue/traced_queue.h"
#include "capture/signal/app_signals.h"
#include "capture/signal/signal_marks.h"
#include "capture/signal/signal_pool.h"
#include "capture/worker/worker.h"

namespace rtl::capture {

enum class CaptureState : uint8_t { kTracing, kStopped, kUnloaded, kChild };

struct HsaCapture::Impl {
  std::atomic<CaptureState> state{CaptureState::kUnloaded};
  // How often the application has initialised the runtime. OnLoad runs during the first time.
  std::atomic<int64_t> runtime_uses{1};
  HsaTables* tables = nullptr;
  HsaApi api;
  std::atomic<uint64_t> exit_budget_ns{0};  // what is left of the exit budget
  HookState hook_state;
  QueueServices services;
  Bell bell;
  SignalPool pool;
  AppSignalTable app_signals;
  SignalMarks marks;
  Agents agents;
  AsyncCopies copies;
  QueueRegistry queues;
  Forwarder forwarder;
  Worker worker;
  OriginTable origins;
  // a queue that is not known was created before the hooks were installed
  std::atomic<bool> adopts{false};
  KernelCounting counting;
  void (*on_runtime_use)(void* data) = nullptr;
  void (*on_last_shut_down)(void* data) = nullptr;
  void* runtime_data = nullptr;

  Status StartThreads(const CaptureOptions& options, const Impl* before);
  void Configure(HsaTables* open_tables, RecordSink* sink, KernelLookup* kernels,
                 const CaptureOptions& options, const Impl* before);
  Status StartCounting(const CaptureOptions& options);
  Status PutHooks(const CaptureOptions& options);
  Status PutQueueHooks();
  Status PutMovedHooks();
  Status PutOriginHooks();
  void Stop();
};

std::atomic<HsaCapture::Impl*> HsaCapture::installed_{nullptr};

struct Hooks {
  using Impl = HsaCapture::Impl;

  // The object is set before a hook can be called, and is not reset while one can be.
  static Impl& Get() { return *HsaCapture::installed_.load(std::memory_order_acquire); }

  static hsa_status_t Init() {
    Impl& impl = Get();
    const hsa_status_t status = impl.api.init();
    if (status != HSA_STATUS_SUCCESS) return status;
    impl.runtime_uses.fetch_add(1, std::memory_order_relaxed);
    if (impl.on_runtime_use != nullptr) impl.on_runtime_use(impl.runtime_data);
    return status;
  }

  // After this call newer runtimes (7.2) return "not initialised" from all functions, until after
  // OnUnload. So ended kernels are read before it: their times could not be converted afterwards.
  static hsa_status_t ShutDown() {
    Impl& impl = Get();
    if (impl.runtime_uses.fetch_sub(1, std::memory_order_relaxed) == 1) {
      impl.Stop();
      impl.queues.StopMoving();
      if (impl.on_last_shut_down != nullptr) impl.on_last_shut_down(impl.runtime_data);
    }
    return impl.api.shut_down();
  }

  static hsa_status_t QueueCreate(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
                                  QueueErrorCallback callback, void* data,
                                  uint32_t private_segment_size, uint32_t group_segment_size,
                                  hsa_queue_t** queue) {
    return Get().queues.Create(
        {agent, size, type, callback, data, private_segment_size, group_segment_size}, queue);
  }

  static hsa_status_t InterceptCreate(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
                                      QueueErrorCallback callback, void* data,
                                      uint32_t private_segment_size, uint32_t group_segment_size,
                                      hsa_queue_t** queue) {
    return Get().queues.CreateIntercept(
        {agent, size, type, callback, data, private_segment_size, group_segment_size}, queue);
  }

  static hsa_status_t AmdQueueCreate(hsa_agent_t agent, QueueDescriptor* descriptors,
                                     uint32_t count) {
    return Get().queues.CreateDescribed(agent, descriptors, count);
  }

  static hsa_status_t QueueDestroy(hsa_queue_t* queue) { return Get().queues.Destroy(queue); }

  static hsa_status_t SignalDestroy(hsa_signal_t signal) {
    Impl& impl = Get();
    impl.app_signals.BeforeDestroy(signal);
    impl.forwarder.WaitFor(signal);
    return impl.api.signal_destroy(signal);
  }

  static void StoreRelaxed(hsa_signal_t signal, hsa_signal_value_t value) {
    Impl& impl = Get();
    impl.copies.BeforeSet(signal, value);
    impl.queues.doorbells().Store(signal, value, impl.api.signal_store_relaxed);
  }
  static void StoreScrelease(hsa_signal_t signal, hsa_signal_value_t value) {
    Impl& impl = Get();
    impl.copies.BeforeSet(signal, value);
    impl.queues.doorbells().Store(signal, value, impl.api.signal_store_screlease);
  }
  static void SilentStoreRelaxed(hsa_signal_t signal, hsa_signal_value_t value) {
    Impl& impl = Get();
    impl.copies.BeforeSet(signal, value);
    impl.queues.doorbells().Store(signal, value, impl.api.signal_silent_store_relaxed);
  }
  static void SilentStoreScrelease(hsa_signal_t signal, hsa_signal_value_t value) {
    Impl& impl = Get();
    impl.copies.BeforeSet(signal, value);
    impl.queues.doorbells().Store(signal, value, impl.api.signal_silent_store_screlease);
  }

  static hsa_status_t SetProfiling(hsa_queue_t* queue, int enable) {
    return Get().queues.SetProfiling(queue, enable);
  }

  // For a moved queue these requests go to the queue that the GPU reads.
  static hsa_status_t QueueInactivate(hsa_queue_t* queue) {
    return Get().api.queue_inactivate(Get().queues.GpuQueueOf(queue));
  }
  static hsa_status_t SetMask(const hsa_queue_t* queue, uint32_t bits, const uint32_t* mask) {
    return Get().api.amd_queue_cu_set_mask(Get().queues.GpuQueueOf(queue), bits, mask);
  }
  static hsa_status_t GetMask(const hsa_queue_t* queue, uint32_t bits, uint32_t* mask) {
    return Get().api.amd_queue_cu_get_mask(Get().queues.GpuQueueOf(queue), bits, mask);
  }
  static hsa_status_t SetPriority(hsa_queue_t* queue, uint32_t priority) {
    return Get().api.amd_queue_set_priority(Get().queues.GpuQueueOf(queue), priority);
  }
  static hsa_status_t QueueGetInfo(hsa_queue_t* queue, uint32_t attribute, void* value) {
    return Get().api.amd_queue_get_info(Get().queues.GpuQueueOf(queue), attribute, value);
  }

  // HOT: the thread that reserves packets is recorded as their origin.
  template <auto kReserve>
  static uint64_t AddWriteIndex(const hsa_queue_t* queue, uint64_t count) {
    Impl& impl = Get();
    const uint64_t index = (impl.api.*kReserve)(queue, count);
    OpenCall::NoteReserved(count);
    if (!impl.hook_state.armed.load(std::memory_order_relaxed) || impl.hook_state.Quiet())
      return index;
    PacketOrigins* origins = impl.origins.Find(queue);
    if (origins == nullptr && impl.adopts.load(std::memory_order_relaxed)) [[unlikely]] {
      impl.queues.AdoptRunning(queue, index);
      origins = impl.origins.Find(queue);
    }
    if (origins != nullptr) {
      const PacketOrigin origin = {OpenCall::Recorded(), OpenCall::Correlation(),
                                   ThreadId::Current()};
      if (impl.services.watcher != nullptr && origin.tool_correlation != 0) [[unlikely]] {
        impl.services.watcher->PacketsReserved(origin.tool_correlation, count);
      }
      origins->Note(index, count, origin);
    }
    return index;
  }
};

void HsaCapture::Impl::Configure(HsaTables* open_tables, RecordSink* sink, KernelLookup* kernels,
                                 const CaptureOptions& options, const Impl* before) {
  tables = open_tables;
  api = open_tables->api();
  exit_budget_ns = options.exit_budget_ns;
  pool.Init(&api, options.kept_signals);
  app_signals.Init(&api);
  hook_state.demand = options.demand;
  hook_state.tools.store(options.tools, std::memory_order_relaxed);
  services.state = &hook_state;
  services.api = &api;
  services.sink = sink;
  services.kernels = kernels;
  services.pool = &pool;
  services.app_signals = &app_signals;
  services.bell = &bell;
  services.forwarder = &forwarder;
  services.marks = options.bring_home ? &marks : nullptr;
  services.lite = options.mode == Mode::kLite;
  // If a mode that leaves batches out ran where the runtime can safely hand batches over, it would
  // lose most kernels of a burst.
  const Handover handover = HandoverOf(*open_tables);
  services.whole_batches = options.mode == Mode::kFull || handover == Handover::kBatches ||
                           options.queues == QueueMethod::kDoorbell;
  services.barriers = options.barriers;
  services.always_forward = options.app_signals == AppSignals::kForward;
  services.pending_limit = options.pending_per_queue;
  services.in_flight = options.in_flight;
  services.room_wait_ns = options.room_wait_ns;
  services.stall_ns =
      options.room_wait_ns == 0 ? static_cast<int64_t>(options.stall_ns) : INT64_MAX;
  services.origins = options.note_origins ? &origins : nullptr;
  services.watcher = options.watcher;
  adopts.store(options.running, std::memory_order_relaxed);
  AsyncCopies::Services for_copies;
  for_copies.state = &hook_state;
  for_copies.api = &api;
  for_copies.sink = sink;
  for_copies.app_signals = &app_signals;
  for_copies.bell = &bell;
  for_copies.marks = services.marks;
  for_copies.watcher = options.watcher;
  for_copies.lite = services.lite;
  for_copies.running = options.running;
  for_copies.room_wait_ns = options.room_wait_ns;
  copies.Init(for_copies, &agents, before == nullptr ? 1 : before->copies.next_copy());
  on_runtime_use = options.on_runtime_use;
  on_last_shut_down = options.on_last_shut_down;
  runtime_data = options.runtime_data;
  QueueRegistry::Options for_queues;
  for_queues.agents = &agents;
  for_queues.submitted = options.submitted;
  for_queues.method = options.queues;
  for_queues.watcher = options.queue_watcher;
  // A runtime that hands over batches takes a full hardware ring for an empty one and overfills it.
  // This was seen with AMD's 7.14, where the packet processor then waits for packets that were
  // overwritten.
  const bool overfills = open_tables->root_major() < 2 || handover != Handover::kOneByOne;
  for_queues.guard_rings = overfills || options.counter_user != nullptr;
  if (before != nullptr) for_queues.first_queue = before->queues.next_queue();
  queues.Init(&services, for_queues);
}

Status HsaCapture::Impl::PutOriginHooks() {
#define RTL_PUT(slot) RTL_TRY(tables->Replace(HsaSlot::slot, &Hooks::AddWriteIndex<&HsaApi::slot>))
  RTL_PUT(queue_add_write_index_scacq_screl);
  RTL_PUT(queue_add_write_index_scacquire);
  RTL_PUT(queue_add_write_index_relaxed);
  RTL_PUT(queue_add_write_index_screlease);
#undef RTL_PUT
  return Status::Ok();
}

Status HsaCapture::Impl::PutMovedHooks() {
  RTL_TRY(tables->Replace(HsaSlot::queue_inactivate, &Hooks::QueueInactivate));
#define RTL_PUT(slot, hook) \
  if (api.slot != nullptr) RTL_TRY(tables->Replace(HsaSlot::slot, &Hooks::hook))
  RTL_PUT(amd_queue_cu_set_mask, SetMask);
  RTL_PUT(amd_queue_cu_get_mask, GetMask);
  RTL_PUT(amd_queue_set_priority, SetPriority);
  RTL_PUT(amd_queue_get_info, QueueGetInfo);
#undef RTL_PUT
  return Status::Ok();
}

Status HsaCapture::Impl::PutQueueHooks() {
  if (services.counting != nullptr) RTL_TRY(PutMovedHooks());
  if (services.origins != nullptr) RTL_TRY(PutOriginHooks());
  RTL_TRY(tables->Replace(HsaSlot::amd_profiling_set_profiler_enabled, &Hooks::SetProfiling));
  RTL_TRY(tables->Replace(HsaSlot::queue_destroy, &Hooks::QueueDestroy));
  RTL_TRY(tables->Replace(HsaSlot::amd_queue_intercept_create, &Hooks::InterceptCreate));
  if (api.amd_queue_create != nullptr) {
    RTL_TRY(tables->Replace(HsaSlot::amd_queue_create, &Hooks::AmdQueueCreate));
  }
  return tables->Replace(HsaSlot::queue_create, &Hooks::QueueCreate);
}

Status HsaCapture::Impl::PutHooks(const CaptureOptions& options) {
  RTL_TRY(tables->Replace(HsaSlot::init, &Hooks::Init));
  RTL_TRY(tables->Replace(HsaSlot::shut_down, &Hooks::ShutDown));
  if (!options.kernels && !options.copies) return Status::Ok();
  RTL_TRY(tables->Replace(HsaSlot::signal_destroy, &Hooks::SignalDestroy));
  // Hooked for every interception method, because some queues can only be seen at their doorbells.
  RTL_TRY(tables->Replace(HsaSlot::signal_store_relaxed, &Hooks::StoreRelaxed));
  RTL_TRY(tables->Replace(HsaSlot::signal_store_screlease, &Hooks::StoreScrelease));
  RTL_TRY(tables->Replace(HsaSlot::signal_silent_store_relaxed, &Hooks::SilentStoreRelaxed));
  RTL_TRY(tables->Replace(HsaSlot::signal_silent_store_screlease, &Hooks::SilentStoreScrelease));
  if (options.copies) {
    copy_hooks::Aim(&api, &copies);
    RTL_TRY(copy_hooks::Put(tables));
  }
  if (services.marks != nullptr) {
    wait_hooks::Aim(&api, &hook_state, &marks, &worker, services.origins != nullptr);
    RTL_TRY(wait_hooks::Put(tables));
  }
  return options.kernels ? PutQueueHooks() : Status::Ok();
}

Status HsaCapture::Impl::StartCounting(const CaptureOptions& options) {
  if (tables->root_major() < 2) return Status::Error("counting needs ROCm 6.0 or later");
  KernelCounting::Options counters;
  counters.api = &api;
  counters.root_table = options.root_table;
  counters.agents = &agents;
  counters.user = options.counter_user;
  counters.library = options.counter_library;
  if (options.counter_bound_ns != 0) counters.bound_ns = options.counter_bound_ns;
  RTL_TRY(counting.Start(counters));
  services.counting = &counting;
  return Status::Ok();
}

// `before`: the object of an earlier runtime, whose numbers are continued; may be null.
Status HsaCapture::Impl::StartThreads(const CaptureOptions& options, const Impl* before) {
  if (before != nullptr) hook_state.launches = before->hook_state.launches.load();
  RTL_TRY(forwarder.Start(&api, &app_signals, &hook_state));
  Harvester::Services for_harvester;
  for_harvester.state = &hook_state;
  for_harvester.api = &api;
  for_harvester.sink = services.sink;
  for_harvester.pool = &pool;
  for_harvester.app_signals = &app_signals;
  for_harvester.forwarder = &forwarder;
  for_harvester.counting = services.counting;
  Worker::Services for_worker;
  for_worker.state = &hook_state;
  for_worker.sink = services.sink;
  for_worker.bell = &bell;
  for_worker.pool = &pool;
  for_worker.forwarder = &forwarder;
  for_worker.copies = &copies;
  for_worker.queues = &queues;
  for_worker.room_wait_ns = options.room_wait_ns;
  Status status = worker.Start(for_worker, for_harvester, options.counters,
                               {options.heartbeat, options.heartbeat_data},
                               before == nullptr ? 1 : before->worker.harvester().next_barrier());
  if (!status.ok()) forwarder.Join();
  return status;
}

HsaCapture::HsaCapture() : impl_(nullptr) {}

HsaCapture::~HsaCapture() {
  if (impl_ == nullptr) return;
  Unload();
  installed_.store(nullptr, std::memory_order_release);
  impl_->~Impl();
  (void)munmap(impl_, sizeof(Impl));
}

Status HsaCapture::Install(HsaTables* tables, RecordSink* sink, KernelLookup* kernels,
                           const CaptureOptions& options) {
  // the object of an unloaded runtime, which late threads may still use
  const Impl* const before = impl_;
  if (before != nullptr && before->state != CaptureState::kUnloaded) {
    return Status::Error("the HSA hooks were installed before");
  }
  return InstallAfter(before, tables, sink, kernels, options);
}

// The hooks stay in the tables and call the new object.
Status HsaCapture::Reinstall(RecordSink* sink, KernelLookup* kernels,
                             const CaptureOptions& options) {
  Impl* const before = impl_;
  if (before->queues.created() != 0) return Status::Error("the program has queues already");
  before->Stop();
  before->worker.Join();
  before->state = CaptureState::kUnloaded;
  RTL_TRY(InstallAfter(before, before->tables, sink, kernels, options));
  impl_->runtime_uses = before->runtime_uses.load();
  return Status::Ok();
}

bool HsaCapture::HasQueues() const { return impl_ != nullptr && impl_->queues.created() != 0; }

Status HsaCapture::AddTools(const CaptureOptions& options) {
  Impl& impl = *impl_;
  impl.on_runtime_use = options.on_runtime_use;
  impl.services.watcher = options.watcher;  // used for queues that are created from now on
  if (!impl.queues.TellOf(options.watcher, &impl.origins)) {
    impl.services.watcher = nullptr;
    return Status::Error("no memory for the origins of packets");
  }
  impl.services.origins = &impl.origins;
  impl.copies.Tell(options.watcher);
  impl.hook_state.tools.store(options.tools, std::memory_order_relaxed);
  // queues that the trace does not see are adopted, too
  impl.adopts.store(true, std::memory_order_relaxed);
  return impl.PutHooks(options);
}

Status HsaCapture::TellAgents(RecordSink* sink) const {
  return impl_->agents.Tell(impl_->api, sink);
}

Status HsaCapture::InstallAfter(const Impl* before, HsaTables* tables, RecordSink* sink,
                                KernelLookup* kernels, const CaptureOptions& options) {
  void* const memory =
      mmap(nullptr, sizeof(Impl), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return Status::Error("no memory for the HSA hooks");
  // without a value initialiser: the memory is zero already, and writing zeros would touch each
  // page
  impl_ = new (memory) Impl;
  Impl& impl = *impl_;
  impl.Configure(tables, sink, kernels, options, before);
  RTL_TRY(impl.agents.Load(impl.api));
  counting_ = options.counter_user == nullptr ? Status::Ok() : impl.StartCounting(options);
  // If the runtime refuses to create signals now, it may do so later; until then kernels are lost
  // as kNoSignal.
  (void)impl.pool.Grow(options.first_signals);
  if (Status status = impl.StartThreads(options, before); !status.ok()) {
    impl.pool.DestroyFree();
    return status;
  }
  installed_.store(&impl, std::memory_order_release);
  impl.hook_state.armed.store(true, std::memory_order_relaxed);
  impl.state = CaptureState::kTracing;
  if (Status status = impl.PutHooks(options); !status.ok()) {
    Unload();
    return status;
  }
  return Status::Ok();
}

void HsaCapture::Impl::Stop() {
  CaptureState expected = CaptureState::kTracing;
  if (!state.compare_exchange_strong(expected, CaptureState::kStopped) &&
      expected != CaptureState::kStopped) {
    return;
  }
  // the worker makes this store visible to the hooks
  hook_state.armed.store(false, std::memory_order_relaxed);
  const uint64_t budget = exit_budget_ns.load(std::memory_order_relaxed);
  worker.Stop(budget);  // a second caller waits until the same stop has ended
  counting.Stop(budget);
}

void HsaCapture::NoteExit() {
  if (impl_ != nullptr) impl_->hook_state.exiting.store(true, std::memory_order_relaxed);
}

void HsaCapture::AwaitEnds() {
  if (impl_ == nullptr || impl_->state.load() != CaptureState::kTracing) return;
  const uint64_t budget = impl_->exit_budget_ns.load(std::memory_order_relaxed);
  const uint64_t start = BootTimeNs();
  const bool all = impl_->worker.AwaitEnds(start + budget);
  if (!all) impl_->hook_state.gave_up_waiting.store(true, std::memory_order_relaxed);
  const uint64_t waited = all ? 0 : BootTimeNs() - start;
  const uint64_t left = waited < budget ? budget - waited : 0;
  impl_->counting.Stop(left);
  // Threads that go on launching need time to leave the hooks after these are disarmed.
  impl_->exit_budget_ns.store(std::max(left, budget / 10), std::memory_order_relaxed);
}

void HsaCapture::Stop() {
  if (impl_ != nullptr) impl_->Stop();
}

bool HsaCapture::SettleEnded() {
  return impl_ == nullptr || (impl_->worker.SettleEnded() && impl_->counting.Settle());
}

void HsaCapture::Unload() {
  if (impl_ == nullptr) return;
  Stop();
  CaptureState expected = CaptureState::kStopped;
  if (!impl_->state.compare_exchange_strong(expected, CaptureState::kUnloaded)) return;
  impl_->tables->Restore();
  impl_->queues.StopMoving();
  impl_->worker.Join();
}

void HsaCapture::BeginToLeave() {
  if (impl_ == nullptr || impl_->state.load() != CaptureState::kTracing) return;
  impl_->hook_state.leaving.store(true, std::memory_order_relaxed);
  // Stop makes this store visible to the hooks
  impl_->hook_state.armed.store(false, std::memory_order_relaxed);
  impl_->tables->Restore();
}

void HsaCapture::Leave() {
  BeginToLeave();
  if (impl_ == nullptr || impl_->state.load() != CaptureState::kTracing) return;
  Impl& impl = *impl_;
  impl.Stop();
  impl.queues.Leave();
  impl.state = CaptureState::kUnloaded;
  impl.worker.Leave();
}

void HsaCapture::DisarmInChild() {
  if (impl_ == nullptr) return;
  impl_->hook_state.armed.store(false, std::memory_order_relaxed);
  impl_->hook_state.closed.store(true, std::memory_order_relaxed);
  impl_->hook_state.forked.store(true, std::memory_order_relaxed);
  impl_->state = CaptureState::kChild;
}

const FastClock* HsaCapture::clock() const {
  return impl_ == nullptr ? nullptr : &process_clock.line();
}

uint32_t HsaCapture::AgentNumber(hsa_agent_t agent) const {
  return impl_ == nullptr ? 0 : impl_->agents.NumberOf(agent);
}

}  // namespace rtl::capture
