/* SPDX-License-Identifier: MIT
 * A tool that ends the process in the hundredth of its callbacks of a kind. LEAVE_IN: "enter" or
 * "leave" of a HIP call, "enqueue" or "complete" of a kernel, or "buffer". At its finalize it prints
 * how many kernels it saw begin. */
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kWhich = 100, kExitCode = 5 };

static rocprofiler_context_id_t context;
static rocprofiler_buffer_id_t buffer;
static atomic_ulong submitted;

static void Leave(const char* where, atomic_ulong* count) {
  const char* const wish = getenv("LEAVE_IN");
  if (++*count == kWhich && wish != NULL && strcmp(wish, where) == 0) exit(kExitCode);
}

static void OnRecords(rocprofiler_context_id_t from, rocprofiler_buffer_id_t which,
                      rocprofiler_record_header_t** headers, size_t count, void* data,
                      uint64_t drop_count) {
  static atomic_ulong records;
  (void)from, (void)which, (void)headers, (void)data, (void)drop_count;
  for (; count != 0; --count) Leave("buffer", &records);
}

static void OnKernel(rocprofiler_callback_tracing_record_t record,
                     rocprofiler_user_data_t* user_data, void* data) {
  static atomic_ulong completed;
  (void)user_data, (void)data;
  if (record.operation == ROCPROFILER_KERNEL_DISPATCH_COMPLETE)
    Leave("complete", &completed);
  else if (record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER)
    Leave("enqueue", &submitted);
}

static void OnCall(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t* user_data,
                   void* data) {
  static atomic_ulong entered, left;
  (void)user_data, (void)data;
  if (record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER)
    Leave("enter", &entered);
  else
    Leave("leave", &left);
}

static int Initialize(rocprofiler_client_finalize_t finalize, void* data) {
  (void)finalize, (void)data;
  return rocprofiler_create_context(&context) != 0 ||
         rocprofiler_create_buffer(context, 4096, 2048, ROCPROFILER_BUFFER_POLICY_LOSSLESS,
                                   OnRecords, NULL, &buffer) != 0 ||
         rocprofiler_configure_buffer_tracing_service(
             context, ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH, NULL, 0, buffer) != 0 ||
         rocprofiler_configure_callback_tracing_service(
             context, ROCPROFILER_CALLBACK_TRACING_KERNEL_DISPATCH, NULL, 0, OnKernel, NULL) != 0 ||
         rocprofiler_configure_callback_tracing_service(
             context, ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API, NULL, 0, OnCall, NULL) != 0 ||
         rocprofiler_start_context(context) != 0;
}

static void Finalize(void* data) {
  (void)data;
  fprintf(stderr, "finalized after %lu kernels\n", submitted);
}

ROCPROFILER_PUBLIC_API rocprofiler_tool_configure_result_t* rocprofiler_configure(
    uint32_t version, const char* runtime_version, uint32_t priority,
    rocprofiler_client_id_t* client) {
  static rocprofiler_tool_configure_result_t result = {sizeof result, Initialize, Finalize, NULL};
  (void)version, (void)runtime_version, (void)priority;
  client->name = "leaving_tool";
  return &result;
}
