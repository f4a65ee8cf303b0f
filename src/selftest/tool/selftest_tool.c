/* SPDX-License-Identifier: MIT
 * A tool of rocprofiler-sdk that counts kernels. It writes three numbers to the file that
 * SELFTEST_TOOL_FILE names: kernels, dropped records, kernels that end before they start. */
#include <inttypes.h>
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kBufferBytes = 1 << 20, kMostKernels = 65536 };

static rocprofiler_context_id_t context;
static rocprofiler_buffer_id_t buffer;
static unsigned char is_ours[kMostKernels]; /* by kernel id */
static uint64_t kernels, dropped, negative; /* one thread delivers the buffer */

static void OnKernel(rocprofiler_callback_tracing_record_t record,
                     rocprofiler_user_data_t* user_data, void* data) {
  const rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t* const kernel =
      record.payload;
  (void)user_data, (void)data;
  if (record.phase == ROCPROFILER_CALLBACK_PHASE_LOAD && kernel->kernel_id < kMostKernels)
    is_ours[kernel->kernel_id] = strncmp(kernel->kernel_name, "rtl_selftest_", 13) == 0;
}

static void OnRecords(rocprofiler_context_id_t from, rocprofiler_buffer_id_t which,
                      rocprofiler_record_header_t** headers, size_t count, void* data,
                      uint64_t drop_count) {
  size_t i;
  (void)from, (void)which, (void)data;
  dropped += drop_count;
  for (i = 0; i < count; ++i) {
    const rocprofiler_buffer_tracing_kernel_dispatch_record_t* record = headers[i]->payload;
    if (headers[i]->category != ROCPROFILER_BUFFER_CATEGORY_TRACING ||
        headers[i]->kind != ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH)
      continue;
    if (record->dispatch_info.kernel_id >= kMostKernels ||
        !is_ours[record->dispatch_info.kernel_id])
      continue; /* of the runtime */
    ++kernels;
    negative += record->end_timestamp < record->start_timestamp;
  }
}

static int Initialize(rocprofiler_client_finalize_t finalize, void* data) {
  const rocprofiler_tracing_operation_t symbols =
      ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER;
  (void)finalize, (void)data;
  if (rocprofiler_create_context(&context) != ROCPROFILER_STATUS_SUCCESS ||
      rocprofiler_configure_callback_tracing_service(
          context, ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT, &symbols, 1, OnKernel, NULL) !=
          ROCPROFILER_STATUS_SUCCESS ||
      rocprofiler_create_buffer(context, kBufferBytes, kBufferBytes / 2,
                                ROCPROFILER_BUFFER_POLICY_LOSSLESS, OnRecords, NULL,
                                &buffer) != ROCPROFILER_STATUS_SUCCESS ||
      rocprofiler_configure_buffer_tracing_service(context,
                                                   ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH, NULL,
                                                   0, buffer) != ROCPROFILER_STATUS_SUCCESS)
    return -1;
  return rocprofiler_start_context(context) == ROCPROFILER_STATUS_SUCCESS ? 0 : -1;
}

static void Finish(void* data) {
  const char* const path = getenv("SELFTEST_TOOL_FILE");
  FILE* const output = path == NULL ? NULL : fopen(path, "w");
  (void)data;
  (void)rocprofiler_flush_buffer(buffer);
  if (output == NULL) return;
  fprintf(output, "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", kernels, dropped, negative);
  fclose(output);
}

ROCPROFILER_PUBLIC_API rocprofiler_tool_configure_result_t* rocprofiler_configure(
    uint32_t version, const char* runtime_version, uint32_t priority,
    rocprofiler_client_id_t* client) {
  static rocprofiler_tool_configure_result_t result = {sizeof result, Initialize, Finish, NULL};
  (void)version, (void)runtime_version, (void)priority;
  client->name = "rtl selftest";
  return &result;
}
