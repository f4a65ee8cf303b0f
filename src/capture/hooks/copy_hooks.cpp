// SPDX-License-Identifier: MIT
#include "capture/hooks/copy_hooks.h"

#include <atomic>

namespace rtl::capture::copy_hooks {
namespace {

struct Target {
  const HsaApi* api;
  AsyncCopies* copies;
};
// Hooks carry no data of their own, so their objects are here. There are two slots, so that a
// thread that is late never sees a half-written one.
constinit Target targets[2] = {};
constinit std::atomic<const Target*> target{nullptr};

const Target& Get() { return *target.load(std::memory_order_acquire); }

CopyRequest Linear(const Target& at, void* dst, hsa_agent_t dst_agent, const void* src,
                   hsa_agent_t src_agent, uint64_t bytes, hsa_signal_t completion) {
  CopyRequest request;
  request.completion = completion;
  request.dst = dst;
  request.src = src;
  request.bytes = bytes;
  request.dst_agent = at.copies->NumberOf(dst_agent);
  request.src_agent = at.copies->NumberOf(src_agent);
  request.kind = at.copies->KindOf(request.dst_agent, request.src_agent);
  return request;
}

hsa_status_t Copy(void* dst, hsa_agent_t dst_agent, const void* src, hsa_agent_t src_agent,
                  size_t size, uint32_t num_dep_signals, const hsa_signal_t* dep_signals,
                  hsa_signal_t completion) {
  const Target& at = Get();
  const auto describe = [&](uint32_t) {
    return Linear(at, dst, dst_agent, src, src_agent, size, completion);
  };
  return at.copies->Do(1, describe, [&] {
    return at.api->amd_memory_async_copy(dst, dst_agent, src, src_agent, size, num_dep_signals,
                                         dep_signals, completion);
  });
}

hsa_status_t CopyOnEngine(void* dst, hsa_agent_t dst_agent, const void* src, hsa_agent_t src_agent,
                          size_t size, uint32_t num_dep_signals, const hsa_signal_t* dep_signals,
                          hsa_signal_t completion, uint32_t engine, bool force_copy_on_sdma) {
  const Target& at = Get();
  const auto describe = [&](uint32_t) {
    return Linear(at, dst, dst_agent, src, src_agent, size, completion);
  };
  return at.copies->Do(1, describe, [&] {
    return at.api->amd_memory_async_copy_on_engine(dst, dst_agent, src, src_agent, size,
                                                   num_dep_signals, dep_signals, completion, engine,
                                                   force_copy_on_sdma);
  });
}

// The call names one agent and the direction. In a copy to or from the host it does not name the
// agent on the other side.
hsa_status_t CopyRect(const hsa_pitched_ptr_t* dst, const hsa_dim3_t* dst_offset,
                      const hsa_pitched_ptr_t* src, const hsa_dim3_t* src_offset,
                      const hsa_dim3_t* range, hsa_agent_t copy_agent,
                      hsa_amd_copy_direction_t direction, uint32_t num_dep_signals,
                      const hsa_signal_t* dep_signals, hsa_signal_t completion) {
  const Target& at = Get();
  CopyRequest request;
  request.completion = completion;
  if (dst != nullptr) request.dst = dst->base;
  if (src != nullptr) request.src = src->base;
  if (range != nullptr) request.bytes = uint64_t{range->x} * range->y * range->z;
  const uint32_t agent = at.copies->NumberOf(copy_agent);
  switch (direction) {
    case hsaHostToHost:
      request.kind = CopyKind::kHostToHost;
      break;
    case hsaHostToDevice:
      request.kind = CopyKind::kHostToDevice;
      request.dst_agent = agent;
      break;
    case hsaDeviceToHost:
      request.kind = CopyKind::kDeviceToHost;
      request.src_agent = agent;
      break;
    case hsaDeviceToDevice:
      request.kind = CopyKind::kDeviceToDevice;
      request.dst_agent = request.src_agent = agent;
      break;
  }
  return at.copies->Do(
      1, [&](uint32_t) { return request; },
      [&] {
        return at.api->amd_memory_async_copy_rect(dst, dst_offset, src, src_offset, range,
                                                  copy_agent, direction, num_dep_signals,
                                                  dep_signals, completion);
      });
}

// Each operation of a batch is a copy with a signal of its own. The size of an operation other than
// a plain copy is recorded as zero, because it is only in the operation's lists.
CopyRequest OneOf(const Target& at, const CopyOperation& operation) {
  if (operation.type == CopyOperation::kLinear && operation.num_entries <= 1) {
    return Linear(at, operation.dst, operation.dst_agent, operation.src, operation.src_agent,
                  operation.size, operation.completion_signal);
  }
  CopyRequest request;
  request.completion = operation.completion_signal;
  return request;
}

hsa_status_t CopyBatch(const CopyOperation* operations, uint32_t count, uint32_t num_dep_signals,
                       const hsa_signal_t* dep_signals) {
  const Target& at = Get();
  const auto describe = [&](uint32_t i) { return OneOf(at, operations[i]); };
  return at.copies->Do(operations == nullptr ? 0 : count, describe, [&] {
    return at.api->amd_memory_async_batch_copy(operations, count, num_dep_signals, dep_signals);
  });
}

hsa_status_t EnableTiming(bool enable) { return Get().copies->SetTiming(enable); }

hsa_status_t GetTime(hsa_signal_t signal, hsa_amd_profiling_async_copy_time_t* time) {
  return Get().copies->GetTime(signal, time);
}

}  // namespace

void Aim(const HsaApi* api, AsyncCopies* copies) {
  const Target* const now = target.load(std::memory_order_relaxed);
  Target* const next = &targets[now == &targets[0] ? 1 : 0];
  *next = {api, copies};
  target.store(next, std::memory_order_release);
}

Status Put(HsaTables* tables) {
  const HsaApi& api = tables->api();
  RTL_TRY(tables->Replace(HsaSlot::amd_profiling_async_copy_enable, &EnableTiming));
  RTL_TRY(tables->Replace(HsaSlot::amd_profiling_get_async_copy_time, &GetTime));
  RTL_TRY(tables->Replace(HsaSlot::amd_memory_async_copy, &Copy));
  RTL_TRY(tables->Replace(HsaSlot::amd_memory_async_copy_rect, &CopyRect));
  if (api.amd_memory_async_copy_on_engine != nullptr) {
    RTL_TRY(tables->Replace(HsaSlot::amd_memory_async_copy_on_engine, &CopyOnEngine));
  }
  if (api.amd_memory_async_batch_copy != nullptr) {
    RTL_TRY(tables->Replace(HsaSlot::amd_memory_async_batch_copy, &CopyBatch));
  }
  return Status::Ok();
}

}  // namespace rtl::capture::copy_hooks
