// SPDX-License-Identifier: MIT
#include "capture/queue/moved_queue.h"

#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <new>

namespace rtl::capture {
namespace {

struct RegionSearch {
  const HsaApi* api;
  hsa_region_t region;
};

bool IsPowerOfTwo(uint32_t value) { return value != 0 && (value & (value - 1)) == 0; }

}  // namespace

// Finds the memory of the host that every GPU can access.
hsa_status_t MovedQueue::OnRegion(hsa_region_t region, void* data) {
  auto* const search = static_cast<RegionSearch*>(data);
  const HsaApi& api = *search->api;
  hsa_region_segment_t segment = HSA_REGION_SEGMENT_GROUP;
  uint32_t flags = 0;
  bool allowed = false;
  (void)api.region_get_info(region, HSA_REGION_INFO_SEGMENT, &segment);
  (void)api.region_get_info(region, HSA_REGION_INFO_GLOBAL_FLAGS, &flags);
  (void)api.region_get_info(region, HSA_REGION_INFO_RUNTIME_ALLOC_ALLOWED, &allowed);
  if (segment != HSA_REGION_SEGMENT_GLOBAL || !allowed ||
      (flags & HSA_REGION_GLOBAL_FLAG_FINE_GRAINED) == 0)
    return HSA_STATUS_SUCCESS;
  search->region = region;
  return HSA_STATUS_INFO_BREAK;
}

hsa_status_t MovedQueue::OnAgent(hsa_agent_t agent, void* data) {
  auto* const search = static_cast<RegionSearch*>(data);
  hsa_device_type_t type = HSA_DEVICE_TYPE_GPU;
  if (search->api->agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type) != HSA_STATUS_SUCCESS ||
      type != HSA_DEVICE_TYPE_CPU)
    return HSA_STATUS_SUCCESS;
  (void)search->api->agent_iterate_regions(agent, OnRegion, search);
  return search->region.handle == 0 ? HSA_STATUS_SUCCESS : HSA_STATUS_INFO_BREAK;
}

// Reports an error of the GPU's queue as one of app_, the only queue that the application knows.
void MovedQueue::OnError(hsa_status_t status, hsa_queue_t*, void* self) {
  const auto* const queue = static_cast<MovedQueue*>(self);
  queue->callback_(status, queue->app_, queue->data_);
}

Status MovedQueue::Make(const HsaApi* api, const QueueRequest& request, MovedQueue** out) {
  void* const memory = malloc(sizeof(MovedQueue));
  if (memory == nullptr) return Status::Error("no memory");
  auto* const queue = new (memory) MovedQueue;
  queue->api_ = api;
  Status status = queue->Open(request);
  if (status.ok()) {
    *out = queue;
    return status;
  }
  // a queue that cannot be destroyed stays with the runtime
  if (queue->gpu_ != nullptr) (void)api->queue_destroy(queue->gpu_);
  free(memory);
  return status;
}

Status MovedQueue::Open(const QueueRequest& request) {
  callback_ = request.callback;
  data_ = request.data;
  uint32_t size = request.size;
  uint32_t most = size;
  (void)api_->agent_get_info(request.agent, HSA_AGENT_INFO_QUEUE_MAX_SIZE, &most);
  // An invalid size is passed on unchanged, so that the runtime refuses it here as it does without
  // the tracer.
  if (IsPowerOfTwo(size)) size = std::max(size, std::min(most, kLeastRing));
  const hsa_status_t made = api_->queue_create(
      request.agent, size, request.type, callback_ == nullptr ? nullptr : OnError, this,
      request.private_segment_size, request.group_segment_size, &gpu_);
  if (made != HSA_STATUS_SUCCESS) {
    gpu_ = nullptr;
    return Status::Error("hsa_queue_create failed with status 0x%x", made);
  }
  ring_ = static_cast<AqlPacket*>(gpu_->base_address);
  mask_ = gpu_->size - 1;
  return OpenRing(request);
}

// Creates the ring to which the application writes.
Status MovedQueue::OpenRing(const QueueRequest& request) {
  RegionSearch search = {api_, {}};
  (void)api_->iterate_agents(OnAgent, &search);  // an iteration that OnAgent stopped is no failure
  if (search.region.handle == 0) return Status::Error("the host has no memory for its ring");
  hsa_signal_t doorbell = {};
  if (api_->signal_create(0, 0, nullptr, &doorbell) != HSA_STATUS_SUCCESS)
    return Status::Error("the runtime refused a signal for its doorbell");
  const hsa_status_t made = api_->soft_queue_create(search.region, request.size, request.type,
                                                    gpu_->features, doorbell, &app_);
  if (made != HSA_STATUS_SUCCESS) {
    app_ = nullptr;
    // a signal that cannot be destroyed stays with the runtime
    (void)api_->signal_destroy(doorbell);
    return Status::Error("hsa_soft_queue_create failed with status 0x%x", made);
  }
  // The number by which the GPU's driver and the trace know the queue.
  memcpy(&app_->id, &gpu_->id, sizeof gpu_->id);
  return Status::Ok();
}

hsa_status_t MovedQueue::Destroy() {
  const hsa_signal_t signal = doorbell();
  const HsaApi& api = *api_;
  const hsa_status_t status = api.queue_destroy(gpu_);
  if (status != HSA_STATUS_SUCCESS) return status;
  // a queue or signal that cannot be destroyed stays with the runtime
  (void)api.queue_destroy(app_);
  (void)api.signal_destroy(signal);
  free(this);
  return status;
}

bool MovedQueue::HasRoom(uint64_t packets) {
  if (written_ + packets - read_ <= mask_ + 1) return true;
  read_ = api_->queue_load_read_index_scacquire(gpu_);
  return written_ + packets - read_ <= mask_ + 1;
}

// Writes the header of the first packet last, because that hands all packets to the GPU.
void MovedQueue::Put(const void* packets, uint64_t count) {
  const auto* const from = static_cast<const uint8_t*>(packets);
  (void)api_->queue_add_write_index_relaxed(gpu_, count);
  for (uint64_t i = count; i-- != 0;) {
    AqlPacket packet;
    memcpy(&packet, from + i * sizeof packet, sizeof packet);
    AqlPacket* const slot = &ring_[(written_ + i) & mask_];
    uint32_t first;
    memcpy(&first, &packet, sizeof first);
    memcpy(reinterpret_cast<uint8_t*>(slot) + sizeof first,
           reinterpret_cast<const uint8_t*>(&packet) + sizeof first, sizeof packet - sizeof first);
    // needed because a ring in the GPU's memory is written through a combining buffer
    __builtin_ia32_sfence();
    __atomic_store_n(reinterpret_cast<uint32_t*>(slot), first, __ATOMIC_RELEASE);
  }
  written_ += count;
}

void MovedQueue::Commit(uint64_t taken) {
  if (written_ != rung_) {
    rung_ = written_;
    api_->signal_store_screlease(gpu_->doorbell_signal,
                                 static_cast<hsa_signal_value_t>(written_ - 1));
  }
  api_->queue_store_read_index_screlease(app_, taken);
}

}  // namespace rtl::capture
