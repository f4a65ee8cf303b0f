/* SPDX-License-Identifier: MIT
 * api_trace.c: a tool that writes down every HSA call twice: from a callback, with arguments and
 * result, and from a buffer, with times.
 *
 *   callback   user data: ENTER stores the time, EXIT reads it
 *   buffer     one record per call, and per kernel
 *
 * Lines go to the file that API_TRACE_FILE names, otherwise to stderr. API_TRACE_ONLY=FUNCTION
 * subscribes to one function only. README.md has the command. */
#include <string.h>

#include "../sample_tool.h"

enum { kBufferBytes = 1 << 20, kLineBytes = 2048 };

typedef struct Line {
  char text[kLineBytes];
  size_t used;
} Line;

static int AddArgument(rocprofiler_callback_tracing_kind_t kind,
                       rocprofiler_tracing_operation_t operation, uint32_t number,
                       const void* const address, int32_t stars, const char* type, const char* name,
                       const char* value, int32_t dereferences, void* data) {
  Line* const line = data;
  const int room = (int)(sizeof line->text - line->used);
  const int bytes = snprintf(line->text + line->used, (size_t)room, "%s%s %s=%s",
                             number == 0 ? "" : ", ", type, name, value);
  (void)kind, (void)operation, (void)address, (void)stars, (void)dereferences;
  if (bytes < 0 || bytes >= room) return 1;
  line->used += (size_t)bytes;
  return 0;
}

static void OnCall(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t* user_data,
                   void* data) {
  const rocprofiler_callback_tracing_hsa_api_data_t* const call = record.payload;
  rocprofiler_timestamp_t now = 0;
  const char* name = NULL;
  Line line = {"", 0};
  (void)data;
  rocprofiler_get_timestamp(&now);
  if (record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER) {
    user_data->value = now;
    return;
  }
  rocprofiler_query_callback_tracing_kind_operation_name(record.kind, record.operation, &name,
                                                         NULL);
  rocprofiler_iterate_callback_tracing_kind_operation_args(record, AddArgument, record.phase - 1,
                                                           &line);
  pthread_mutex_lock(&output_lock);
  fprintf(output,
          "call %" PRIu64 " in %" PRIu64 " thread %" PRIu64 " ns %" PRIu64 " %s(%s) = %" PRIu64
          "\n",
          record.correlation_id.internal, record.correlation_id.ancestor, record.thread_id,
          now - user_data->value, name, line.text, call->retval.uint64_t_retval);
  pthread_mutex_unlock(&output_lock);
}

static void OnRecords(rocprofiler_context_id_t from, rocprofiler_buffer_id_t which,
                      rocprofiler_record_header_t** headers, size_t count, void* data,
                      uint64_t drop_count) {
  size_t i;
  (void)from, (void)which, (void)data;
  pthread_mutex_lock(&output_lock);
  dropped += drop_count;
  for (i = 0; i < count; ++i) {
    if (headers[i]->kind == ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH) {
      const rocprofiler_buffer_tracing_kernel_dispatch_record_t* kernel = headers[i]->payload;
      fprintf(output, "kernel %" PRIu64 " in %" PRIu64 "\n", kernel->dispatch_info.dispatch_id,
              kernel->correlation_id.internal);
    } else {
      const rocprofiler_buffer_tracing_hsa_api_record_t* record = headers[i]->payload;
      const char* name = NULL;
      rocprofiler_query_buffer_tracing_kind_operation_name(record->kind, record->operation, &name,
                                                           NULL);
      fprintf(output, "record %" PRIu64 " in %" PRIu64 " thread %" PRIu64 " ns %" PRIu64 " %s\n",
              record->correlation_id.internal, record->correlation_id.ancestor, record->thread_id,
              record->end_timestamp - record->start_timestamp, name);
    }
  }
  pthread_mutex_unlock(&output_lock);
}

typedef struct Search {
  const char* name;
  rocprofiler_tracing_operation_t found;
} Search;

static int Compare(rocprofiler_callback_tracing_kind_t kind,
                   rocprofiler_tracing_operation_t operation, void* data) {
  Search* const search = data;
  const char* name = NULL;
  rocprofiler_query_callback_tracing_kind_operation_name(kind, operation, &name, NULL);
  if (name == NULL || strcmp(name, search->name) != 0) return 0;
  search->found = operation;
  return 1;
}

/* The same numbers in both services. */
static int Ask(rocprofiler_callback_tracing_kind_t kind,
               rocprofiler_buffer_tracing_kind_t buffered) {
  Search search = {getenv("API_TRACE_ONLY"), -1};
  size_t count = 0;
  if (search.name != NULL) {
    rocprofiler_iterate_callback_tracing_kind_operations(kind, Compare, &search);
    if (search.found < 0) return 0; /* it is of another kind */
    count = 1;
  }
  return Check(rocprofiler_configure_callback_tracing_service(context, kind, &search.found, count,
                                                              OnCall, NULL),
               "callbacks") ||
         Check(rocprofiler_configure_buffer_tracing_service(context, buffered, &search.found, count,
                                                            buffer),
               "records");
}

static int Initialize(rocprofiler_client_finalize_t finalize, void* data) {
  (void)finalize, (void)data;
  return CreateContext() || CreateBuffer(kBufferBytes, OnRecords) ||
         Ask(ROCPROFILER_CALLBACK_TRACING_HSA_CORE_API, ROCPROFILER_BUFFER_TRACING_HSA_CORE_API) ||
         Ask(ROCPROFILER_CALLBACK_TRACING_HSA_AMD_EXT_API,
             ROCPROFILER_BUFFER_TRACING_HSA_AMD_EXT_API) ||
         Check(rocprofiler_configure_buffer_tracing_service(
                   context, ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH, NULL, 0, buffer),
               "kernels") ||
         StartContext();
}

ROCPROFILER_PUBLIC_API rocprofiler_tool_configure_result_t* rocprofiler_configure(
    uint32_t version, const char* runtime_version, uint32_t priority,
    rocprofiler_client_id_t* client) {
  (void)version, (void)runtime_version, (void)priority;
  return ConfigureTool(client, "api_trace", "API_TRACE_FILE", Initialize, FinishBuffer);
}
