/* SPDX-License-Identifier: MIT
 * stream_trace.c: a tool that writes down HIP streams, and the stream of each kernel and copy.
 *
 *   SET       ENTER makes a stream the thread's current one, EXIT removes it
 *   kernels   ENQUEUE runs on the thread that submits: its stream is the kernel's
 *   copies    likewise, at ENTER
 *
 * Lines go to the file that STREAM_TRACE_FILE names, otherwise to stderr. README.md has the
 * command. */
#include "../sample_tool.h"

enum { kDeepest = 8 };

static __thread uint64_t streams[kDeepest];
static __thread int depth;

static void OnStream(rocprofiler_callback_tracing_record_t record,
                     rocprofiler_user_data_t* user_data, void* data) {
  const rocprofiler_callback_tracing_hip_stream_data_t* const stream = record.payload;
  const char* name = NULL;
  (void)data;
  if (record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER) {
    user_data->value = stream->stream_id.handle;
    if (depth < kDeepest) streams[depth] = stream->stream_id.handle;
    ++depth;
    return;
  }
  if (record.phase == ROCPROFILER_CALLBACK_PHASE_EXIT) --depth;
  rocprofiler_query_callback_tracing_kind_operation_name(record.kind, record.operation, &name,
                                                         NULL);
  pthread_mutex_lock(&output_lock);
  fprintf(output, "%s %" PRIu64 " of %" PRIu64 " at 0x%" PRIx64 "\n", name,
          stream->stream_id.handle, user_data->value, stream->stream_value.value);
  pthread_mutex_unlock(&output_lock);
}

static void OnWork(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t* user_data,
                   void* data) {
  const char* const what = data;
  (void)user_data;
  if (record.phase != ROCPROFILER_CALLBACK_PHASE_ENTER) return;
  pthread_mutex_lock(&output_lock);
  if (depth > 0 && depth <= kDeepest)
    fprintf(output, "%s of %" PRIu64 " stream %" PRIu64 "\n", what, record.correlation_id.internal,
            streams[depth - 1]);
  else
    fprintf(output, "%s of %" PRIu64 " stream none\n", what, record.correlation_id.internal);
  pthread_mutex_unlock(&output_lock);
}

static int Ask(rocprofiler_callback_tracing_kind_t kind, rocprofiler_callback_tracing_cb_t callback,
               void* data) {
  return Check(
      rocprofiler_configure_callback_tracing_service(context, kind, NULL, 0, callback, data),
      "callbacks");
}

static int Initialize(rocprofiler_client_finalize_t finalize, void* data) {
  static char kernel[] = "kernel", copy[] = "copy";
  (void)finalize, (void)data;
  if (CreateContext() || Ask(ROCPROFILER_CALLBACK_TRACING_HIP_STREAM, OnStream, NULL) ||
      Ask(ROCPROFILER_CALLBACK_TRACING_KERNEL_DISPATCH, OnWork, kernel) ||
      Ask(ROCPROFILER_CALLBACK_TRACING_MEMORY_COPY, OnWork, copy))
    return -1;
  return StartContext();
}

static void Finalize(void* data) {
  (void)data;
  CloseOutput();
}

ROCPROFILER_PUBLIC_API rocprofiler_tool_configure_result_t* rocprofiler_configure(
    uint32_t version, const char* runtime_version, uint32_t priority,
    rocprofiler_client_id_t* client) {
  (void)version, (void)runtime_version, (void)priority;
  return ConfigureTool(client, "stream_trace", "STREAM_TRACE_FILE", Initialize, Finalize);
}
