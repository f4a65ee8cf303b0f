// SPDX-License-Identifier: MIT
// intercept_table.cpp: a tool that puts functions of its own into the HSA runtime's table, twice,
// and prints at the end how often each was called. README.md has the command.
#include <hsa/hsa.h>
#include <hsa/hsa_api_trace.h>
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>

#include <atomic>
#include <cstdio>

namespace {

// The second wrapper is before the first, and calls it.
decltype(hsa_queue_create)* before_first;
decltype(hsa_queue_create)* before_second;
std::atomic<unsigned> tables, first_calls, second_calls;

hsa_status_t First(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
                   void (*callback)(hsa_status_t, hsa_queue_t*, void*), void* data,
                   uint32_t private_size, uint32_t group_size, hsa_queue_t** queue) {
  ++first_calls;
  return before_first(agent, size, type, callback, data, private_size, group_size, queue);
}

hsa_status_t Second(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
                    void (*callback)(hsa_status_t, hsa_queue_t*, void*), void* data,
                    uint32_t private_size, uint32_t group_size, hsa_queue_t** queue) {
  ++second_calls;
  return before_second(agent, size, type, callback, data, private_size, group_size, queue);
}

void OnTable(rocprofiler_intercept_table_t type, uint64_t, uint64_t, void** tables_here,
             uint64_t count, void* data) {
  if (type != ROCPROFILER_HSA_TABLE || count != 1) return;
  CoreApiTable* const core = static_cast<HsaApiTable*>(tables_here[0])->core_;
  if (data == nullptr) {
    ++tables;
    before_first = core->hsa_queue_create_fn;
    core->hsa_queue_create_fn = First;
  } else {
    before_second = core->hsa_queue_create_fn;
    core->hsa_queue_create_fn = Second;
  }
}

int Initialize(rocprofiler_client_finalize_t, void*) {
  static int second;
  return rocprofiler_at_intercept_table_registration(OnTable, ROCPROFILER_HSA_TABLE, nullptr) !=
             ROCPROFILER_STATUS_SUCCESS ||
         rocprofiler_at_intercept_table_registration(OnTable, ROCPROFILER_HSA_TABLE, &second) !=
             ROCPROFILER_STATUS_SUCCESS;
}

void Finalize(void*) {
  std::fprintf(stderr, "intercept_table: tables %u, queues %u and %u\n", tables.load(),
               first_calls.load(), second_calls.load());
}

}  // namespace

extern "C" ROCPROFILER_PUBLIC_API rocprofiler_tool_configure_result_t* rocprofiler_configure(
    uint32_t, const char*, uint32_t, rocprofiler_client_id_t* client) {
  static rocprofiler_tool_configure_result_t result = {sizeof result, Initialize, Finalize,
                                                       nullptr};
  client->name = "intercept_table";
  return &result;
}
