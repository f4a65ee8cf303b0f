/* SPDX-License-Identifier: MIT
 * hip_trace.c: a tool that writes down every HIP call, and the kernels and copies that it
 * submitted.
 *
 *   callback            a call, with its arguments and what it returned
 *   buffer              the same call with its times; kernels and copies with the call's number
 *
 * Lines go to the file that HIP_TRACE_FILE names, otherwise to stderr. HIP_TRACE_ONLY=FUNCTION
 * subscribes to one function only. README.md has the command. */
#include <string.h>

#include "../sample_tool.h"

enum { kBufferBytes = 1 << 20, kLineBytes = 2048 };

typedef struct Line {
  char text[kLineBytes];
  size_t used;
} Line;

static int Add(Line* line, uint32_t number, const char* name, const char* value) {
  const int room = (int)(sizeof line->text - line->used);
  const int bytes = snprintf(line->text + line->used, (size_t)room, "%s%s=%s",
                             number == 0 ? "" : ", ", name, value);
  if (bytes < 0 || bytes >= room) return 1;
  line->used += (size_t)bytes;
  return 0;
}

static int AddArgument(rocprofiler_callback_tracing_kind_t kind,
                       rocprofiler_tracing_operation_t operation, uint32_t number,
                       const void* const address, int32_t stars, const char* type, const char* name,
                       const char* value, int32_t dereferences, void* data) {
  (void)kind, (void)operation, (void)address, (void)stars, (void)type, (void)dereferences;
  return Add(data, number, name, value);
}

static int AddRecorded(rocprofiler_buffer_tracing_kind_t kind,
                       rocprofiler_tracing_operation_t operation, uint32_t number,
                       const void* const address, int32_t stars, const char* type, const char* name,
                       const char* value, void* data) {
  (void)kind, (void)operation, (void)address, (void)stars, (void)type;
  return Add(data, number, name, value);
}

static void OnCall(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t* user_data,
                   void* data) {
  const rocprofiler_callback_tracing_hip_api_data_t* const call = record.payload;
  const char* name = NULL;
  Line line = {"", 0};
  (void)data;
  if (record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER) {
    user_data->value = record.correlation_id.internal;
    return;
  }
  rocprofiler_query_callback_tracing_kind_operation_name(record.kind, record.operation, &name,
                                                         NULL);
  rocprofiler_iterate_callback_tracing_kind_operation_args(record, AddArgument, 1, &line);
  pthread_mutex_lock(&output_lock);
  fprintf(output, "call %" PRIu64 " of %" PRIu64 " thread %" PRIu64 " %s(%s) = %d\n",
          record.correlation_id.internal, user_data->value, record.thread_id, name, line.text,
          call->retval.int_retval);
  pthread_mutex_unlock(&output_lock);
}

static void WriteRecord(const rocprofiler_record_header_t* header) {
  const rocprofiler_buffer_tracing_hip_api_record_t* const record = header->payload;
  const char* name = NULL;
  rocprofiler_query_buffer_tracing_kind_operation_name(record->kind, record->operation, &name,
                                                       NULL);
  if (record->size == sizeof *record) {
    fprintf(output, "record %" PRIu64 " thread %" PRIu64 " ns %" PRIu64 " %s\n",
            record->correlation_id.internal, record->thread_id,
            record->end_timestamp - record->start_timestamp, name);
  } else {
    const rocprofiler_buffer_tracing_hip_api_ext_record_t* const full = header->payload;
    Line line = {"", 0};
    rocprofiler_iterate_buffer_tracing_record_args(*header, AddRecorded, &line);
    fprintf(output, "full %" PRIu64 " %s(%s) = %d\n", record->correlation_id.internal, name,
            line.text, full->retval.int_retval);
  }
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
      const rocprofiler_kernel_dispatch_info_t* info = &kernel->dispatch_info;
      fprintf(output, "kernel %" PRIu64 " of %" PRIu64 " grid %ux%ux%u\n", info->dispatch_id,
              kernel->correlation_id.internal, info->grid_size.x, info->grid_size.y,
              info->grid_size.z);
    } else if (headers[i]->kind == ROCPROFILER_BUFFER_TRACING_MEMORY_COPY) {
      const rocprofiler_buffer_tracing_memory_copy_record_t* copy = headers[i]->payload;
      fprintf(output, "copy of %" PRIu64 " bytes %" PRIu64 "\n", copy->correlation_id.internal,
              copy->bytes);
    } else {
      WriteRecord(headers[i]);
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

static int Record(rocprofiler_buffer_tracing_kind_t kind,
                  const rocprofiler_tracing_operation_t* only, size_t count) {
  return Check(rocprofiler_configure_buffer_tracing_service(context, kind, only, count, buffer),
               "records");
}

/* The same numbers in all services. */
static int Ask(rocprofiler_callback_tracing_kind_t kind, rocprofiler_buffer_tracing_kind_t plain,
               rocprofiler_buffer_tracing_kind_t full) {
  Search search = {getenv("HIP_TRACE_ONLY"), -1};
  size_t count = 0;
  if (search.name != NULL) {
    rocprofiler_iterate_callback_tracing_kind_operations(kind, Compare, &search);
    if (search.found < 0) return 0; /* it is of the other kind */
    count = 1;
  }
  return Check(rocprofiler_configure_callback_tracing_service(context, kind, &search.found, count,
                                                              OnCall, NULL),
               "callbacks") ||
         Record(plain, &search.found, count) || Record(full, &search.found, count);
}

static int Initialize(rocprofiler_client_finalize_t finalize, void* data) {
  (void)finalize, (void)data;
  return CreateContext() || CreateBuffer(kBufferBytes, OnRecords) ||
         Ask(ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API,
             ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API,
             ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API_EXT) ||
         Ask(ROCPROFILER_CALLBACK_TRACING_HIP_COMPILER_API,
             ROCPROFILER_BUFFER_TRACING_HIP_COMPILER_API,
             ROCPROFILER_BUFFER_TRACING_HIP_COMPILER_API_EXT) ||
         Record(ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH, NULL, 0) ||
         Record(ROCPROFILER_BUFFER_TRACING_MEMORY_COPY, NULL, 0) || StartContext();
}

ROCPROFILER_PUBLIC_API rocprofiler_tool_configure_result_t* rocprofiler_configure(
    uint32_t version, const char* runtime_version, uint32_t priority,
    rocprofiler_client_id_t* client) {
  (void)version, (void)runtime_version, (void)priority;
  return ConfigureTool(client, "hip_trace", "HIP_TRACE_FILE", Initialize, FinishBuffer);
}
