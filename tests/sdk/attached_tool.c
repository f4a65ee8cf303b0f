/* SPDX-License-Identifier: MIT
 * A tool that is attached and detached again, and says on standard error what it got. With PLAIN it has no
 * rocprofiler_configure_attach, and starts its context itself; with DECLINES it refuses to be attached. */
#include <rocprofiler-sdk/attach.h>
#include <rocprofiler-sdk/experimental/registration.h>
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static rocprofiler_context_id_t context;
static rocprofiler_buffer_id_t buffer;
static atomic_uint kernels, calls, dropped;

static void OnRecords(rocprofiler_context_id_t from, rocprofiler_buffer_id_t which,
                      rocprofiler_record_header_t** headers, size_t count, void* data,
                      uint64_t drops) {
  (void)from, (void)which, (void)data;
  dropped += (unsigned)drops;
  for (size_t i = 0; i < count; ++i) {
    kernels += headers[i]->kind == ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH;
    calls += headers[i]->kind == ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API;
  }
}

static int Initialize(rocprofiler_client_finalize_t finalize, void* data) {
  (void)finalize, (void)data;
  if (rocprofiler_create_context(&context) != ROCPROFILER_STATUS_SUCCESS ||
      rocprofiler_create_buffer(context, 1 << 20, 1 << 19, ROCPROFILER_BUFFER_POLICY_LOSSLESS,
                                OnRecords, NULL, &buffer) != ROCPROFILER_STATUS_SUCCESS ||
      rocprofiler_configure_buffer_tracing_service(context,
                                                   ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH, NULL,
                                                   0, buffer) != ROCPROFILER_STATUS_SUCCESS ||
      rocprofiler_configure_buffer_tracing_service(context,
                                                   ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API, NULL,
                                                   0, buffer) != ROCPROFILER_STATUS_SUCCESS)
    return -1;
#ifdef PLAIN
  return rocprofiler_start_context(context) == ROCPROFILER_STATUS_SUCCESS ? 0 : -1;
#else
  return 0;
#endif
}

static void Say(const char* when) {
  fprintf(stderr, "tool: %s: %u kernels, %u calls, %u dropped\n", when, kernels, calls, dropped);
  kernels = calls = dropped = 0;
}

static void Finalize(void* data) {
  (void)data;
  Say("finalized");
}

rocprofiler_tool_configure_result_t* rocprofiler_configure(uint32_t version, const char* text,
                                                           uint32_t priority,
                                                           rocprofiler_client_id_t* id) {
  static rocprofiler_tool_configure_result_t result = {sizeof result, Initialize, Finalize, NULL};
  (void)version, (void)text, (void)priority;
  id->name = "attached";
  return &result;
}

#ifndef PLAIN
static char own_data;

static int Registered(rocprofiler_runtime_registration_info_t* info, void* data) {
  strcat(strcat((char*)data, " "), info->common_name);
  return 0;
}

static int OnAttach(rocprofiler_client_detach_t detach, rocprofiler_context_id_t* contexts,
                    uint64_t count, void* data) {
  char registered[256] = "";
  int active = 1;
#ifdef DECLINES
  return 7;
#endif
  rocprofiler_context_is_active(context, &active);
  const rocprofiler_status_t asked =
      rocprofiler_iterate_runtime_registration_info(Registered, registered);
  fprintf(stderr, "tool: attached with %u context%s, registered:%s\n", (unsigned)count,
          active || detach == NULL || data != &own_data || contexts[0].handle != context.handle
              ? ", and something is wrong"
              : "",
          asked == ROCPROFILER_STATUS_SUCCESS ? registered : " none");
  return rocprofiler_start_context(context) != ROCPROFILER_STATUS_SUCCESS;
}

static void OnDetach(void* data) {
  int active = 1;
  rocprofiler_context_is_active(context, &active);
  Say(active || data != &own_data ? "detached wrongly" : "detached");
}

rocprofiler_tool_configure_attach_result_t* rocprofiler_configure_attach(
    uint32_t version, const char* text, uint32_t priority, rocprofiler_client_id_t* id) {
  static rocprofiler_tool_configure_attach_result_t result = {sizeof result, OnAttach, OnDetach,
                                                              &own_data};
  (void)version, (void)text, (void)priority, (void)id;
  return &result;
}
#endif
