/* SPDX-License-Identifier: MIT
 * A second tool in the process: reports its calls, counts kernels with a small buffer of its own,
 * and stops its context and starts it again. SECOND_TOOL=off: its initialisation fails. */
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rocprofiler_context_id_t context;
static rocprofiler_buffer_id_t buffer;
static unsigned long kernels, copies, drops, calls;

static void OnRecords(rocprofiler_context_id_t from, rocprofiler_buffer_id_t which,
                      rocprofiler_record_header_t** headers, size_t count, void* data,
                      uint64_t drop_count) {
  size_t i;
  (void)from;
  (void)data;
  ++calls;
  drops += drop_count;
  for (i = 0; i < count; ++i) {
    if (headers[i]->kind == ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH) ++kernels;
    if (headers[i]->kind == ROCPROFILER_BUFFER_TRACING_MEMORY_COPY) ++copies;
  }
  if (rocprofiler_flush_buffer(which) != ROCPROFILER_STATUS_ERROR_BUFFER_BUSY)
    fprintf(stderr, "second: a flush within a callback must be refused\n");
}

static int Initialize(rocprofiler_client_finalize_t finalize, void* data) {
  const char* wish = getenv("SECOND_TOOL");
  int failed;
  (void)finalize;
  fprintf(stderr, "%s: initialize\n", (const char*)data);
  failed = rocprofiler_create_context(&context) != 0 ||
           rocprofiler_create_buffer(context, 4096, 4096, ROCPROFILER_BUFFER_POLICY_LOSSLESS,
                                     OnRecords, NULL, &buffer) != 0 ||
           rocprofiler_configure_buffer_tracing_service(
               context, ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH, NULL, 0, buffer) != 0 ||
           rocprofiler_configure_buffer_tracing_service(
               context, ROCPROFILER_BUFFER_TRACING_MEMORY_COPY, NULL, 0, buffer) != 0 ||
           rocprofiler_start_context(context) != 0 || rocprofiler_stop_context(context) != 0 ||
           rocprofiler_start_context(context) != 0;
  return failed || (wish != NULL && strcmp(wish, "off") == 0);
}

static void Finalize(void* data) {
  rocprofiler_flush_buffer(buffer);
  fprintf(stderr, "%s: finalize, %lu kernels, %lu copies, %lu drops, %s\n", (const char*)data,
          kernels, copies, drops, calls > 1 ? "several calls" : "one call");
}

rocprofiler_tool_configure_result_t* rocprofiler_configure(uint32_t version,
                                                           const char* runtime_version,
                                                           uint32_t priority,
                                                           rocprofiler_client_id_t* client) {
  static rocprofiler_tool_configure_result_t result = {sizeof result, Initialize, Finalize,
                                                       "second"};
  client->name = "second";
  fprintf(stderr, "second: configure, version %u (%s), %u before\n", version, runtime_version,
          priority);
  return &result;
}
