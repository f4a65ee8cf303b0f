/* SPDX-License-Identifier: MIT
 * A tool that checks the order of code object events and prints what it saw: each kernel between
 * the LOAD and the UNLOAD of its code object, ids that are never used twice, user data that is
 * kept. */
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>
#include <stdio.h>
#include <string.h>

typedef rocprofiler_callback_tracing_code_object_load_data_t LoadData;
typedef rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t KernelData;

enum { kMost = 1024 };
static rocprofiler_context_id_t context;
static const char* kernel_names[kMost]; /* still valid at the end */
static unsigned kernels_of[kMost];      /* loaded now, by code object */
static char loaded[kMost];
static char ever[kMost];
static unsigned objects, kernels, unloaded_objects, unloaded_kernels, wrong;

static void Expect(int truth, const char* what) {
  if (truth) return;
  ++wrong;
  fprintf(stderr, "code objects: wrong: %s\n", what);
}

static void OnObject(rocprofiler_callback_phase_t phase, const LoadData* data,
                     rocprofiler_user_data_t* user) {
  const uint64_t id = data->code_object_id;
  Expect(id > 0 && id < kMost && data->size == sizeof *data, "a code object has its number");
  if (phase == ROCPROFILER_CALLBACK_PHASE_LOAD) {
    Expect(!ever[id], "a number is used once");
    Expect(data->load_size > 0 && data->load_base != 0, "it lies somewhere");
    Expect(data->storage_type != ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_NONE,
           "it comes from somewhere");
    Expect(strncmp(data->uri, "file://", 7) == 0 || strncmp(data->uri, "memory://", 9) == 0,
           "it has a URI");
    ever[id] = loaded[id] = 1;
    user->value = id + 1000;
    ++objects;
  } else {
    Expect(loaded[id] && kernels_of[id] == 0, "its kernels go first");
    Expect(user->value == id + 1000, "user data is kept");
    loaded[id] = 0;
    ++unloaded_objects;
  }
}

static void OnKernel(rocprofiler_callback_phase_t phase, const KernelData* data,
                     rocprofiler_user_data_t* user) {
  const uint64_t id = data->kernel_id;
  Expect(id > 0 && id < kMost && data->size == sizeof *data, "a kernel has its number");
  Expect(loaded[data->code_object_id], "its code object is loaded");
  if (phase == ROCPROFILER_CALLBACK_PHASE_LOAD) {
    Expect(kernel_names[id] == NULL, "a number is used once");
    Expect(data->kernel_object != 0 && data->kernarg_segment_size > 0, "it is described");
    kernel_names[id] = data->kernel_name;
    user->ptr = &kernel_names[id];
    ++kernels_of[data->code_object_id];
    ++kernels;
  } else {
    Expect(user->ptr == &kernel_names[id], "user data is kept");
    --kernels_of[data->code_object_id];
    ++unloaded_kernels;
  }
}

static void OnEvent(rocprofiler_callback_tracing_record_t record,
                    rocprofiler_user_data_t* user_data, void* data) {
  (void)data;
  Expect(record.context_id.handle == context.handle &&
             record.kind == ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT,
         "it is for this context");
  if (record.operation == ROCPROFILER_CODE_OBJECT_LOAD)
    OnObject(record.phase, record.payload, user_data);
  else if (record.operation == ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER)
    OnKernel(record.phase, record.payload, user_data);
}

static int Initialize(rocprofiler_client_finalize_t finalize, void* data) {
  (void)finalize;
  (void)data;
  return rocprofiler_create_context(&context) != 0 ||
         rocprofiler_configure_callback_tracing_service(
             context, ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT, NULL, 0, OnEvent, NULL) != 0 ||
         rocprofiler_start_context(context) != 0;
}

static void Finalize(void* data) {
  int i;
  (void)data;
  for (i = 0; i < kMost; ++i) {
    if (kernel_names[i] != NULL) fprintf(stderr, "kernel %s\n", kernel_names[i]);
  }
  fprintf(stderr, "objects %u - %u, kernels %u - %u, wrong %u\n", objects, unloaded_objects,
          kernels, unloaded_kernels, wrong);
}

rocprofiler_tool_configure_result_t* rocprofiler_configure(uint32_t version,
                                                           const char* runtime_version,
                                                           uint32_t priority,
                                                           rocprofiler_client_id_t* client) {
  static rocprofiler_tool_configure_result_t result = {sizeof result, Initialize, Finalize, NULL};
  (void)version;
  (void)runtime_version;
  (void)priority;
  client->name = "code objects";
  return &result;
}
