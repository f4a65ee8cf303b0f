// SPDX-License-Identifier: MIT
#include "capture/queue/queue_registry.h"

#include <hsa/amd_hsa_queue.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "base/clock.h"
#include "base/sched_point.h"
#include "base/thread_state.h"
#include "capture/counters/kernel_counting.h"
#include "capture/queue/forwarder.h"
#include "capture/queue/queue_watcher.h"
#include "model/records.h"

namespace rtl::capture {
namespace {

// True if the queue's kernels get times. The runtime keeps this flag in the queue.
bool IsTimed(const hsa_queue_t& queue) {
  const auto& whole = reinterpret_cast<const amd_queue_t&>(queue);
  return (whole.queue_properties & AMD_QUEUE_PROPERTIES_ENABLE_PROFILING) != 0;
}

}  // namespace

QueueRegistry::~QueueRegistry() {
  TracedQueue* queue = first_.load(std::memory_order_relaxed);
  while (queue != nullptr) {
    TracedQueue* const next = queue->next;
    queue->~TracedQueue();
    (void)munmap(queue, sizeof(TracedQueue));
    queue = next;
  }
}

void QueueRegistry::Init(QueueServices* services, const Options& options) {
  services_ = services;
  state_ = services->state;
  options_ = options;
  next_queue_.store(options.first_queue, std::memory_order_relaxed);
  doorbells_.Init(services->api, state_);
}

QueueCounter* QueueRegistry::SubmittedSlot(uint32_t ordinal) const {
  return ordinal < options_.submitted.count ? options_.submitted.first + ordinal : nullptr;
}

TracedQueue* QueueRegistry::Acquire() {
  MutexLock lock(mutex_);
  TracedQueue* const first = first_.load(std::memory_order_relaxed);
  for (TracedQueue* queue = first; queue != nullptr; queue = queue->next) {
    if (queue->reserved) continue;
    queue->reserved = true;
    return queue;
  }
  void* const memory = mmap(nullptr, sizeof(TracedQueue), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  TracedQueue* const queue = new (memory) TracedQueue();
  queue->ordinal = objects_++;
  queue->reserved = true;
  queue->next = first;
  first_.store(queue, std::memory_order_release);
  return queue;
}

void QueueRegistry::Recycle(TracedQueue* queue) {
  queue->ReleaseSignals(services_->pool);
  RTL_SCHED_POINT("queue.recycle");
  MutexLock lock(mutex_);
  queue->SetFree();
  queue->reserved = false;
}

bool QueueRegistry::TakeGuardSignals(hsa_signal_t* signals) {
  uint32_t taken = services_->pool->Take(signals, RingGuard::kCheckpoints);
  while (taken < RingGuard::kCheckpoints && services_->pool->Create(&signals[taken])) {
    ++taken;
  }
  if (taken == RingGuard::kCheckpoints) return true;
  services_->pool->Put(signals, taken);
  return false;
}

QueueWay QueueRegistry::WayOf(const QueueRequest& request) const {
  if (request.type == HSA_QUEUE_TYPE_COOPERATIVE) return QueueWay::kDoorbell;
  if (services_->counting != nullptr) return QueueWay::kMoved;
  return options_.method == QueueMethod::kDoorbell ? QueueWay::kDoorbell : QueueWay::kIntercept;
}

Status QueueRegistry::MakeMoved(const QueueRequest& request, TracedQueue* traced,
                                hsa_queue_t** queue) {
  {
    const MutexLock lock(mutex_);
    RTL_TRY(mover_.Start(&doorbells_, services_->counting));
  }
  RTL_TRY(MovedQueue::Make(services_->api, request, &traced->moved));
  *queue = traced->moved->app();
  return Status::Ok();
}

Status QueueRegistry::MakeQueue(const QueueRequest& request, TracedQueue* traced,
                                hsa_queue_t** queue) {
  traced->moved = nullptr;
  const HsaApi& api = *services_->api;
  const QueueWay way = WayOf(request);
  if (way == QueueWay::kMoved) return MakeMoved(request, traced, queue);
  const bool intercept = way == QueueWay::kIntercept;
  const auto make = intercept ? api.amd_queue_intercept_create : api.queue_create;
  const hsa_status_t status =
      make(request.agent, request.size, request.type, request.callback, request.data,
           request.private_segment_size, request.group_segment_size, queue);
  if (status == HSA_STATUS_SUCCESS) return Status::Ok();
  return Status::Error("%s failed with status 0x%x",
                       intercept ? "hsa_amd_queue_intercept_create" : "hsa_queue_create", status);
}

hsa_status_t QueueRegistry::DestroyBoth(hsa_queue_t* queue, TracedQueue* traced) {
  if (traced->moved == nullptr) return services_->api->queue_destroy(queue);
  const hsa_status_t status = traced->moved->Destroy();
  if (status == HSA_STATUS_SUCCESS) traced->moved = nullptr;
  return status;
}

hsa_queue_t* QueueRegistry::GpuQueueOf(const hsa_queue_t* queue) {
  MutexLock lock(mutex_);
  auto* const asked = const_cast<hsa_queue_t*>(queue);
  const TracedQueue* const traced = FindLocked(asked);
  return traced == nullptr || traced->moved == nullptr ? asked : traced->moved->gpu();
}

// Installs the hook: from here on it sees the queue's packets. No packet has been written yet.
Status QueueRegistry::Hook(hsa_queue_t* queue, TracedQueue* traced, const QueueIdentity& identity,
                           QueueWay way, uint64_t first) {
  const bool moved = way == QueueWay::kMoved;
  const hsa_status_t status =
      services_->api->amd_profiling_set_profiler_enabled(moved ? traced->moved->gpu() : queue, 1);
  if (status != HSA_STATUS_SUCCESS) {
    return Status::Error("hsa_amd_profiling_set_profiler_enabled failed with status 0x%x", status);
  }
  // Another tool that wraps the runtime's hsa_queue_create may have made this queue an intercept
  // queue.
  const bool intercepts = !moved && !Doorbells::IsDoorbell(queue->doorbell_signal);
  if (way == QueueWay::kIntercept || intercepts) return HookIntercept(queue, traced, identity);
  traced->counts().BeginAt(first);
  if (!doorbells_.Add(traced, queue, traced->moved, first))
    return Status::Error("there are too many queues");
  traced->Start(identity, *queue, nullptr);
  if (moved) services_->counting->QueueMade(identity);
  return Status::Ok();
}

Status QueueRegistry::HookIntercept(hsa_queue_t* queue, TracedQueue* traced,
                                    const QueueIdentity& identity) {
  hsa_signal_t guard[RingGuard::kCheckpoints];
  if (options_.guard_rings && queue->size < RingGuard::kMinRing) {
    return Status::Error("its ring of %u packets is too small to be guarded", queue->size);
  }
  if (options_.guard_rings && !TakeGuardSignals(guard)) {
    return Status::Error("the runtime refused signals to guard its ring");
  }
  const hsa_status_t status =
      services_->api->amd_queue_intercept_register(queue, &TracedQueue::OnPackets, traced);
  if (status != HSA_STATUS_SUCCESS) {
    if (options_.guard_rings) services_->pool->Put(guard, RingGuard::kCheckpoints);
    return Status::Error("hsa_amd_queue_intercept_register failed with status 0x%x", status);
  }
  traced->Start(identity, *queue, options_.guard_rings ? guard : nullptr);
  if (services_->counting != nullptr) services_->counting->QueueMade(identity);
  return Status::Ok();
}

Status QueueRegistry::Trace(hsa_queue_t* queue, hsa_agent_t agent, TracedQueue* traced,
                            QueueWay way, uint64_t first) {
  const QueueIdentity identity = {next_queue_.fetch_add(1, std::memory_order_relaxed),
                                  options_.agents->NumberOf(agent), queue->id, agent};
  return Hook(queue, traced, identity, way, first);
}

// Counts one more owner if the queue is known. The runtime has one cooperative queue per agent,
// gives it to every caller, and counts these callers.
bool QueueRegistry::Share(hsa_queue_t* queue) {
  MutexLock lock(mutex_);
  TracedQueue* const traced = FindLocked(queue);
  if (traced != nullptr) ++traced->more_owners;
  return traced != nullptr;
}

void QueueRegistry::Enter(hsa_queue_t* queue, TracedQueue* traced) {
  {
    MutexLock lock(mutex_);
    traced->registered = queue;
    traced->more_owners = 0;
    // Tools may have joined since the queue was opened.
    if (services_->watcher != nullptr) traced->Tell(services_->watcher);
    if (services_->origins != nullptr && traced->origins().open())
      services_->origins->Add(queue, &traced->origins());
  }
  if (options_.watcher != nullptr) options_.watcher->QueueMade(traced->identity(), *queue);
  Announce(*traced, queue->size);
}

hsa_queue_t* QueueRegistry::CreateTraced(const QueueRequest& request, TracedQueue* traced,
                                         Status* why) {
  if (!traced->Open(services_, SubmittedSlot(traced->ordinal), request.size)) {
    *why = Status::Error("no memory");
    return nullptr;
  }
  hsa_queue_t* queue = nullptr;
  *why = MakeQueue(request, traced, &queue);
  if (!why->ok()) return nullptr;
  if (Share(queue)) {
    Recycle(traced);
    return queue;
  }
  *why = Trace(queue, request.agent, traced, WayOf(request));
  if (why->ok()) {
    Enter(queue, traced);
    return queue;
  }
  // The application has not got the queue yet. If the runtime cannot destroy it, the queue stays
  // with the runtime.
  (void)DestroyBoth(queue, traced);
  traced->moved = nullptr;
  return nullptr;
}

// True if calls must only be passed through: also for the runtime's own functions, which may call
// back through the table.
bool QueueRegistry::Passing() const {
  return !state_->armed.load(std::memory_order_relaxed) || ReentryGuard::Active();
}

// True if tracing has ended and the process goes on.
bool QueueRegistry::Ended() const {
  return !state_->armed.load(std::memory_order_relaxed) &&
         !state_->forked.load(std::memory_order_relaxed) && !ReentryGuard::Active();
}

hsa_status_t QueueRegistry::Create(const QueueRequest& request, hsa_queue_t** queue) {
  const HsaApi& api = *services_->api;
  const auto untraced = [&] {
    return api.queue_create(request.agent, request.size, request.type, request.callback,
                            request.data, request.private_segment_size, request.group_segment_size,
                            queue);
  };
  if (Passing() || queue == nullptr) {
    const hsa_status_t status = untraced();
    if (status == HSA_STATUS_SUCCESS && Ended())
      WarnUntraced(Status::Error("tracing has ended"), *queue);
    return status;
  }
  ReentryGuard guard;
  Status why = Status::Ok();
  TracedQueue* const traced = Acquire();
  if (traced == nullptr) {
    why = Status::Error("no memory");
  } else if (hsa_queue_t* const made = CreateTraced(request, traced, &why); made != nullptr) {
    *queue = made;
    return HSA_STATUS_SUCCESS;
  } else {
    Recycle(traced);
  }
  const hsa_status_t status = untraced();
  // If the plain call fails as well, there is no queue that could have been traced.
  if (status == HSA_STATUS_SUCCESS) WarnUntraced(why, *queue);
  return status;
}

// Begins to trace a queue that exists already: its packets are seen from index `first` on.
bool QueueRegistry::Adopt(hsa_queue_t* queue, hsa_agent_t agent, QueueWay way, uint64_t first) {
  if (Share(queue)) return true;
  TracedQueue* const traced = Acquire();
  Status why = Status::Error("no memory");
  if (traced != nullptr) traced->moved = nullptr;
  if (traced != nullptr && traced->Open(services_, SubmittedSlot(traced->ordinal), queue->size)) {
    why = Trace(queue, agent, traced, way, first);
  }
  if (why.ok()) {
    Enter(queue, traced);
    return true;
  }
  if (traced != nullptr) Recycle(traced);
  WarnUntraced(why, queue);
  return false;
}

// Finds the agent of a queue. Runtimes before about ROCm 6 do not report it; if there is only one
// GPU, it is the agent.
bool QueueRegistry::AgentOf(hsa_queue_t* queue, hsa_agent_t* agent) const {
  constexpr uint32_t kInfoAgent = 0;  // HSA_AMD_QUEUE_INFO_AGENT, which only newer headers have
  const HsaApi& api = *services_->api;
  if (api.amd_queue_get_info != nullptr &&
      api.amd_queue_get_info(queue, kInfoAgent, agent) == HSA_STATUS_SUCCESS)
    return options_.agents->NumberOf(*agent) != 0;
  return options_.agents->OnlyGpu(agent);
}

[[gnu::cold]] void QueueRegistry::AdoptRunning(const hsa_queue_t* reserved, uint64_t first) {
  for (const auto& each : refused_) {
    if (each.load(std::memory_order_relaxed) == reserved) return;
  }
  if (Passing()) return;
  const ReentryGuard guard;
  auto* const queue = const_cast<hsa_queue_t*>(reserved);
  const MutexLock adopting(adopting_);
  {
    const MutexLock lock(mutex_);
    if (FindLocked(queue) != nullptr) return;  // another thread has adopted the queue
  }
  hsa_agent_t agent = {};
  const bool known = AgentOf(queue, &agent);
  const bool timed = IsTimed(*queue);
  if (known && Adopt(queue, agent, QueueWay::kDoorbell, first)) {
    const MutexLock lock(mutex_);
    if (TracedQueue* const traced = FindLocked(queue)) traced->timed_by_us = !timed;
    return;
  }
  if (!known)
    WarnUntraced(Status::Error("it was made before the tool came, and its GPU is not known"),
                 queue);
  if (refused_count_ < kMostRefused)
    refused_[refused_count_++].store(queue, std::memory_order_relaxed);
}

bool QueueRegistry::TellOf(SubmissionWatcher* watcher, OriginTable* origins) {
  const MutexLock lock(mutex_);
  for (TracedQueue* traced = first(); traced != nullptr; traced = traced->next) {
    if (traced->registered == nullptr) continue;
    if (!traced->origins().Open(traced->registered->size, watcher != nullptr)) return false;
    if (origins->Find(traced->registered) == nullptr)
      origins->Add(traced->registered, &traced->origins());
    traced->Tell(watcher);
  }
  return true;
}

hsa_status_t QueueRegistry::CreateIntercept(const QueueRequest& request, hsa_queue_t** queue) {
  const bool passing = Passing();
  const ReentryGuard guard;
  const hsa_status_t status = services_->api->amd_queue_intercept_create(
      request.agent, request.size, request.type, request.callback, request.data,
      request.private_segment_size, request.group_segment_size, queue);
  if (status == HSA_STATUS_SUCCESS && !passing) {
    (void)Adopt(*queue, request.agent, QueueWay::kIntercept);  // on false a warning was written
  }
  return status;
}

hsa_status_t QueueRegistry::CreateDescribed(hsa_agent_t agent, QueueDescriptor* descriptors,
                                            uint32_t count) {
  const bool passing = Passing();
  const ReentryGuard guard;
  const hsa_status_t status = services_->api->amd_queue_create(agent, descriptors, count);
  if (passing || descriptors == nullptr) return status;
  for (uint32_t i = 0; i < count; ++i) {
    const QueueDescriptor& made = descriptors[i];
    if (made.version != QueueDescriptor::kVersion) {
      if (status == HSA_STATUS_SUCCESS) WarnUnknownDescriptor(made.version);
      return status;  // the length of the next descriptors is unknown, too
    }
    if (made.queue == nullptr) continue;
    if (made.engine == QueueDescriptor::kCompute) {
      (void)Adopt(made.queue, agent, QueueWay::kDoorbell);  // on false a warning was written
    } else {
      WarnUntraced(
          Status::Error("engine %u runs no kernels; its copies are not recorded", made.engine),
          made.queue);
    }
  }
  return status;
}

void QueueRegistry::Announce(const TracedQueue& traced, uint32_t size) {
  created_.fetch_add(1, std::memory_order_relaxed);
  QueueRecord record;
  record.head.type = RecordType::kQueue;
  record.head.thread = ThreadId::Current();
  record.queue = traced.identity().queue;
  record.agent = traced.identity().agent;
  record.hsa_id = traced.identity().hsa_id;
  record.created = BootTimeNs();
  record.size = size;
  // If there is no room for the record, the queue's dispatches still have its number.
  (void)services_->sink->Write(&record, sizeof(record), nullptr, 0);
}

void QueueRegistry::WarnUntraced(const Status& why, hsa_queue_t* queue) {
  char text[320];
  (void)snprintf(text, sizeof(text), "HSA queue 0x%llx is not traced: %s",
                 static_cast<unsigned long long>(queue->id), why.message());
  Warn(text);
}

void QueueRegistry::WarnUnknownDescriptor(uint16_t version) {
  char text[160];
  (void)snprintf(text, sizeof(text),
                 "queues of hsa_amd_queue_create are not traced: their descriptor has version %u, "
                 "known is %u",
                 version, QueueDescriptor::kVersion);
  Warn(text);
}

void QueueRegistry::Warn(const char* text) {
  untraced_.fetch_add(1, std::memory_order_relaxed);
  WarningRecord record;
  record.head.type = RecordType::kWarning;
  record.head.thread = ThreadId::Current();
  record.time = BootTimeNs();
  record.text_bytes = static_cast<uint32_t>(strlen(text));
  // If there is no room for the warning, more than the warning is lost.
  (void)services_->sink->Write(&record, sizeof(record), text, record.text_bytes);
}

TracedQueue* QueueRegistry::FindLocked(hsa_queue_t* queue) const {
  if (queue == nullptr) return nullptr;
  TracedQueue* traced = first_.load(std::memory_order_relaxed);
  while (traced != nullptr && traced->registered != queue) {
    traced = traced->next;
  }
  return traced;
}

hsa_status_t QueueRegistry::Destroy(hsa_queue_t* queue) {
  if (state_->forked.load(std::memory_order_relaxed)) return services_->api->queue_destroy(queue);
  TracedQueue* traced = nullptr;
  bool others = false;
  {
    MutexLock lock(mutex_);
    traced = FindLocked(queue);
    others = traced != nullptr && traced->more_owners != 0;
    if (others) --traced->more_owners;
    // This must happen before the runtime can give the same address to another thread.
    if (traced != nullptr && !others) traced->registered = nullptr;
    if (traced != nullptr && !others && services_->origins != nullptr) {
      services_->origins->Remove(queue);
    }
  }
  if (traced == nullptr || others) return services_->api->queue_destroy(queue);
  if (services_->counting != nullptr) services_->counting->QueueGone(traced->identity());
  if (options_.watcher != nullptr) options_.watcher->QueueGone(traced->identity());
  const Doorbells::Removed doorbell = doorbells_.Remove(queue->doorbell_signal);
  // must be found while the queue's ring exists
  const TracedQueue::Missed missed = FindMissed(*traced, queue);
  const hsa_status_t status = DestroyBoth(queue, traced);
  if (status != HSA_STATUS_SUCCESS) {
    doorbells_.PutBack(doorbell);
    MutexLock lock(mutex_);
    traced->registered = queue;
    if (services_->origins != nullptr) services_->origins->Add(queue, &traced->origins());
    return status;
  }
  destroyed_.fetch_add(1, std::memory_order_relaxed);
  services_->forwarder->SettleEnded();
  traced->CountMissed(missed);
  RTL_SCHED_POINT("queue.destroyed");
  traced->Close(BootTimeNs());
  services_->bell->Ring();
  return status;
}

// The lock prevents the queues from being destroyed meanwhile. The runtime's function, called under
// the lock, is a single load.
void QueueRegistry::CountMissed() {
  MutexLock lock(mutex_);
  for (TracedQueue* traced = first(); traced != nullptr; traced = traced->next) {
    if (traced->registered == nullptr) continue;
    traced->CountMissed(FindMissed(*traced, traced->registered));
  }
}

TracedQueue::Missed QueueRegistry::FindMissed(const TracedQueue& traced,
                                              const hsa_queue_t* queue) const {
  const uint64_t read = services_->api->queue_load_read_index_scacquire(queue);
  return traced.FindMissed(read, services_->api->queue_load_write_index_scacquire(queue));
}

void QueueRegistry::Leave() {
  MutexLock lock(mutex_);
  for (TracedQueue* traced = first(); traced != nullptr; traced = traced->next) {
    if (traced->registered == nullptr || !traced->timed_by_us) continue;
    traced->timed_by_us = false;
    // If this fails, the queue's kernels have times that no one reads.
    (void)services_->api->amd_profiling_set_profiler_enabled(traced->registered, 0);
  }
}

hsa_status_t QueueRegistry::SetProfiling(hsa_queue_t* queue, int enable) {
  if (enable == 0 && !state_->forked.load(std::memory_order_relaxed)) {
    MutexLock lock(mutex_);
    if (FindLocked(queue) != nullptr) return HSA_STATUS_SUCCESS;
  }
  return services_->api->amd_profiling_set_profiler_enabled(GpuQueueOf(queue), enable);
}

}  // namespace rtl::capture
