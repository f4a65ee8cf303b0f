// SPDX-License-Identifier: MIT
// consumer.h: the parts that the test clients of this folder share. Each client makes the calls of
// one well-known client of rocprofiler-sdk, in its order, and checks the results. The program is
// tests/programs/sessions.hip.
//
// Threads    callbacks: any
// Errors     a call that fails is reported on stderr and counted
#pragma once

#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>
#include <stdio.h>
#include <string.h>

#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#define CONSUMER_API extern "C" __attribute__((visibility("default")))

namespace consumer {

struct Seen {
  std::atomic<unsigned> failed{0}, agents{0}, calls{0}, markers{0}, launches{0}, kernels{0},
      nameless{0}, orphans{0}, copies{0}, dropped{0}, threads{0}, asked{0}, between{0};
  std::mutex mutex;
  std::map<uint64_t, std::string> names;  // of kernels, by id
  std::set<uint64_t> ids;                 // of calls
  std::vector<uint64_t> of_kernels;       // the ids of the calls of kernels
  uint64_t first = UINT64_MAX, last = 0;  // times of kernels
};
inline Seen seen;

inline bool Check(rocprofiler_status_t status, const char* what) {
  if (status == ROCPROFILER_STATUS_SUCCESS) return true;
  ++seen.failed;
  fprintf(stderr, "%s: status %d\n", what, static_cast<int>(status));
  return false;
}
#define CONSUMER_CHECK(call) ::consumer::Check((call), #call)

inline std::vector<rocprofiler_agent_v0_t> Agents(
    decltype(rocprofiler_query_available_agents)* query = rocprofiler_query_available_agents) {
  std::vector<rocprofiler_agent_v0_t> agents;
  const auto take = [](rocprofiler_agent_version_t version, const void** found, size_t count,
                       void* data) {
    if (version != ROCPROFILER_AGENT_INFO_VERSION_0) return ROCPROFILER_STATUS_ERROR;
    for (size_t i = 0; i < count; ++i)
      static_cast<std::vector<rocprofiler_agent_v0_t>*>(data)->push_back(
          *static_cast<const rocprofiler_agent_v0_t*>(found[i]));
    return ROCPROFILER_STATUS_SUCCESS;
  };
  Check(query(ROCPROFILER_AGENT_INFO_VERSION_0, take, sizeof(rocprofiler_agent_t), &agents),
        "agents");
  for (const rocprofiler_agent_v0_t& agent : agents)
    seen.agents += agent.type == ROCPROFILER_AGENT_TYPE_GPU;
  return agents;
}

// Remembers the names of kernels from CODE_OBJECT.
inline void NoteCodeObject(const rocprofiler_callback_tracing_record_t& record) {
  if (record.operation != ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER ||
      record.phase != ROCPROFILER_CALLBACK_PHASE_LOAD)
    return;
  const auto* const kernel =
      static_cast<rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t*>(
          record.payload);
  const std::lock_guard<std::mutex> lock(seen.mutex);
  seen.names[kernel->kernel_id] = kernel->kernel_name;
}
inline void OnCodeObject(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t*,
                         void*) {
  NoteCodeObject(record);
}

// Remembers the id of a call.
inline void NoteCall(uint64_t id) {
  ++seen.calls;
  const std::lock_guard<std::mutex> lock(seen.mutex);
  seen.ids.insert(id);
}

inline bool IsNamed(const rocprofiler_buffer_tracing_kernel_dispatch_record_t& kernel,
                    const char* part) {
  const std::lock_guard<std::mutex> lock(seen.mutex);
  const auto name = seen.names.find(kernel.dispatch_info.kernel_id);
  return name != seen.names.end() && name->second.find(part) != std::string::npos;
}
inline bool IsOfSession(const rocprofiler_buffer_tracing_kernel_dispatch_record_t& kernel) {
  return IsNamed(kernel, "InSession");
}

// A kernel has a name, and the id of a call, whose record may come later.
inline void NoteKernel(const rocprofiler_buffer_tracing_kernel_dispatch_record_t& kernel) {
  seen.launches += IsOfSession(kernel);
  seen.between += IsNamed(kernel, "Between");
  const std::lock_guard<std::mutex> lock(seen.mutex);
  ++seen.kernels;
  if (seen.names.count(kernel.dispatch_info.kernel_id) == 0) ++seen.nameless;
  if (kernel.end_timestamp < kernel.start_timestamp) ++seen.failed;
  if (kernel.start_timestamp < seen.first) seen.first = kernel.start_timestamp;
  if (kernel.end_timestamp > seen.last) seen.last = kernel.end_timestamp;
  seen.of_kernels.push_back(kernel.correlation_id.internal);
}

inline void NoteRecords(rocprofiler_record_header_t** headers, size_t count, uint64_t dropped) {
  seen.dropped += static_cast<unsigned>(dropped);
  for (size_t i = 0; i < count; ++i) {
    // The records of all APIs have the same first fields.
    if (headers[i]->kind >= ROCPROFILER_BUFFER_TRACING_HSA_CORE_API &&
        headers[i]->kind <= ROCPROFILER_BUFFER_TRACING_HIP_COMPILER_API)
      NoteCall(static_cast<rocprofiler_buffer_tracing_hip_api_record_t*>(headers[i]->payload)
                   ->correlation_id.internal);
    if (headers[i]->kind == ROCPROFILER_BUFFER_TRACING_MEMORY_COPY) ++seen.copies;
    if (headers[i]->kind == ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH)
      NoteKernel(
          *static_cast<rocprofiler_buffer_tracing_kernel_dispatch_record_t*>(headers[i]->payload));
  }
}
inline void OnRecords(rocprofiler_context_id_t, rocprofiler_buffer_id_t,
                      rocprofiler_record_header_t** headers, size_t count, void*,
                      uint64_t dropped) {
  NoteRecords(headers, count, dropped);
}

inline unsigned TakeLaunches() { return seen.launches.exchange(0); }

// Called at the client's end.
inline void Report(const char* name) {
  for (const uint64_t id : seen.of_kernels) seen.orphans += seen.ids.count(id) == 0;
  fprintf(stderr,
          "%s: agents %u, calls %d, markers %u, kernels %d, between %u, nameless %u, orphans %u, "
          "copies %d, "
          "dropped %u, threads %d, asked %d, failed %u\n",
          name, seen.agents.load(), seen.calls > 0, seen.markers.load(), seen.kernels > 0,
          seen.between.load(), seen.nameless.load(), seen.orphans.load(), seen.copies > 0,
          seen.dropped.load(), seen.threads > 0, seen.asked > 0, seen.failed.load());
}

}  // namespace consumer
