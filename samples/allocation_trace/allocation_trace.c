/* SPDX-License-Identifier: MIT
 * allocation_trace.c: a tool that writes down memory that is allocated and freed, twice: from
 * callbacks and from a buffer. With ALLOCATION_TRACE_CALLS=1 it also names the HIP or HSA call
 * that the memory belongs to.
 *
 *   callback   user data: ENTER stores the id, EXIT reads it
 *
 * Lines go to the file that ALLOCATION_TRACE_FILE names, otherwise to stderr. README.md has the
 * command. */
#include "../sample_tool.h"

enum { kBufferBytes = 1 << 16 };

static void OnMemory(rocprofiler_callback_tracing_record_t record,
                     rocprofiler_user_data_t* user_data, void* data) {
  const rocprofiler_callback_tracing_memory_allocation_data_t* const memory = record.payload;
  const char* name = NULL;
  (void)data;
  if (record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER) {
    user_data->value = record.correlation_id.internal;
    return;
  }
  rocprofiler_query_callback_tracing_kind_operation_name(record.kind, record.operation, &name,
                                                         NULL);
  pthread_mutex_lock(&output_lock);
  fprintf(output,
          "memory %" PRIu64 " of %" PRIu64 " in %" PRIu64 " thread %" PRIu64 " %s agent %" PRIx64
          " bytes %" PRIu64 " at 0x%" PRIx64 "\n",
          record.correlation_id.internal, user_data->value, record.correlation_id.ancestor,
          record.thread_id, name, memory->agent_id.handle, memory->allocation_size,
          memory->address.value);
  pthread_mutex_unlock(&output_lock);
}

static void OnCall(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t* user_data,
                   void* data) {
  const char* name = NULL;
  (void)user_data, (void)data;
  if (record.phase != ROCPROFILER_CALLBACK_PHASE_EXIT) return;
  rocprofiler_query_callback_tracing_kind_operation_name(record.kind, record.operation, &name,
                                                         NULL);
  pthread_mutex_lock(&output_lock);
  fprintf(output, "call %" PRIu64 " in %" PRIu64 " %s\n", record.correlation_id.internal,
          record.correlation_id.ancestor, name);
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
    const rocprofiler_buffer_tracing_memory_allocation_record_t* const memory = headers[i]->payload;
    const char* name = NULL;
    rocprofiler_query_buffer_tracing_kind_operation_name(memory->kind, memory->operation, &name,
                                                         NULL);
    fprintf(output,
            "record %" PRIu64 " ns %" PRIu64 " in %" PRIu64 " thread %" PRIu64 " %s agent %" PRIx64
            " bytes %" PRIu64 " at 0x%" PRIx64 "\n",
            memory->correlation_id.internal, memory->end_timestamp - memory->start_timestamp,
            memory->correlation_id.ancestor, memory->thread_id, name, memory->agent_id.handle,
            memory->allocation_size, memory->address.value);
  }
  pthread_mutex_unlock(&output_lock);
}

static int Ask(rocprofiler_callback_tracing_kind_t kind,
               rocprofiler_callback_tracing_cb_t callback) {
  return Check(
      rocprofiler_configure_callback_tracing_service(context, kind, NULL, 0, callback, NULL),
      "callbacks");
}

static int Initialize(rocprofiler_client_finalize_t finalize, void* data) {
  (void)finalize, (void)data;
  if (CreateContext() || CreateBuffer(kBufferBytes, OnRecords) ||
      Ask(ROCPROFILER_CALLBACK_TRACING_MEMORY_ALLOCATION, OnMemory) ||
      Check(rocprofiler_configure_buffer_tracing_service(
                context, ROCPROFILER_BUFFER_TRACING_MEMORY_ALLOCATION, NULL, 0, buffer),
            "records"))
    return -1;
  if (getenv("ALLOCATION_TRACE_CALLS") != NULL &&
      (Ask(ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API, OnCall) ||
       Ask(ROCPROFILER_CALLBACK_TRACING_HSA_CORE_API, OnCall) ||
       Ask(ROCPROFILER_CALLBACK_TRACING_HSA_AMD_EXT_API, OnCall)))
    return -1;
  return StartContext();
}

ROCPROFILER_PUBLIC_API rocprofiler_tool_configure_result_t* rocprofiler_configure(
    uint32_t version, const char* runtime_version, uint32_t priority,
    rocprofiler_client_id_t* client) {
  (void)version, (void)runtime_version, (void)priority;
  return ConfigureTool(client, "allocation_trace", "ALLOCATION_TRACE_FILE", Initialize,
                       FinishBuffer);
}
