// SPDX-License-Identifier: MIT
// As Triton's Proton does: the library is opened by name, and configured before any runtime is
// loaded. The first session starts the context, which then stays active; the client itself filters
// the rest.
#include <dlfcn.h>
#include <stdlib.h>

#include "consumer.h"

using namespace consumer;

namespace {

void* library = nullptr;
rocprofiler_context_id_t code_objects = {0}, context = {0};
rocprofiler_buffer_id_t buffer = {0};
rocprofiler_callback_thread_t thread = {0};
std::atomic<bool> active{false};
bool started = false;

#define CALL(name, ...) \
  Check(reinterpret_cast<decltype(name)*>(dlsym(library, #name))(__VA_ARGS__), #name)

void OnCall(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t*, void*) {
  if (record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER) NoteCall(record.correlation_id.internal);
}

void OnMarker(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t*, void*) {
  if (active && record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER) ++seen.markers;
}

int Initialize(rocprofiler_client_finalize_t, void*) {
  CALL(rocprofiler_create_context, &code_objects);
  const rocprofiler_tracing_operation_t of_code[] = {
      ROCPROFILER_CODE_OBJECT_LOAD, ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER};
  CALL(rocprofiler_configure_callback_tracing_service, code_objects,
       ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT, of_code, 2, OnCodeObject, nullptr);
  CALL(rocprofiler_create_context, &context);
  const rocprofiler_tracing_operation_t launches[] = {
      ROCPROFILER_HIP_RUNTIME_API_ID_hipLaunchKernel,
      ROCPROFILER_HIP_RUNTIME_API_ID_hipExtLaunchKernel,
      ROCPROFILER_HIP_RUNTIME_API_ID_hipExtModuleLaunchKernel,
      ROCPROFILER_HIP_RUNTIME_API_ID_hipHccModuleLaunchKernel,
      ROCPROFILER_HIP_RUNTIME_API_ID_hipLaunchCooperativeKernel,
      ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleLaunchKernel,
      ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleLaunchCooperativeKernel};
  CALL(rocprofiler_configure_callback_tracing_service, context,
       ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API, launches, sizeof launches / sizeof *launches,
       OnCall, nullptr);
  const rocprofiler_tracing_operation_t ranges[] = {ROCPROFILER_MARKER_CORE_API_ID_roctxRangePushA,
                                                    ROCPROFILER_MARKER_CORE_API_ID_roctxRangePop};
  CALL(rocprofiler_configure_callback_tracing_service, context,
       ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_API, ranges, 2, OnMarker, nullptr);
  constexpr size_t kBytes = size_t{64} << 20;
  CALL(rocprofiler_create_buffer, context, kBytes, kBytes - kBytes / 8,
       ROCPROFILER_BUFFER_POLICY_LOSSLESS, OnRecords, nullptr, &buffer);
  CALL(rocprofiler_configure_buffer_tracing_service, context,
       ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH, nullptr, 0, buffer);
  CALL(rocprofiler_create_callback_thread, &thread);
  CALL(rocprofiler_assign_callback_thread, buffer, thread);
  (void)Agents(reinterpret_cast<decltype(rocprofiler_query_available_agents)*>(
      dlsym(library, "rocprofiler_query_available_agents")));
  CALL(rocprofiler_start_context, code_objects);
  return 0;
}

void Finalize(void*) {
  CALL(rocprofiler_flush_buffer, buffer);
  Report("proton");
}

rocprofiler_tool_configure_result_t* Configure(uint32_t, const char*, uint32_t,
                                               rocprofiler_client_id_t* id) {
  static rocprofiler_tool_configure_result_t result = {sizeof result, Initialize, Finalize,
                                                       nullptr};
  id->name = "proton";
  return &result;
}

bool Load() {
  const char* const path = getenv("PROTON_LIBRARY");
  library = path == nullptr ? nullptr : dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return false;  // also in the programs that start this one
  int status = 0;
  CALL(rocprofiler_is_initialized, &status);
  return status == 0 && CALL(rocprofiler_force_configure, Configure);
}

const bool loaded = Load();

}  // namespace

CONSUMER_API int session_start() {
  active = true;
  if (!started) started = CALL(rocprofiler_start_context, context);
  return started ? 0 : 1;
}

CONSUMER_API int session_stop(unsigned* launches) {
  const bool flushed = CALL(rocprofiler_flush_buffer, buffer);
  active = false;
  *launches = TakeLaunches();
  return flushed ? 0 : 1;
}
