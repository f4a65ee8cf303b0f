// SPDX-License-Identifier: MIT
// The ways in which a queue of the fake runtime is made.
#include "tests/support/fake_hsa_queue.h"

namespace rtl::support {

using capture::PacketHook;
using capture::QueueDescriptor;
using capture::QueueErrorCallback;

struct FakeQueueCalls {
  static constexpr uint8_t kSdma = 1;
  static FakeHsa& Fake() { return *FakeHsa::current_; }

  static hsa_status_t MakeQueue(uint32_t size, bool intercepted, hsa_queue_t** queue) {
    auto made = std::make_unique<FakeHsa::Queue>();
    made->owner = &Fake();
    made->intercepted = intercepted;
    made->base.size = size;
    made->base.base_address = Fake().next_ring_;
    if (!intercepted) Fake().GiveDoorbell(made.get());
    *queue = &made->base;
    ++Fake().live_queues_;
    {
      std::lock_guard lock(Fake().mutex_);
      made->base.id = Fake().queues_.size() + 10;
      Fake().queues_.push_back(std::move(made));
    }
    if (Fake().on_queue_made_) Fake().on_queue_made_();
    return HSA_STATUS_SUCCESS;
  }

  static hsa_status_t QueueCreate(hsa_agent_t, uint32_t size, hsa_queue_type32_t type,
                                  QueueErrorCallback, void*, uint32_t, uint32_t,
                                  hsa_queue_t** queue) {
    hsa_status_t status;
    if (Fake().Faulty(HsaSlot::queue_create, &status)) return status;
    if (type != HSA_QUEUE_TYPE_COOPERATIVE) return MakeQueue(size, false, queue);
    {
      std::lock_guard lock(Fake().mutex_);
      for (const auto& other : Fake().queues_) {
        if (!other->live || other->base.type != HSA_QUEUE_TYPE_COOPERATIVE) continue;
        ++other->owners;
        *queue = &other->base;
        return HSA_STATUS_SUCCESS;
      }
    }
    status = MakeQueue(size, false, queue);
    (*queue)->type = HSA_QUEUE_TYPE_COOPERATIVE;
    return status;
  }

  static hsa_status_t DescribedCreate(hsa_agent_t, QueueDescriptor* descriptors, uint32_t count) {
    hsa_status_t first = HSA_STATUS_SUCCESS;
    for (QueueDescriptor* each = descriptors; each != descriptors + count; ++each) {
      hsa_status_t status = HSA_STATUS_ERROR_INVALID_QUEUE_CREATION;
      each->queue = nullptr;
      if (Fake().Faulty(HsaSlot::amd_queue_create, &status) || each->engine > kSdma) {
        if (first == HSA_STATUS_SUCCESS) first = status;
        continue;
      }
      const uint32_t packet = each->engine == kSdma ? 1 : sizeof(AqlPacket);
      (void)MakeQueue(each->ring_bytes / packet, false, &each->queue);
    }
    return first;
  }

  static hsa_status_t InterceptCreate(hsa_agent_t, uint32_t size, hsa_queue_type32_t,
                                      QueueErrorCallback, void*, uint32_t, uint32_t,
                                      hsa_queue_t** queue) {
    hsa_status_t status;
    if (Fake().Faulty(HsaSlot::amd_queue_intercept_create, &status)) return status;
    return MakeQueue(size, true, queue);
  }

  static hsa_status_t InterceptRegister(hsa_queue_t* queue, PacketHook hook, void* data) {
    hsa_status_t status;
    if (Fake().Faulty(HsaSlot::amd_queue_intercept_register, &status)) return status;
    if (!ToQueue(queue)->intercepted) return HSA_STATUS_ERROR_INVALID_QUEUE;
    ToQueue(queue)->interceptors.push_back({hook, data});
    return HSA_STATUS_SUCCESS;
  }

  static hsa_status_t QueueDestroy(hsa_queue_t* queue) {
    hsa_status_t status;
    if (Fake().Faulty(HsaSlot::queue_destroy, &status)) return status;
    if (queue == nullptr || !ToQueue(queue)->live) return HSA_STATUS_ERROR_INVALID_QUEUE;
    if (--ToQueue(queue)->owners != 0) return HSA_STATUS_SUCCESS;
    std::lock_guard lock(ToQueue(queue)->ring_lock);
    ToQueue(queue)->live = false;
    ToQueue(queue)->ring.clear();
    --Fake().live_queues_;
    return HSA_STATUS_SUCCESS;
  }
};

void FakeHsa::PutQueueCalls() {
  const auto put = [this](HsaSlot slot, auto function) {
    Put(slot, reinterpret_cast<void*>(function));
  };
  put(HsaSlot::queue_create, &FakeQueueCalls::QueueCreate);
  put(HsaSlot::queue_destroy, &FakeQueueCalls::QueueDestroy);
  put(HsaSlot::amd_queue_intercept_create, &FakeQueueCalls::InterceptCreate);
  put(HsaSlot::amd_queue_intercept_register, &FakeQueueCalls::InterceptRegister);
  put(HsaSlot::amd_queue_create, &FakeQueueCalls::DescribedCreate);
}

hsa_status_t FakeHsa::TryCreateQueue(uint32_t size, hsa_queue_t** queue) {
  return Call<decltype(&FakeQueueCalls::QueueCreate)>(HsaSlot::queue_create)(
      Agent(0), size, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr, UINT32_MAX, UINT32_MAX, queue);
}

hsa_queue_t* FakeHsa::CreateQueue(uint32_t size, uint32_t agent) {
  hsa_queue_t* queue = nullptr;
  const hsa_status_t status = Call<decltype(&FakeQueueCalls::QueueCreate)>(HsaSlot::queue_create)(
      Agent(agent), size, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr, UINT32_MAX, UINT32_MAX, &queue);
  return status == HSA_STATUS_SUCCESS ? queue : nullptr;
}

hsa_status_t FakeHsa::DestroyQueue(hsa_queue_t* queue) {
  return Call<decltype(&FakeQueueCalls::QueueDestroy)>(HsaSlot::queue_destroy)(queue);
}

hsa_queue_t* FakeHsa::CreateIntercept(uint32_t size) {
  hsa_queue_t* queue = nullptr;
  (void)Call<decltype(&FakeQueueCalls::InterceptCreate)>(HsaSlot::amd_queue_intercept_create)(
      Agent(0), size, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr, UINT32_MAX, UINT32_MAX, &queue);
  return queue;
}

hsa_status_t FakeHsa::Intercept(hsa_queue_t* queue, PacketHook hook, void* data) {
  return Call<decltype(&FakeQueueCalls::InterceptRegister)>(HsaSlot::amd_queue_intercept_register)(
      queue, hook, data);
}

hsa_queue_t* FakeHsa::CreateCooperative() {
  hsa_queue_t* queue = nullptr;
  (void)Call<decltype(&FakeQueueCalls::QueueCreate)>(HsaSlot::queue_create)(
      Agent(0), 1024, HSA_QUEUE_TYPE_COOPERATIVE, nullptr, nullptr, UINT32_MAX, UINT32_MAX, &queue);
  return queue;
}

hsa_status_t FakeHsa::CreateDescribed(std::vector<QueueDescriptor>* descriptors) {
  return Call<decltype(&FakeQueueCalls::DescribedCreate)>(HsaSlot::amd_queue_create)(
      Agent(0), descriptors->data(), static_cast<uint32_t>(descriptors->size()));
}

}  // namespace rtl::support
