/* SPDX-License-Identifier: MIT
 * null_tool.c: a tool that subscribes to every call of HIP and only counts it: NULL_TOOL=callback
 * (ENTER and EXIT), or NULL_TOOL=buffer; with NULL_TOOL=kernels every kernel, by buffer. With
 * NULL_TOOL=window it subscribes to what profilers of frameworks do (kernels, copies, calls of HIP by
 * buffer; code objects from the start) and starts that context, or with NULL_TOOL=closed never does.
 * NULL_TOOL=kineto is a window with calls of HIP by callback, as PyTorch's Kineto subscribes.
 * At the end it prints its counts. sdk_calls.py, pair.py and closed_window.py run it. */
#include <inttypes.h>
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kBufferBytes = 4 << 20, kMostThreads = 64 };

/* A thread counts where no other does. */
typedef struct Count {
  uint64_t calls;
  char rest_of_the_line[56];
} Count;

static rocprofiler_context_id_t context;
static rocprofiler_buffer_id_t buffer;
static Count counts[kMostThreads];
static atomic_uint threads;
static _Thread_local Count* here;
static atomic_ullong records, kernels, dropped;

static void OnCall(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t* user_data,
                   void* data) {
  (void)user_data, (void)data;
  if (here == NULL) here = &counts[atomic_fetch_add(&threads, 1) % kMostThreads];
  if (record.phase == ROCPROFILER_CALLBACK_PHASE_EXIT) ++here->calls;
}

static void OnRecords(rocprofiler_context_id_t from, rocprofiler_buffer_id_t which,
                      rocprofiler_record_header_t** headers, size_t count, void* data,
                      uint64_t drop_count) {
  (void)from, (void)which, (void)data;
  unsigned long long of_kernels = 0;
  for (size_t i = 0; i < count; ++i)
    of_kernels += headers[i]->kind == ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH;
  atomic_fetch_add(&kernels, of_kernels);
  atomic_fetch_add(&records, count);
  atomic_fetch_add(&dropped, drop_count);
}

static int Check(rocprofiler_status_t status, const char* what) {
  if (status == ROCPROFILER_STATUS_SUCCESS) return 0;
  fprintf(stderr, "null_tool: %s: %s\n", what, rocprofiler_get_status_string(status));
  return -1;
}

static int Is(const char* what) {
  const char* const wish = getenv("NULL_TOOL");
  return wish != NULL && strcmp(wish, what) == 0;
}
static int IsOpen(void) { return Is("window") || Is("kineto"); }
static int IsWindow(void) { return IsOpen() || Is("closed"); }
static int IsBuffer(void) { return Is("buffer") || Is("kernels") || IsWindow(); }

static void OnCodeObject(rocprofiler_callback_tracing_record_t record,
                         rocprofiler_user_data_t* user_data, void* data) {
  (void)record, (void)user_data, (void)data;
}

static int ConfigureWindow(void) {
  static const rocprofiler_buffer_tracing_kind_t kinds[] = {
      ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH, ROCPROFILER_BUFFER_TRACING_MEMORY_COPY,
      ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API};
  const size_t buffered = Is("kineto") ? 2 : 3;
  rocprofiler_context_id_t always = {0};
  for (size_t i = 0; i < buffered; ++i) {
    if (Check(rocprofiler_configure_buffer_tracing_service(context, kinds[i], NULL, 0, buffer),
              "service"))
      return -1;
  }
  if (Is("kineto") &&
      Check(rocprofiler_configure_callback_tracing_service(
                context, ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API, NULL, 0, OnCall, NULL),
            "service"))
    return -1;
  return Check(rocprofiler_create_context(&always), "context") ||
         Check(rocprofiler_configure_callback_tracing_service(
                   always, ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT, NULL, 0, OnCodeObject, NULL),
               "service") ||
         Check(rocprofiler_start_context(always), "start") ||
         (IsOpen() && Check(rocprofiler_start_context(context), "start"));
}

static int Initialize(rocprofiler_client_finalize_t finalize, void* data) {
  (void)finalize, (void)data;
  if (Check(rocprofiler_create_context(&context), "context") ||
      Check(rocprofiler_create_buffer(context, kBufferBytes, kBufferBytes / 2,
                                      ROCPROFILER_BUFFER_POLICY_LOSSLESS, OnRecords, NULL, &buffer),
            "buffer")) {
    return -1;
  }
  if (IsWindow()) return ConfigureWindow();
  const rocprofiler_status_t asked =
      IsBuffer()
          ? rocprofiler_configure_buffer_tracing_service(
                context,
                Is("kernels") ? ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH
                              : ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API,
                NULL, 0, buffer)
          : rocprofiler_configure_callback_tracing_service(
                context, ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API, NULL, 0, OnCall, NULL);
  return Check(asked, "service") || Check(rocprofiler_start_context(context), "start");
}

static void Finalize(void* data) {
  uint64_t calls = 0;
  (void)data;
  if (IsBuffer()) Check(rocprofiler_flush_buffer(buffer), "flush");
  for (int i = 0; i < kMostThreads; ++i) calls += counts[i].calls;
  fprintf(stderr, "null_tool: %" PRIu64 " %s, %llu dropped\n",
          IsWindow()   ? (uint64_t)atomic_load(&kernels)
          : IsBuffer() ? (uint64_t)atomic_load(&records)
                       : calls,
          Is("kernels") || IsWindow() ? "kernels" : "calls", atomic_load(&dropped));
}

ROCPROFILER_PUBLIC_API rocprofiler_tool_configure_result_t* rocprofiler_configure(
    uint32_t version, const char* runtime_version, uint32_t priority,
    rocprofiler_client_id_t* client) {
  static rocprofiler_tool_configure_result_t result = {sizeof result, Initialize, Finalize, NULL};
  (void)version, (void)runtime_version, (void)priority;
  client->name = "null_tool";
  return &result;
}
