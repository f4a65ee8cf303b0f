/* SPDX-License-Identifier: MIT
 * Reports the runtimes that were initialised, in callbacks and in records, and whether this library
 * announced its threads: preloaded, it interposes pthread_create and checks the caller. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static rocprofiler_context_id_t context;
static rocprofiler_buffer_id_t buffer;
static atomic_uint announced, unannounced, before, after, of_runtimes;
static _Thread_local int making;

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* data) {
  int (*real)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  Dl_info caller = {0};
  *(void**)&real = dlsym(RTLD_NEXT, "pthread_create");
  if (dladdr(__builtin_return_address(0), &caller) != 0 &&
      strstr(caller.dli_fname, "librtl_engine.so") != NULL)
    ++*(making ? &announced : &unannounced);
  return real(thread, attributes, start, data);
}

static void OnThread(rocprofiler_runtime_library_t library, void* data) {
  if (library != ROCPROFILER_LIBRARY) {
    ++of_runtimes;
    return;
  }
  making = data == &before;
  ++*(atomic_uint*)data;
}
static void Before(rocprofiler_runtime_library_t library, void* data) {
  (void)data;
  OnThread(library, &before);
}
static void After(rocprofiler_runtime_library_t library, void* data) {
  (void)data;
  OnThread(library, &after);
}

static const char* NameOf(rocprofiler_tracing_operation_t operation) {
  const char* name = NULL;
  rocprofiler_query_callback_tracing_kind_operation_name(
      ROCPROFILER_CALLBACK_TRACING_RUNTIME_INITIALIZATION, operation, &name, NULL);
  return name;
}

static void OnRuntime(rocprofiler_callback_tracing_record_t record,
                      rocprofiler_user_data_t* user_data, void* data) {
  const rocprofiler_callback_tracing_runtime_initialization_data_t* const runtime = record.payload;
  (void)user_data, (void)data;
  fprintf(stderr, "callback %s version %lu instance %lu phase %d id %lu size %lu\n",
          NameOf(record.operation), runtime->version, runtime->instance, record.phase,
          record.correlation_id.internal, runtime->size);
}

static void OnRecords(rocprofiler_context_id_t from, rocprofiler_buffer_id_t which,
                      rocprofiler_record_header_t** headers, size_t count, void* data,
                      uint64_t drop_count) {
  size_t i, kernels = 0;
  (void)from, (void)which, (void)data;
  for (i = 0; i < count; ++i) {
    if (headers[i]->kind == ROCPROFILER_BUFFER_TRACING_RUNTIME_INITIALIZATION) {
      const rocprofiler_buffer_tracing_runtime_initialization_record_t* const record =
          headers[i]->payload;
      fprintf(stderr, "record %s version %lu instance %lu %s\n", NameOf(record->operation),
              record->version, record->instance, record->timestamp != 0 ? "timed" : "not timed");
    } else {
      ++kernels;
    }
  }
  fprintf(stderr, "kernels %zu, dropped %lu\n", kernels, drop_count);
}

static int Initialize(rocprofiler_client_finalize_t finalize, void* data) {
  rocprofiler_callback_thread_t thread;
  (void)finalize, (void)data;
  return rocprofiler_at_internal_thread_create(Before, After, ROCPROFILER_LIBRARY, NULL) != 0 ||
         rocprofiler_at_internal_thread_create(
             Before, After, ROCPROFILER_HSA_LIBRARY | ROCPROFILER_HIP_LIBRARY, NULL) != 0 ||
         rocprofiler_at_internal_thread_create(NULL, NULL, ROCPROFILER_LIBRARY, NULL) != 0 ||
         rocprofiler_create_context(&context) != 0 ||
         rocprofiler_create_buffer(context, 1 << 16, 1 << 16, ROCPROFILER_BUFFER_POLICY_LOSSLESS,
                                   OnRecords, NULL, &buffer) != 0 ||
         rocprofiler_create_callback_thread(&thread) != 0 ||
         rocprofiler_assign_callback_thread(buffer, thread) != 0 ||
         rocprofiler_configure_callback_tracing_service(
             context, ROCPROFILER_CALLBACK_TRACING_RUNTIME_INITIALIZATION, NULL, 0, OnRuntime,
             NULL) != 0 ||
         rocprofiler_configure_buffer_tracing_service(
             context, ROCPROFILER_BUFFER_TRACING_RUNTIME_INITIALIZATION, NULL, 0, buffer) != 0 ||
         rocprofiler_configure_buffer_tracing_service(
             context, ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH, NULL, 0, buffer) != 0 ||
         rocprofiler_start_context(context) != 0;
}

static void Finalize(void* data) {
  (void)data;
  rocprofiler_flush_buffer(buffer);
  fprintf(stderr, "threads %u, unannounced %u, before %u, after %u, of runtimes %u\n", announced,
          unannounced, before, after, of_runtimes);
}

rocprofiler_tool_configure_result_t* rocprofiler_configure(uint32_t version,
                                                           const char* runtime_version,
                                                           uint32_t priority,
                                                           rocprofiler_client_id_t* client) {
  static rocprofiler_tool_configure_result_t result = {sizeof result, Initialize, Finalize, NULL};
  (void)version, (void)runtime_version, (void)priority;
  client->name = "runtimes";
  return &result;
}
