/* SPDX-License-Identifier: MIT
 * marker_trace.c: a tool that writes down every ROCTx call twice: from a callback, with
 * arguments and result, and from a buffer, with times. Markers inside a range carry its id: when
 * a range opens, the tool pushes the correlation id of the call as external correlation id, and
 * pops it when the range ends.
 *
 *   roctxRangePushA, EXIT   push its correlation id for this thread
 *   roctxRangePop, EXIT     pop it
 *
 * MARKER_TRACE_RANGES=1: a range is one event, from its begin to its end, instead of two calls.
 *
 * Lines go to the file that MARKER_TRACE_FILE names, otherwise to stderr.
 * MARKER_TRACE_ONLY=FUNCTION subscribes to one function only. README.md has the command. */
#include <string.h>

#include "../sample_tool.h"

enum { kBufferBytes = 1 << 16, kLineBytes = 2048, kKinds = 3 };

/* The same numbers in both services, except for ranges. */
static rocprofiler_callback_tracing_kind_t kinds[kKinds] = {
    ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_API, ROCPROFILER_CALLBACK_TRACING_MARKER_CONTROL_API,
    ROCPROFILER_CALLBACK_TRACING_MARKER_NAME_API};

static rocprofiler_buffer_tracing_kind_t RecordsOf(rocprofiler_callback_tracing_kind_t kind) {
  if (kind == ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_RANGE_API)
    return ROCPROFILER_BUFFER_TRACING_MARKER_CORE_RANGE_API;
  return (rocprofiler_buffer_tracing_kind_t)kind;
}

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
  const int bytes = snprintf(line->text + line->used, (size_t)room, "%s%s=%s",
                             number == 0 ? "" : ", ", name, value);
  (void)kind, (void)operation, (void)address, (void)stars, (void)type, (void)dereferences;
  if (bytes < 0 || bytes >= room) return 1;
  line->used += (size_t)bytes;
  return 0;
}

static void KeepRange(const rocprofiler_callback_tracing_record_t* record) {
  rocprofiler_user_data_t range;
  if (record->kind != ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_API) return;
  if (record->operation == ROCPROFILER_MARKER_CORE_API_ID_roctxRangePushA) {
    range.value = record->correlation_id.internal;
    Check(rocprofiler_push_external_correlation_id(context, record->thread_id, range), "push");
  } else if (record->operation == ROCPROFILER_MARKER_CORE_API_ID_roctxRangePop) {
    Check(rocprofiler_pop_external_correlation_id(context, record->thread_id, &range), "pop");
  }
}

static void OnCall(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t* user_data,
                   void* data) {
  const rocprofiler_callback_tracing_marker_api_data_t* const call = record.payload;
  const char* name = NULL;
  Line line = {"", 0};
  (void)data;
  if (record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER) {
    user_data->value = record.correlation_id.internal;
    return;
  }
  rocprofiler_query_callback_tracing_kind_operation_name(record.kind, record.operation, &name,
                                                         NULL);
  rocprofiler_iterate_callback_tracing_kind_operation_args(record, AddArgument, record.phase - 1,
                                                           &line);
  pthread_mutex_lock(&output_lock);
  fprintf(output,
          "call %" PRIu64 " of %" PRIu64 " in %" PRIu64 " thread %" PRIu64 " %s(%s) = %" PRId64
          "\n",
          record.correlation_id.internal, user_data->value, record.correlation_id.external.value,
          record.thread_id, name, line.text, call->retval.int64_t_retval);
  pthread_mutex_unlock(&output_lock);
  KeepRange(&record);
}

static void OnRecords(rocprofiler_context_id_t from, rocprofiler_buffer_id_t which,
                      rocprofiler_record_header_t** headers, size_t count, void* data,
                      uint64_t drop_count) {
  size_t i;
  (void)from, (void)which, (void)data;
  pthread_mutex_lock(&output_lock);
  dropped += drop_count;
  for (i = 0; i < count; ++i) {
    const rocprofiler_buffer_tracing_marker_api_record_t* const record = headers[i]->payload;
    const char* name = NULL;
    rocprofiler_query_buffer_tracing_kind_operation_name(record->kind, record->operation, &name,
                                                         NULL);
    fprintf(output, "record %" PRIu64 " in %" PRIu64 " thread %" PRIu64 " ns %" PRIu64 " %s\n",
            record->correlation_id.internal, record->correlation_id.external.value,
            record->thread_id, record->end_timestamp - record->start_timestamp, name);
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

static int Ask(rocprofiler_callback_tracing_kind_t kind) {
  Search search = {getenv("MARKER_TRACE_ONLY"), -1};
  size_t count = 0;
  if (search.name != NULL) {
    rocprofiler_iterate_callback_tracing_kind_operations(kind, Compare, &search);
    if (search.found < 0) return 0; /* it is of another kind */
    count = 1;
  }
  return Check(rocprofiler_configure_callback_tracing_service(context, kind, &search.found, count,
                                                              OnCall, NULL),
               "callbacks") ||
         Check(rocprofiler_configure_buffer_tracing_service(context, RecordsOf(kind), &search.found,
                                                            count, buffer),
               "records");
}

static int Initialize(rocprofiler_client_finalize_t finalize, void* data) {
  int i;
  (void)finalize, (void)data;
  if (CreateContext() || CreateBuffer(kBufferBytes, OnRecords)) return -1;
  if (getenv("MARKER_TRACE_RANGES") != NULL)
    kinds[0] = ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_RANGE_API;
  for (i = 0; i < kKinds; ++i) {
    if (Ask(kinds[i])) return -1;
  }
  return StartContext();
}

ROCPROFILER_PUBLIC_API rocprofiler_tool_configure_result_t* rocprofiler_configure(
    uint32_t version, const char* runtime_version, uint32_t priority,
    rocprofiler_client_id_t* client) {
  (void)version, (void)runtime_version, (void)priority;
  return ConfigureTool(client, "marker_trace", "MARKER_TRACE_FILE", Initialize, FinishBuffer);
}
