/* SPDX-License-Identifier: MIT
 * A tool that stops its context and starts it again inside its own callbacks. RESTART_IN: "buffer",
 * "enqueue", "complete" or "call". At the end it prints how many kernels it got by each service, how
 * many its buffer says were dropped, and how many calls. */
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rocprofiler_context_id_t context;
static rocprofiler_buffer_id_t buffer;
static atomic_ulong recorded, dropped, submitted, completed, entered, left, recorded_calls;

static void Restart(const char* where) {
  const char* const wish = getenv("RESTART_IN");
  if (wish == NULL || strcmp(wish, where) != 0) return;
  rocprofiler_stop_context(context);
  rocprofiler_start_context(context);
}

static void OnRecords(rocprofiler_context_id_t from, rocprofiler_buffer_id_t which,
                      rocprofiler_record_header_t** headers, size_t count, void* data,
                      uint64_t drop_count) {
  size_t i;
  (void)from, (void)which, (void)data;
  dropped += drop_count;
  for (i = 0; i < count; ++i) {
    if (headers[i]->kind == ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH)
      ++recorded;
    else
      ++recorded_calls;
  }
  Restart("buffer");
}

static void OnKernel(rocprofiler_callback_tracing_record_t record,
                     rocprofiler_user_data_t* user_data, void* data) {
  (void)user_data, (void)data;
  if (record.operation == ROCPROFILER_KERNEL_DISPATCH_COMPLETE) {
    ++completed;
    Restart("complete");
  } else if (record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER) {
    ++submitted;
    Restart("enqueue");
  }
}

static void OnCall(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t* user_data,
                   void* data) {
  (void)user_data, (void)data;
  if (record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER) {
    ++entered;
    Restart("call");
  } else {
    ++left;
  }
}

static int Initialize(rocprofiler_client_finalize_t finalize, void* data) {
  (void)finalize, (void)data;
  return rocprofiler_create_context(&context) != 0 ||
         rocprofiler_create_buffer(context, 4096, 2048, ROCPROFILER_BUFFER_POLICY_LOSSLESS,
                                   OnRecords, NULL, &buffer) != 0 ||
         rocprofiler_configure_buffer_tracing_service(
             context, ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH, NULL, 0, buffer) != 0 ||
         rocprofiler_configure_buffer_tracing_service(
             context, ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API, NULL, 0, buffer) != 0 ||
         rocprofiler_configure_callback_tracing_service(
             context, ROCPROFILER_CALLBACK_TRACING_KERNEL_DISPATCH, NULL, 0, OnKernel, NULL) != 0 ||
         rocprofiler_configure_callback_tracing_service(
             context, ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API, NULL, 0, OnCall, NULL) != 0 ||
         rocprofiler_start_context(context) != 0;
}

static void Finalize(void* data) {
  (void)data;
  rocprofiler_flush_buffer(buffer);
  fprintf(stderr, "kernels %lu submitted %lu completed %lu recorded %lu dropped\n", submitted,
          completed, recorded, dropped);
  fprintf(stderr, "calls %lu entered %lu left %lu recorded\n", entered, left, recorded_calls);
}

ROCPROFILER_PUBLIC_API rocprofiler_tool_configure_result_t* rocprofiler_configure(
    uint32_t version, const char* runtime_version, uint32_t priority,
    rocprofiler_client_id_t* client) {
  static rocprofiler_tool_configure_result_t result = {sizeof result, Initialize, Finalize, NULL};
  (void)version, (void)runtime_version, (void)priority;
  client->name = "restart_tool";
  return &result;
}
