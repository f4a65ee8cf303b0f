/* SPDX-License-Identifier: MIT
 * A tool that its own program queries: what had ended when its context was stopped, its buffer
 * flushed, and when it was finalized. */
#include <rocprofiler-sdk/buffer.h>
#include <rocprofiler-sdk/buffer_tracing.h>
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { kBytes = 1 << 20 };

static rocprofiler_context_id_t context;
static rocprofiler_buffer_id_t buffer;
static rocprofiler_client_finalize_t finalize_me;
static rocprofiler_client_id_t me;
static atomic_uint kernels, copies, dropped;

static void OnRecords(rocprofiler_context_id_t from, rocprofiler_buffer_id_t which,
                      rocprofiler_record_header_t** headers, size_t count, void* data,
                      uint64_t drops) {
  (void)from, (void)which, (void)data;
  dropped += (unsigned)drops;
  for (size_t i = 0; i < count; ++i) {
    kernels += headers[i]->kind == ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH;
    copies += headers[i]->kind == ROCPROFILER_BUFFER_TRACING_MEMORY_COPY;
  }
}

static int Initialize(rocprofiler_client_finalize_t finalize, void* data) {
  (void)data;
  finalize_me = finalize;
  return rocprofiler_create_context(&context) != ROCPROFILER_STATUS_SUCCESS ||
         rocprofiler_create_buffer(context, kBytes, kBytes, ROCPROFILER_BUFFER_POLICY_LOSSLESS,
                                   OnRecords, NULL, &buffer) != ROCPROFILER_STATUS_SUCCESS ||
         rocprofiler_configure_buffer_tracing_service(
             context, ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH, NULL, 0, buffer) !=
             ROCPROFILER_STATUS_SUCCESS ||
         rocprofiler_configure_buffer_tracing_service(context,
                                                      ROCPROFILER_BUFFER_TRACING_MEMORY_COPY, NULL,
                                                      0, buffer) != ROCPROFILER_STATUS_SUCCESS ||
         rocprofiler_start_context(context) != ROCPROFILER_STATUS_SUCCESS;
}

static void Finalize(void* data) {
  (void)data;
  fprintf(stderr, "finalized: %u kernels, %u copies, %u dropped\n", kernels, copies, dropped);
}

/* For the program: stops and flushes, says what has arrived since the last time, and starts. */
ROCPROFILER_PUBLIC_API int settle_round(unsigned* kernels_out, unsigned* copies_out) {
  const int failed = rocprofiler_stop_context(context) != ROCPROFILER_STATUS_SUCCESS ||
                     rocprofiler_flush_buffer(buffer) != ROCPROFILER_STATUS_SUCCESS;
  *kernels_out = atomic_exchange(&kernels, 0);
  *copies_out = atomic_exchange(&copies, 0);
  return failed || rocprofiler_start_context(context) != ROCPROFILER_STATUS_SUCCESS;
}

ROCPROFILER_PUBLIC_API void settle_finalize(void) { finalize_me(me); }

ROCPROFILER_PUBLIC_API rocprofiler_tool_configure_result_t* rocprofiler_configure(
    uint32_t version, const char* runtime_version, uint32_t priority,
    rocprofiler_client_id_t* client) {
  static rocprofiler_tool_configure_result_t result = {sizeof result, Initialize, Finalize, NULL};
  (void)version, (void)runtime_version, (void)priority;
  client->name = "settle_tool";
  memcpy(&me, client, sizeof me); /* its members are constant */
  return &result;
}
