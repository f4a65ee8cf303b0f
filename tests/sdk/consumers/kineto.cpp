// SPDX-License-Identifier: MIT
// As PyTorch's Kineto does: most calls of HIP by callback with their arguments, kernels and copies
// by a buffer, in sessions that are started and stopped.
#include <rocprofiler-sdk/cxx/name_info.hpp>

#include "consumer.h"

using namespace consumer;

namespace {

rocprofiler_context_id_t utility = {0}, context = {0};
rocprofiler_buffer_id_t buffer = {0};

int NoteSize(rocprofiler_callback_tracing_kind_t, rocprofiler_tracing_operation_t, uint32_t,
             const void* const address, int32_t, const char*, const char* name, const char*,
             int32_t, void* size) {
  if (strcmp(name, "size") == 0) memcpy(size, address, sizeof(size_t));
  return 0;
}

void OnCall(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t*, void*) {
  if (record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER)
    return NoteCall(record.correlation_id.internal);
  if (record.operation != ROCPROFILER_HIP_RUNTIME_API_ID_hipMalloc) return;
  size_t size = 0;
  CONSUMER_CHECK(
      rocprofiler_iterate_callback_tracing_kind_operation_args(record, NoteSize, 1, &size));
  if (size == 0) ++seen.failed;
}

std::vector<rocprofiler_tracing_operation_t> CallsButFew() {
  static const std::set<std::string> kOmitted = {"hipGetDevice", "hipSetDevice", "hipGetLastError",
                                                 "hipGetDeviceCount", "hipPeekAtLastError"};
  const auto names = rocprofiler::sdk::get_callback_tracing_names();
  const auto buffered = rocprofiler::sdk::get_buffer_tracing_names();
  if (buffered.size() == 0) ++seen.failed;
  std::vector<rocprofiler_tracing_operation_t> calls;
  for (const auto& [operation, name] :
       names[ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API].items()) {
    if (kOmitted.count(std::string(*name)) == 0)
      calls.push_back(static_cast<rocprofiler_tracing_operation_t>(operation));
  }
  return calls;
}

bool IsValid(rocprofiler_context_id_t id) {
  int valid = 0;
  return CONSUMER_CHECK(rocprofiler_context_is_valid(id, &valid)) && valid != 0;
}

int Initialize(rocprofiler_client_finalize_t, void*) {
  const std::vector<rocprofiler_tracing_operation_t> calls = CallsButFew();
  (void)Agents();
  CONSUMER_CHECK(rocprofiler_create_context(&utility));
  const rocprofiler_tracing_operation_t kernels[] = {
      ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER};
  CONSUMER_CHECK(rocprofiler_configure_callback_tracing_service(
      utility, ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT, kernels, 1, OnCodeObject, nullptr));
  if (!IsValid(utility)) return -1;
  CONSUMER_CHECK(rocprofiler_start_context(utility));
  CONSUMER_CHECK(rocprofiler_create_context(&context));
  CONSUMER_CHECK(rocprofiler_configure_callback_tracing_service(
      context, ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API, calls.data(), calls.size(), OnCall,
      nullptr));
  CONSUMER_CHECK(rocprofiler_create_buffer(
      context, 0x40000, 0x20000, ROCPROFILER_BUFFER_POLICY_LOSSLESS, OnRecords, nullptr, &buffer));
  CONSUMER_CHECK(rocprofiler_configure_buffer_tracing_service(
      context, ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH, nullptr, 0, buffer));
  CONSUMER_CHECK(rocprofiler_configure_buffer_tracing_service(
      context, ROCPROFILER_BUFFER_TRACING_MEMORY_COPY, nullptr, 0, buffer));
  return IsValid(context) ? 0 : -1;
}

void Finalize(void*) {
  (void)rocprofiler_stop_context(utility);  // it is stopped already
  (void)rocprofiler_stop_context(context);
  CONSUMER_CHECK(rocprofiler_flush_buffer(buffer));
  Report("kineto");
}

}  // namespace

CONSUMER_API int session_start() {
  return CONSUMER_CHECK(rocprofiler_start_context(context)) ? 0 : 1;
}

CONSUMER_API int session_stop(unsigned* launches) {
  const bool done = CONSUMER_CHECK(rocprofiler_stop_context(context)) &&
                    CONSUMER_CHECK(rocprofiler_flush_buffer(buffer));
  *launches = TakeLaunches();
  return done ? 0 : 1;
}

CONSUMER_API rocprofiler_tool_configure_result_t* rocprofiler_configure(
    uint32_t, const char*, uint32_t, rocprofiler_client_id_t* id) {
  static rocprofiler_tool_configure_result_t result = {sizeof result, Initialize, Finalize,
                                                       nullptr};
  id->name = "kineto";
  return &result;
}
