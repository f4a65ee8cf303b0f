// SPDX-License-Identifier: MIT
// bare_interception: the least that a tool which intercepts queues can cost: every queue becomes an
// intercept queue, and the hook passes its packets straight on. overhead.py measures with it the
// runtime's own part of any tracer's cost. It works with the runtime whose headers it is compiled
// with.
#include <hsa/hsa_api_trace.h>

#include <cstdint>

namespace {

decltype(hsa_amd_queue_intercept_create)* g_intercept_create;
decltype(hsa_amd_queue_intercept_register)* g_intercept_register;

void HandOn(const void* packets, uint64_t count, uint64_t, void*,
            hsa_amd_queue_intercept_packet_writer write) {
  write(packets, count);
}

hsa_status_t CreateQueue(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
                         void (*callback)(hsa_status_t, hsa_queue_t*, void*), void* data,
                         uint32_t private_segment_size, uint32_t group_segment_size,
                         hsa_queue_t** queue) {
  const hsa_status_t created = g_intercept_create(agent, size, type, callback, data,
                                                  private_segment_size, group_segment_size, queue);
  if (created != HSA_STATUS_SUCCESS) return created;
  return g_intercept_register(*queue, HandOn, nullptr);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) bool OnLoad(HsaApiTable* table, uint64_t,
                                                              uint64_t, const char* const*) {
  g_intercept_create = table->amd_ext_->hsa_amd_queue_intercept_create_fn;
  g_intercept_register = table->amd_ext_->hsa_amd_queue_intercept_register_fn;
  table->core_->hsa_queue_create_fn = CreateQueue;
  return true;
}

extern "C" __attribute__((visibility("default"))) void OnUnload() {}
