// SPDX-License-Identifier: MIT
#include "vgpu/kfd/queue_table.h"

#include <linux/kfd_ioctl.h>

#include <bit>
#include <cerrno>
#include <optional>
#include <utility>

#include "vgpu/config/log.h"
#include "vgpu/cp/aql_processor.h"
#include "vgpu/cp/sdma_engine.h"
#include "vgpu/kfd/driver.h"
#include "vgpu/mem/address_space.h"

namespace vgpu {
namespace {

constexpr uint32_t kSdmaByEngine = 4;  // interface 1.17: the caller chooses the engine
constexpr uint64_t kAqlNotRung = ~uint64_t{0};

using Processor = void (*)(Queue&);

void RunComputeQueue(Queue& queue) {
  Driver* driver = FindDriver();
  RunAqlQueue(queue, GetConfig().faults.empty() ? nullptr : &driver->faults_to_inject,
              driver->completions.is_open() ? &driver->completions : nullptr);
}

// nullptr: queues of that type are not modelled.
Processor ProcessorOf(uint32_t type) {
  switch (type) {
    case KFD_IOC_QUEUE_TYPE_COMPUTE_AQL:
      return &RunComputeQueue;
    case KFD_IOC_QUEUE_TYPE_SDMA:
    case KFD_IOC_QUEUE_TYPE_SDMA_XGMI:
    case kSdmaByEngine:
      return &RunSdmaQueue;
    default:
      return nullptr;
  }
}

// Finds the queue's memory in the GPU's page tables. False when some of it is not mapped.
bool FillQueue(const QueueRequest& request, Queue* queue) {
  queue->gpu = request.gpu;
  queue->type = request.type;
  queue->ring_size = request.ring_bytes;
  queue->save_area = request.save_area;
  const uint8_t* ring = Translate(request.gpu, request.ring_va, request.ring_bytes);
  queue->ring = reinterpret_cast<uint64_t>(ring);
  queue->write_index =
      reinterpret_cast<uint64_t*>(Translate(request.gpu, request.write_index_va, sizeof(uint64_t)));
  queue->read_index =
      reinterpret_cast<uint64_t*>(Translate(request.gpu, request.read_index_va, sizeof(uint64_t)));
  return ring != nullptr && queue->write_index != nullptr && queue->read_index != nullptr;
}

}  // namespace

int QueueTable::Open(int num_gpus) {
  std::lock_guard lock(mutex_);
  num_gpus_ = num_gpus;
  for (int gpu = 0; gpu < num_gpus; ++gpu) {
    if (const int error = pages_[gpu].Open(); error != 0) return error;
  }
  return 0;
}

int QueueTable::Create(const QueueRequest& request, uint32_t* id, uint32_t* slot) {
  const Processor processor = ProcessorOf(request.type);
  if (processor == nullptr) {
    Log(LogLevel::kError, "queues of type %u are not modelled", request.type);
    return -EINVAL;
  }
  if (!std::has_single_bit(request.ring_bytes)) return -EINVAL;
  auto entry = std::make_unique<Entry>();
  if (!FillQueue(request, &entry->queue)) {
    Log(LogLevel::kError, "a queue's ring or indices are not mapped on GPU %d", request.gpu);
    return -EINVAL;
  }

  std::lock_guard lock(mutex_);
  DoorbellPage& page = pages_[request.gpu];
  const std::optional<uint32_t> reserved = page.Reserve();
  if (!reserved) return -ENOMEM;
  Queue& queue = entry->queue;
  queue.id = next_id_++;
  queue.doorbell = page.Slot(*reserved);
  queue.doorbell_slot = *reserved;
  const bool aql = request.type == KFD_IOC_QUEUE_TYPE_COMPUTE_AQL;
  __atomic_store_n(queue.doorbell, aql ? kAqlNotRung : 0, __ATOMIC_RELEASE);
  entry->slot = *reserved;
  *id = queue.id;
  *slot = *reserved;
  if (!StartQueue(queue, processor)) {
    page.Release(*reserved);
    return -ENOMEM;
  }
  queues_.emplace(queue.id, std::move(entry));
  return 0;
}

int QueueTable::Destroy(uint32_t id) {
  std::unique_ptr<Entry> entry;
  {
    std::lock_guard lock(mutex_);
    const auto found = queues_.find(id);
    if (found == queues_.end()) return -EINVAL;
    entry = std::move(found->second);
    queues_.erase(found);
  }
  StopQueue(entry->queue);  // its thread may be raising events, which takes other locks
  std::lock_guard lock(mutex_);
  pages_[entry->queue.gpu].Release(entry->slot);
  gone_.packets += entry->queue.packets.load(std::memory_order_relaxed);
  gone_.dispatches += entry->queue.dispatches.load(std::memory_order_relaxed);
  return 0;
}

int QueueTable::SetPaused(uint32_t id, bool paused) {
  std::lock_guard lock(mutex_);
  const auto found = queues_.find(id);
  if (found == queues_.end()) return -EINVAL;
  Queue& queue = found->second->queue;
  queue.paused.store(paused, std::memory_order_relaxed);
  WakeQueue(queue);
  return 0;
}

bool QueueTable::Exists(uint32_t id) const {
  std::lock_guard lock(mutex_);
  return queues_.contains(id);
}

QueueCounts QueueTable::Counts() const {
  std::lock_guard lock(mutex_);
  QueueCounts counts = gone_;
  counts.queues = queues_.size();
  counts.created = next_id_ - 1;
  for (const auto& [id, entry] : queues_) {
    counts.packets += entry->queue.packets.load(std::memory_order_relaxed);
    counts.dispatches += entry->queue.dispatches.load(std::memory_order_relaxed);
  }
  return counts;
}

void QueueTable::CloseFiles() {
  for (int gpu = 0; gpu < num_gpus_; ++gpu) pages_[gpu].CloseFile();
}

}  // namespace vgpu
