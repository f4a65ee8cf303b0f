/* SPDX-License-Identifier: MIT
 * event_trace.c: a tool that gets HIP calls, kernels and copies by callback and by buffer at
 * once, and writes down which event is which.
 *
 *   calls       call (callback), record (buffer)
 *   kernels     enqueue, complete (callbacks), kernel (buffer)
 *   copies      enter, exit (callbacks), copy (buffer)
 *
 * EVENT_TRACE_EXTERNAL=push: each call pushes its operation's number, and its kernels and copies
 * carry that number. =ask: the library requests the number of each kernel and copy.
 * EVENT_TRACE_RETIRED=1: a line for each call that no later record will name (retired). Lines go
 * to the file that EVENT_TRACE_FILE names, otherwise to stderr. README.md has the command. */
#include <string.h>

#include "../sample_tool.h"

enum { kBufferBytes = 1 << 20, kAnswer = 1000000 };

static int push;
static uint64_t dropped, copies;

static const char* NameOf(rocprofiler_callback_tracing_kind_t kind,
                          rocprofiler_tracing_operation_t operation) {
  const char* name = NULL;
  rocprofiler_query_callback_tracing_kind_operation_name(kind, operation, &name, NULL);
  return name;
}

static void OnCall(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t* user_data,
                   void* data) {
  rocprofiler_user_data_t value;
  (void)user_data, (void)data;
  value.value = (uint64_t)record.operation;
  if (record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER) {
    if (push) rocprofiler_push_external_correlation_id(context, record.thread_id, value);
    return;
  }
  if (push) rocprofiler_pop_external_correlation_id(context, record.thread_id, &value);
  pthread_mutex_lock(&output_lock);
  fprintf(output, "call %" PRIu64 " thread %" PRIu64 " operation %d %s\n",
          record.correlation_id.internal, record.thread_id, record.operation,
          NameOf(record.kind, record.operation));
  pthread_mutex_unlock(&output_lock);
}

/* The queue is locked while a kernel is enqueued: no function of the runtime may be called here. */
static void OnKernel(rocprofiler_callback_tracing_record_t record,
                     rocprofiler_user_data_t* user_data, void* data) {
  const rocprofiler_callback_tracing_kernel_dispatch_data_t* const kernel = record.payload;
  const uint64_t number = kernel->dispatch_info.dispatch_id;
  (void)data;
  if (record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER) {
    user_data->value = number;
    return;
  }
  pthread_mutex_lock(&output_lock);
  fprintf(output, "%s %" PRIu64 " as %" PRIu64 " of %" PRIu64 " external %" PRIu64,
          record.operation == ROCPROFILER_KERNEL_DISPATCH_COMPLETE ? "complete" : "enqueue", number,
          user_data->value, record.correlation_id.internal, record.correlation_id.external.value);
  fprintf(output, " thread %" PRIu64 " from %" PRIu64 " to %" PRIu64 "\n", record.thread_id,
          kernel->start_timestamp, kernel->end_timestamp);
  pthread_mutex_unlock(&output_lock);
}

static void OnCopy(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t* user_data,
                   void* data) {
  const rocprofiler_callback_tracing_memory_copy_data_t* const copy = record.payload;
  const int enter = record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER;
  (void)data;
  pthread_mutex_lock(&output_lock);
  if (enter) user_data->value = ++copies;
  fprintf(output, "%s %" PRIu64 " %s of %" PRIu64 " external %" PRIu64 " bytes %" PRIu64,
          enter ? "enter" : "exit", user_data->value, NameOf(record.kind, record.operation),
          record.correlation_id.internal, record.correlation_id.external.value, copy->bytes);
  fprintf(output, " from %" PRIu64 " to %" PRIu64 "\n", copy->start_timestamp, copy->end_timestamp);
  pthread_mutex_unlock(&output_lock);
}

static void WriteRecord(const rocprofiler_record_header_t* header) {
  const char* name = NULL;
  if (header->kind == ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH) {
    const rocprofiler_buffer_tracing_kernel_dispatch_record_t* const kernel = header->payload;
    fprintf(output,
            "kernel %" PRIu64 " of %" PRIu64 " external %" PRIu64 " thread %" PRIu64
            " from %" PRIu64 " to %" PRIu64 "\n",
            kernel->dispatch_info.dispatch_id, kernel->correlation_id.internal,
            kernel->correlation_id.external.value, kernel->thread_id, kernel->start_timestamp,
            kernel->end_timestamp);
  } else if (header->kind == ROCPROFILER_BUFFER_TRACING_MEMORY_COPY) {
    const rocprofiler_buffer_tracing_memory_copy_record_t* const copy = header->payload;
    rocprofiler_query_buffer_tracing_kind_operation_name(copy->kind, copy->operation, &name, NULL);
    fprintf(output,
            "copy %s of %" PRIu64 " external %" PRIu64 " bytes %" PRIu64 " from %" PRIu64
            " to %" PRIu64 "\n",
            name, copy->correlation_id.internal, copy->correlation_id.external.value, copy->bytes,
            copy->start_timestamp, copy->end_timestamp);
  } else if (header->kind == ROCPROFILER_BUFFER_TRACING_CORRELATION_ID_RETIREMENT) {
    const rocprofiler_buffer_tracing_correlation_id_retirement_record_t* const id = header->payload;
    fprintf(output, "retired %" PRIu64 " at %" PRIu64 "\n", id->internal_correlation_id,
            id->timestamp);
  } else {
    const rocprofiler_buffer_tracing_hip_api_record_t* const call = header->payload;
    rocprofiler_query_buffer_tracing_kind_operation_name(call->kind, call->operation, &name, NULL);
    fprintf(output, "record %" PRIu64 " thread %" PRIu64 " operation %d %s\n",
            call->correlation_id.internal, call->thread_id, call->operation, name);
  }
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

static int OnRequest(rocprofiler_thread_id_t thread, rocprofiler_context_id_t from,
                     rocprofiler_external_correlation_id_request_kind_t kind,
                     rocprofiler_tracing_operation_t operation, uint64_t internal,
                     rocprofiler_user_data_t* external, void* data) {
  (void)thread, (void)from, (void)operation, (void)data;
  external->value = (uint64_t)kind * kAnswer + internal;
  return 0;
}

static int AskForNumbers(void) {
  const rocprofiler_external_correlation_id_request_kind_t kinds[] = {
      ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_KERNEL_DISPATCH,
      ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MEMORY_COPY};
  return Check(rocprofiler_configure_external_correlation_id_request_service(context, kinds, 2,
                                                                             OnRequest, NULL),
               "requests");
}

/* By callback and by buffer. */
static int Both(rocprofiler_callback_tracing_kind_t told,
                rocprofiler_callback_tracing_cb_t function,
                rocprofiler_buffer_tracing_kind_t recorded) {
  return Check(
             rocprofiler_configure_callback_tracing_service(context, told, NULL, 0, function, NULL),
             "callbacks") ||
         Check(rocprofiler_configure_buffer_tracing_service(context, recorded, NULL, 0, buffer),
               "records");
}

static int Initialize(rocprofiler_client_finalize_t finalize, void* data) {
  const char* const external = getenv("EVENT_TRACE_EXTERNAL");
  (void)finalize, (void)data;
  push = external != NULL && strcmp(external, "push") == 0;
  return CreateContext() || CreateBuffer(kBufferBytes, OnRecords) ||
         Both(ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API, OnCall,
              ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API) ||
         Both(ROCPROFILER_CALLBACK_TRACING_HIP_COMPILER_API, OnCall,
              ROCPROFILER_BUFFER_TRACING_HIP_COMPILER_API) ||
         Both(ROCPROFILER_CALLBACK_TRACING_KERNEL_DISPATCH, OnKernel,
              ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH) ||
         Both(ROCPROFILER_CALLBACK_TRACING_MEMORY_COPY, OnCopy,
              ROCPROFILER_BUFFER_TRACING_MEMORY_COPY) ||
         (external != NULL && !push && AskForNumbers()) ||
         (getenv("EVENT_TRACE_RETIRED") != NULL &&
          Check(rocprofiler_configure_buffer_tracing_service(
                    context, ROCPROFILER_BUFFER_TRACING_CORRELATION_ID_RETIREMENT, NULL, 0, buffer),
                "retirement")) ||
         StartContext();
}

ROCPROFILER_PUBLIC_API rocprofiler_tool_configure_result_t* rocprofiler_configure(
    uint32_t version, const char* runtime_version, uint32_t priority,
    rocprofiler_client_id_t* client) {
  (void)version, (void)runtime_version, (void)priority;
  return ConfigureTool(client, "event_trace", "EVENT_TRACE_FILE", Initialize, FinishBuffer);
}
