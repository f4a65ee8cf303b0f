/* SPDX-License-Identifier: MIT
 * scratch_trace.c: a tool that writes down the memory that a runtime gives to queues for their
 * kernels' stacks, twice: from callbacks and from a buffer. With SCRATCH_TRACE_KERNELS=1 it also
 * writes the kernels that have such a stack, and the calls that submitted them.
 *
 *   callback   user data: ENTER stores the packet's index, EXIT reads it
 *
 * Lines go to the file that SCRATCH_TRACE_FILE names, otherwise to stderr. README.md has the
 * command. */
#include "../sample_tool.h"

enum { kBufferBytes = 1 << 16 };

static void OnScratch(rocprofiler_callback_tracing_record_t record,
                      rocprofiler_user_data_t* user_data, void* data) {
  const rocprofiler_callback_tracing_scratch_memory_data_t* const scratch = record.payload;
  const int alloc = record.operation == ROCPROFILER_SCRATCH_MEMORY_ALLOC;
  const char* name = NULL;
  (void)data;
  if (record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER) {
    user_data->value = alloc ? scratch->args.alloc_start.dispatch_id : 0;
    return;
  }
  rocprofiler_query_callback_tracing_kind_operation_name(record.kind, record.operation, &name,
                                                         NULL);
  pthread_mutex_lock(&output_lock);
  fprintf(output,
          "scratch %" PRIu64 " packet %" PRIu64 " of %" PRIu64 " thread %" PRIu64
          " %s agent %" PRIx64 " queue %" PRIu64 " flags %d bytes %" PRIu64 "\n",
          record.correlation_id.internal, user_data->value,
          alloc ? scratch->args.alloc_end.dispatch_id : 0, record.thread_id, name,
          scratch->agent_id.handle, scratch->queue_id.handle, (int)scratch->flags,
          alloc ? (uint64_t)scratch->args.alloc_end.size : 0);
  pthread_mutex_unlock(&output_lock);
}

static void OnKernel(rocprofiler_callback_tracing_record_t record,
                     rocprofiler_user_data_t* user_data, void* data) {
  const rocprofiler_callback_tracing_kernel_dispatch_data_t* const kernel = record.payload;
  const rocprofiler_kernel_dispatch_info_t* const info = &kernel->dispatch_info;
  (void)user_data, (void)data;
  if (record.operation != ROCPROFILER_KERNEL_DISPATCH_COMPLETE) return;
  pthread_mutex_lock(&output_lock);
  fprintf(output,
          "kernel %" PRIu64 " number %" PRIu64 " agent %" PRIx64 " queue %" PRIu64
          " private %u from %" PRIu64 " to %" PRIu64 "\n",
          record.correlation_id.internal, info->dispatch_id, info->agent_id.handle,
          info->queue_id.handle, info->private_segment_size, kernel->start_timestamp,
          kernel->end_timestamp);
  pthread_mutex_unlock(&output_lock);
}

static void OnCall(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t* user_data,
                   void* data) {
  (void)record, (void)user_data, (void)data; /* the subscription is enough: calls get ids */
}

static void OnRecords(rocprofiler_context_id_t from, rocprofiler_buffer_id_t which,
                      rocprofiler_record_header_t** headers, size_t count, void* data,
                      uint64_t drop_count) {
  size_t i;
  (void)from, (void)which, (void)data;
  pthread_mutex_lock(&output_lock);
  dropped += drop_count;
  for (i = 0; i < count; ++i) {
    const rocprofiler_buffer_tracing_scratch_memory_record_t* const scratch = headers[i]->payload;
    const char* name = NULL;
    rocprofiler_query_buffer_tracing_kind_operation_name(scratch->kind, scratch->operation, &name,
                                                         NULL);
    fprintf(output,
            "record %" PRIu64 " from %" PRIu64 " to %" PRIu64 " thread %" PRIu64
            " %s agent %" PRIx64 " queue %" PRIu64 " flags %d bytes %" PRIu64 "\n",
            scratch->correlation_id.internal, scratch->start_timestamp, scratch->end_timestamp,
            scratch->thread_id, name, scratch->agent_id.handle, scratch->queue_id.handle,
            (int)scratch->flags, scratch->allocation_size);
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
      Ask(ROCPROFILER_CALLBACK_TRACING_SCRATCH_MEMORY, OnScratch) ||
      Check(rocprofiler_configure_buffer_tracing_service(
                context, ROCPROFILER_BUFFER_TRACING_SCRATCH_MEMORY, NULL, 0, buffer),
            "records"))
    return -1;
  if (getenv("SCRATCH_TRACE_KERNELS") != NULL &&
      (Ask(ROCPROFILER_CALLBACK_TRACING_KERNEL_DISPATCH, OnKernel) ||
       Ask(ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API, OnCall) ||
       Ask(ROCPROFILER_CALLBACK_TRACING_HSA_CORE_API, OnCall)))
    return -1;
  return StartContext();
}

ROCPROFILER_PUBLIC_API rocprofiler_tool_configure_result_t* rocprofiler_configure(
    uint32_t version, const char* runtime_version, uint32_t priority,
    rocprofiler_client_id_t* client) {
  (void)version, (void)runtime_version, (void)priority;
  return ConfigureTool(client, "scratch_trace", "SCRATCH_TRACE_FILE", Initialize, FinishBuffer);
}
