/* SPDX-License-Identifier: MIT
 * kernel_trace.c: a tool that prints every kernel that the program runs, by name.
 *
 *   code object callbacks   kernel id -> name
 *   dispatch buffer         one line per kernel: id, name, agent, queue, grid, nanoseconds
 *
 * Lines go to the file that KERNEL_TRACE_FILE names, otherwise to stderr. README.md has the
 * command. */
#include "../sample_tool.h"

enum { kMostKernels = 65536, kBufferBytes = 1 << 20 };

static pthread_mutex_t names_lock = PTHREAD_MUTEX_INITIALIZER;
static const char* names[kMostKernels]; /* by kernel id; the library keeps the texts */

static void OnCodeObject(rocprofiler_callback_tracing_record_t record,
                         rocprofiler_user_data_t* user_data, void* data) {
  const rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t* kernel;
  (void)user_data;
  (void)data;
  if (record.phase != ROCPROFILER_CALLBACK_PHASE_LOAD) return; /* ids are not reused */
  kernel = record.payload;
  if (kernel->kernel_id >= kMostKernels) return;
  pthread_mutex_lock(&names_lock);
  names[kernel->kernel_id] = kernel->kernel_name;
  pthread_mutex_unlock(&names_lock);
}

static const char* NameOf(rocprofiler_kernel_id_t id) {
  const char* name = NULL;
  pthread_mutex_lock(&names_lock);
  if (id < kMostKernels) name = names[id];
  pthread_mutex_unlock(&names_lock);
  return name == NULL ? "?" : name;
}

static void OnRecords(rocprofiler_context_id_t from, rocprofiler_buffer_id_t which,
                      rocprofiler_record_header_t** headers, size_t count, void* data,
                      uint64_t drop_count) {
  size_t i;
  (void)from;
  (void)which;
  (void)data;
  dropped += drop_count;
  for (i = 0; i < count; ++i) {
    const rocprofiler_buffer_tracing_kernel_dispatch_record_t* record = headers[i]->payload;
    const rocprofiler_kernel_dispatch_info_t* info = &record->dispatch_info;
    if (headers[i]->category != ROCPROFILER_BUFFER_CATEGORY_TRACING ||
        headers[i]->kind != ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH)
      continue;
    fprintf(output,
            "kernel %" PRIu64 " %s agent %" PRIx64 " queue %" PRIu64 " grid %ux%ux%u ns %" PRIu64
            "\n",
            info->dispatch_id, NameOf(info->kernel_id), info->agent_id.handle,
            info->queue_id.handle, info->grid_size.x, info->grid_size.y, info->grid_size.z,
            record->end_timestamp - record->start_timestamp);
  }
}

static rocprofiler_status_t OnAgents(rocprofiler_agent_version_t version, const void** agents,
                                     size_t count, void* data) {
  size_t i;
  (void)version;
  (void)data;
  for (i = 0; i < count; ++i) {
    const rocprofiler_agent_t* agent = agents[i];
    fprintf(output, "agent %" PRIx64 " %s\n", agent->id.handle, agent->name);
  }
  return ROCPROFILER_STATUS_SUCCESS;
}

static int Initialize(rocprofiler_client_finalize_t finalize, void* data) {
  const rocprofiler_tracing_operation_t symbols =
      ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER;
  (void)finalize;
  (void)data;
  if (Check(rocprofiler_query_available_agents(ROCPROFILER_AGENT_INFO_VERSION_0, OnAgents,
                                               sizeof(rocprofiler_agent_t), NULL),
            "agents") ||
      CreateContext() ||
      Check(rocprofiler_configure_callback_tracing_service(
                context, ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT, &symbols, 1, OnCodeObject, NULL),
            "code objects") ||
      CreateBuffer(kBufferBytes, OnRecords) ||
      Check(rocprofiler_configure_buffer_tracing_service(
                context, ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH, NULL, 0, buffer),
            "kernels"))
    return -1;
  return StartContext();
}

ROCPROFILER_PUBLIC_API rocprofiler_tool_configure_result_t* rocprofiler_configure(
    uint32_t version, const char* runtime_version, uint32_t priority,
    rocprofiler_client_id_t* client) {
  (void)version, (void)runtime_version, (void)priority;
  return ConfigureTool(client, "kernel_trace", "KERNEL_TRACE_FILE", Initialize, FinishBuffer);
}
