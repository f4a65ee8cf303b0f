/* SPDX-License-Identifier: MIT
 * openmp_trace.c: a tool that writes down the events of an OpenMP runtime, and its scopes with
 * their times.
 *
 * Lines go to the file that OPENMP_TRACE_FILE names, otherwise to stderr. README.md has the
 * command. */
#include "../sample_tool.h"

enum { kBufferBytes = 1 << 20, kLineBytes = 1024 };

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

static void OnOmpt(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t* user_data,
                   void* data) {
  static const char* const kPhases[] = {"event", "begin", "end"};
  const char* name = NULL;
  Line line = {"", 0};
  (void)user_data, (void)data;
  rocprofiler_query_callback_tracing_kind_operation_name(record.kind, record.operation, &name,
                                                         NULL);
  rocprofiler_iterate_callback_tracing_kind_operation_args(record, AddArgument, 0, &line);
  pthread_mutex_lock(&output_lock);
  fprintf(output, "%s %" PRIu64 " in %" PRIu64 " thread %" PRIu64 " %s(%s)\n",
          kPhases[record.phase], record.correlation_id.internal, record.correlation_id.ancestor,
          record.thread_id, name, line.text);
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
    const rocprofiler_buffer_tracing_ompt_record_t* const record = headers[i]->payload;
    const char* name = NULL;
    rocprofiler_query_buffer_tracing_kind_operation_name(record->kind, record->operation, &name,
                                                         NULL);
    fprintf(output, "record %" PRIu64 " in %" PRIu64 " thread %" PRIu64 " ns %" PRIu64 " %s\n",
            record->correlation_id.internal, record->correlation_id.ancestor, record->thread_id,
            record->end_timestamp - record->start_timestamp, name);
  }
  pthread_mutex_unlock(&output_lock);
}

static int Initialize(rocprofiler_client_finalize_t finalize, void* data) {
  (void)finalize, (void)data;
  return CreateContext() || CreateBuffer(kBufferBytes, OnRecords) ||
         Check(rocprofiler_configure_callback_tracing_service(
                   context, ROCPROFILER_CALLBACK_TRACING_OMPT, NULL, 0, OnOmpt, NULL),
               "callbacks") ||
         Check(rocprofiler_configure_buffer_tracing_service(
                   context, ROCPROFILER_BUFFER_TRACING_OMPT, NULL, 0, buffer),
               "records") ||
         StartContext();
}

ROCPROFILER_PUBLIC_API rocprofiler_tool_configure_result_t* rocprofiler_configure(
    uint32_t version, const char* runtime_version, uint32_t priority,
    rocprofiler_client_id_t* client) {
  (void)version, (void)runtime_version, (void)priority;
  return ConfigureTool(client, "openmp_trace", "OPENMP_TRACE_FILE", Initialize, FinishBuffer);
}
