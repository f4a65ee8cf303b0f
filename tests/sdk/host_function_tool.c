/* SPDX-License-Identifier: MIT
 * A tool that finds the kernel of each hipLaunchKernel by the function that the call names, and
 * counts how often that kernel was then dispatched: "resolved N of M, loaded A - B, wrong W". */
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>
#include <stdio.h>
#include <string.h>

typedef rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t KernelData;
typedef rocprofiler_callback_tracing_code_object_host_kernel_symbol_register_data_t HostData;

enum { kMost = 1024 };
static rocprofiler_context_id_t context;
static const char* kernel_names[kMost]; /* loaded now, by id */
static struct { uint64_t id, function, kernel; } hosts[kMost];
static unsigned host_count, loaded, unloaded, launched, resolved, wrong;
static __thread uint64_t launching; /* the function that this thread names */

static void Expect(int truth, const char* what) {
  if (truth) return;
  ++wrong;
  fprintf(stderr, "host functions: wrong: %s\n", what);
}

static void OnHost(rocprofiler_callback_phase_t phase, const HostData* data,
                   rocprofiler_user_data_t* user) {
  const char* name = data->kernel_id < kMost ? kernel_names[data->kernel_id] : NULL;
  const size_t bytes = strlen(data->device_function);
  Expect(data->size == sizeof *data && data->host_function_id > 0, "it has its number");
  Expect(name != NULL && strncmp(name, data->device_function, bytes) == 0 &&
             strcmp(name + bytes, ".kd") == 0,
         "its kernel is loaded");
  Expect(data->modules.value != 0 && data->code_object_id > 0, "it is of a file and a code object");
  if (phase == ROCPROFILER_CALLBACK_PHASE_LOAD) {
    user->value = data->host_function_id + 7;
    if (host_count < kMost) {
      hosts[host_count].id = data->host_function_id;
      hosts[host_count].function = data->host_function.value;
      hosts[host_count++].kernel = data->kernel_id;
    }
    ++loaded;
  } else {
    Expect(user->value == data->host_function_id + 7, "user data is kept");
    ++unloaded;
  }
}

static void OnEvent(rocprofiler_callback_tracing_record_t record,
                    rocprofiler_user_data_t* user_data, void* data) {
  unsigned i;
  (void)data;
  if (record.kind == ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API) {
    const rocprofiler_callback_tracing_hip_api_data_t* const call = record.payload;
    launching = record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER
                    ? (uint64_t)(size_t)call->args.hipLaunchKernel.function_address
                    : 0;
  } else if (record.kind == ROCPROFILER_CALLBACK_TRACING_KERNEL_DISPATCH) {
    const rocprofiler_callback_tracing_kernel_dispatch_data_t* const kernel = record.payload;
    if (record.operation != ROCPROFILER_KERNEL_DISPATCH_ENQUEUE ||
        record.phase != ROCPROFILER_CALLBACK_PHASE_ENTER || launching == 0)
      return;
    ++launched;
    for (i = 0; i < host_count; ++i) {
      if (hosts[i].function != launching || hosts[i].kernel != kernel->dispatch_info.kernel_id)
        continue;
      ++resolved;
      break;
    }
  } else if (record.operation == ROCPROFILER_CODE_OBJECT_HOST_KERNEL_SYMBOL_REGISTER) {
    OnHost(record.phase, record.payload, user_data);
  } else if (record.operation == ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER) {
    const KernelData* const kernel = record.payload;
    if (kernel->kernel_id < kMost)
      kernel_names[kernel->kernel_id] =
          record.phase == ROCPROFILER_CALLBACK_PHASE_LOAD ? kernel->kernel_name : NULL;
  }
}

static int Initialize(rocprofiler_client_finalize_t finalize, void* data) {
  const rocprofiler_tracing_operation_t launch = ROCPROFILER_HIP_RUNTIME_API_ID_hipLaunchKernel;
  (void)finalize;
  (void)data;
  return rocprofiler_create_context(&context) != 0 ||
         rocprofiler_configure_callback_tracing_service(
             context, ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT, NULL, 0, OnEvent, NULL) != 0 ||
         rocprofiler_configure_callback_tracing_service(
             context, ROCPROFILER_CALLBACK_TRACING_KERNEL_DISPATCH, NULL, 0, OnEvent, NULL) != 0 ||
         rocprofiler_configure_callback_tracing_service(
             context, ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API, &launch, 1, OnEvent, NULL) !=
             0 ||
         rocprofiler_start_context(context) != 0;
}

static void Finalize(void* data) {
  (void)data;
  fprintf(stderr, "resolved %u of %u, loaded %u - %u, wrong %u\n", resolved, launched, loaded,
          unloaded, wrong);
}

rocprofiler_tool_configure_result_t* rocprofiler_configure(uint32_t version,
                                                           const char* runtime_version,
                                                           uint32_t priority,
                                                           rocprofiler_client_id_t* client) {
  static rocprofiler_tool_configure_result_t result = {sizeof result, Initialize, Finalize, NULL};
  (void)version;
  (void)runtime_version;
  (void)priority;
  client->name = "host functions";
  return &result;
}
