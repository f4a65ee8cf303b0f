/* SPDX-License-Identifier: MIT
 * rccl_trace.c: a tool that writes down every RCCL call, and the HIP calls, kernels and copies
 * inside it.
 *
 *   callback            a call, with its arguments and its result
 *   buffer              the same call with its times; HIP calls, kernels and copies with its number
 *
 * Lines go to the file that RCCL_TRACE_FILE names, otherwise to stderr. README.md has the
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

static void OnCall(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t* user_data,
                   void* data) {
  const rocprofiler_callback_tracing_rccl_api_data_t* const call = record.payload;
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
  if (record.operation == ROCPROFILER_RCCL_API_ID_ncclGetErrorString ||
      record.operation == ROCPROFILER_RCCL_API_ID_ncclGetLastError) {
    fprintf(output, "call %" PRIu64 " of %" PRIu64 " %s(%s) = %s\n", record.correlation_id.internal,
            user_data->value, name, line.text, call->retval.const_charp_retval);
  } else {
    fprintf(output, "call %" PRIu64 " of %" PRIu64 " %s(%s) = %d\n", record.correlation_id.internal,
            user_data->value, name, line.text, call->retval.ncclResult_t_retval);
  }
  pthread_mutex_unlock(&output_lock);
}

static void WriteRecord(const rocprofiler_record_header_t* header) {
  /* Records of all APIs begin alike. */
  const rocprofiler_buffer_tracing_rccl_api_record_t* const record = header->payload;
  const char* name = NULL;
  if (header->kind == ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH) {
    const rocprofiler_buffer_tracing_kernel_dispatch_record_t* const kernel = header->payload;
    fprintf(output, "kernel of %" PRIu64 "\n", kernel->correlation_id.internal);
    return;
  }
  if (header->kind == ROCPROFILER_BUFFER_TRACING_MEMORY_COPY) {
    const rocprofiler_buffer_tracing_memory_copy_record_t* const copy = header->payload;
    fprintf(output, "copy of %" PRIu64 "\n", copy->correlation_id.internal);
    return;
  }
  rocprofiler_query_buffer_tracing_kind_operation_name(record->kind, record->operation, &name,
                                                       NULL);
  fprintf(output, "%s %" PRIu64 " in %" PRIu64 " thread %" PRIu64 " ns %" PRIu64 " %s\n",
          header->kind == ROCPROFILER_BUFFER_TRACING_RCCL_API ? "record" : "hip",
          record->correlation_id.internal, record->correlation_id.ancestor, record->thread_id,
          record->end_timestamp - record->start_timestamp, name);
}

static void OnRecords(rocprofiler_context_id_t from, rocprofiler_buffer_id_t which,
                      rocprofiler_record_header_t** headers, size_t count, void* data,
                      uint64_t drop_count) {
  size_t i;
  (void)from, (void)which, (void)data;
  pthread_mutex_lock(&output_lock);
  dropped += drop_count;
  for (i = 0; i < count; ++i) WriteRecord(headers[i]);
  pthread_mutex_unlock(&output_lock);
}

static int Record(rocprofiler_buffer_tracing_kind_t kind) {
  return Check(rocprofiler_configure_buffer_tracing_service(context, kind, NULL, 0, buffer),
               "records");
}

static int Initialize(rocprofiler_client_finalize_t finalize, void* data) {
  (void)finalize, (void)data;
  return CreateContext() || CreateBuffer(kBufferBytes, OnRecords) ||
         Check(rocprofiler_configure_callback_tracing_service(
                   context, ROCPROFILER_CALLBACK_TRACING_RCCL_API, NULL, 0, OnCall, NULL),
               "callbacks") ||
         Record(ROCPROFILER_BUFFER_TRACING_RCCL_API) ||
         Record(ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API) ||
         Record(ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH) ||
         Record(ROCPROFILER_BUFFER_TRACING_MEMORY_COPY) || StartContext();
}

ROCPROFILER_PUBLIC_API rocprofiler_tool_configure_result_t* rocprofiler_configure(
    uint32_t version, const char* runtime_version, uint32_t priority,
    rocprofiler_client_id_t* client) {
  (void)version, (void)runtime_version, (void)priority;
  return ConfigureTool(client, "rccl_trace", "RCCL_TRACE_FILE", Initialize, FinishBuffer);
}
