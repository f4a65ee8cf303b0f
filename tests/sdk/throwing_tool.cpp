// SPDX-License-Identifier: MIT
// A tool whose hundredth callback of a kind throws an exception. THROW_IN: "enter" or "leave" of a
// HIP call, "enqueue" or "complete" of a kernel. At its finalize it prints what it got.
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace {

constexpr unsigned kWhich = 100;

rocprofiler_context_id_t context;
std::atomic<unsigned> entered, left, submitted, completed;

void Count(std::atomic<unsigned>* calls, const char* where) {
  const char* const wish = std::getenv("THROW_IN");
  if (++*calls == kWhich && wish != nullptr && std::strcmp(wish, where) == 0)
    throw std::runtime_error("the tool's own");
}

void OnKernel(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t*, void*) {
  if (record.operation == ROCPROFILER_KERNEL_DISPATCH_COMPLETE) {
    Count(&completed, "complete");
  } else if (record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER) {
    Count(&submitted, "enqueue");
  }
}

void OnCall(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t*, void*) {
  if (record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER) {
    Count(&entered, "enter");
  } else {
    Count(&left, "leave");
  }
}

int Initialize(rocprofiler_client_finalize_t, void*) {
  return rocprofiler_create_context(&context) != 0 ||
         rocprofiler_configure_callback_tracing_service(
             context, ROCPROFILER_CALLBACK_TRACING_KERNEL_DISPATCH, nullptr, 0, OnKernel,
             nullptr) != 0 ||
         rocprofiler_configure_callback_tracing_service(
             context, ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API, nullptr, 0, OnCall, nullptr) !=
             0 ||
         rocprofiler_start_context(context) != 0;
}

void Finalize(void*) {
  std::fprintf(stderr, "%u entered %u left %u kernels\n", entered.load(), left.load(),
               submitted.load());
}

}  // namespace

extern "C" ROCPROFILER_PUBLIC_API rocprofiler_tool_configure_result_t* rocprofiler_configure(
    uint32_t, const char*, uint32_t, rocprofiler_client_id_t* client) {
  static rocprofiler_tool_configure_result_t result = {sizeof result, Initialize, Finalize,
                                                       nullptr};
  client->name = "throwing_tool";
  return &result;
}
