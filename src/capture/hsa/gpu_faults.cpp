// SPDX-License-Identifier: MIT
#include "capture/hsa/gpu_faults.h"

#include <hsa/hsa_ext_amd.h>

#include <atomic>

#include "base/clock.h"
#include "base/thread_state.h"
#include "capture/hsa/hsa_slots.h"
#include "model/records.h"

namespace rtl::capture {
namespace {

std::atomic<RecordSink*> g_sink{nullptr};
std::atomic<GpuFaults::AgentNumber> g_agent_number{nullptr};
std::atomic<const void*> g_data{nullptr};

hsa_status_t OnSystemEvent(const hsa_amd_event_t* event, void*) {
  RecordSink* const sink = g_sink.load(std::memory_order_acquire);  // pairs with Watch
  if (sink == nullptr || event == nullptr || event->event_type != HSA_AMD_GPU_MEMORY_FAULT_EVENT) {
    return HSA_STATUS_ERROR;
  }
  const ReentryGuard guard;
  const hsa_amd_gpu_memory_fault_info_t& fault = event->memory_fault;
  FaultRecord record;
  record.head.type = RecordType::kFault;
  record.head.thread = ThreadId::Current();
  record.time = BootTimeNs();
  record.address = fault.virtual_address;
  record.agent = g_agent_number.load(std::memory_order_relaxed)(
      g_data.load(std::memory_order_relaxed), fault.agent);
  record.reason = fault.fault_reason_mask;
  // a lost record is acceptable: the runtime prints the address, too
  (void)sink->Write(&record, sizeof(record), nullptr, 0);
  // says that this handler has not handled the fault
  return HSA_STATUS_ERROR;
}

}  // namespace

bool GpuFaults::Watch(void* root_table, RecordSink* sink, AgentNumber agent_number,
                      const void* data) {
  const HsaSlots slots(root_table);
  const auto watch = slots.Get<decltype(&hsa_amd_register_system_event_handler)>(
      kIndexOf_hsa_amd_register_system_event_handler);
  if (watch == nullptr) return false;
  g_agent_number.store(agent_number, std::memory_order_relaxed);
  g_data.store(data, std::memory_order_relaxed);
  g_sink.store(sink, std::memory_order_release);
  const ReentryGuard guard;
  return watch(OnSystemEvent, nullptr) == HSA_STATUS_SUCCESS;
}

}  // namespace rtl::capture
