/* SPDX-License-Identifier: MIT
 * A tool that writes down which runtimes a program loads, from callbacks and from a buffer, and
 * when the library creates threads of its own. RUNTIME_TRACE_FILE=FILE writes the lines there. */
#include <rocprofiler-sdk/internal_threading.h>

#include "../sample_tool.h"

static const char* NameOf(rocprofiler_tracing_operation_t operation) {
  const char* name = "?";
  Check(rocprofiler_query_buffer_tracing_kind_operation_name(
            ROCPROFILER_BUFFER_TRACING_RUNTIME_INITIALIZATION, operation, &name, NULL),
        "name");
  return name;
}

static void OnRuntime(rocprofiler_callback_tracing_record_t record,
                      rocprofiler_user_data_t* user_data, void* data) {
  const rocprofiler_callback_tracing_runtime_initialization_data_t* runtime = record.payload;
  (void)user_data, (void)data;
  fprintf(output, "%s comes, version %" PRIu64 "\n", NameOf(record.operation), runtime->version);
}

static void OnRecords(rocprofiler_context_id_t from, rocprofiler_buffer_id_t which,
                      rocprofiler_record_header_t** headers, size_t count, void* data,
                      uint64_t dropped) {
  size_t i;
  (void)from, (void)which, (void)data;
  for (i = 0; i < count; ++i) {
    const rocprofiler_buffer_tracing_runtime_initialization_record_t* record = headers[i]->payload;
    fprintf(output, "%s came at %" PRIu64 " in thread %" PRIu64 "\n", NameOf(record->operation),
            record->timestamp, record->thread_id);
  }
  fprintf(output, "dropped %" PRIu64 "\n", dropped);
}

/* Between the two, the library creates threads that the program must not take for its own. */
static void BeforeThread(rocprofiler_runtime_library_t library, void* data) {
  (void)library, (void)data;
  fprintf(output, "a thread will be made\n");
}
static void AfterThread(rocprofiler_runtime_library_t library, void* data) {
  (void)library, (void)data;
  fprintf(output, "a thread was made\n");
}

static int Initialize(rocprofiler_client_finalize_t finalize, void* data) {
  (void)finalize, (void)data;
  return Check(rocprofiler_at_internal_thread_create(BeforeThread, AfterThread, ROCPROFILER_LIBRARY,
                                                     NULL),
               "threads") ||
         CreateContext() || CreateBuffer(1 << 12, OnRecords) ||
         Check(rocprofiler_configure_callback_tracing_service(
                   context, ROCPROFILER_CALLBACK_TRACING_RUNTIME_INITIALIZATION, NULL, 0, OnRuntime,
                   NULL),
               "callbacks") ||
         Check(rocprofiler_configure_buffer_tracing_service(
                   context, ROCPROFILER_BUFFER_TRACING_RUNTIME_INITIALIZATION, NULL, 0, buffer),
               "records") ||
         StartContext();
}

static void Finalize(void* data) {
  (void)data;
  FlushBuffer();
  if (output != stdout) fclose(output);
}

ROCPROFILER_PUBLIC_API rocprofiler_tool_configure_result_t* rocprofiler_configure(
    uint32_t version, const char* runtime_version, uint32_t priority,
    rocprofiler_client_id_t* client) {
  (void)version, (void)runtime_version, (void)priority;
  return ConfigureTool(client, "runtime_trace", "RUNTIME_TRACE_FILE", Initialize, Finalize);
}
