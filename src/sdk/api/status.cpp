// SPDX-License-Identifier: MIT
#include <rocprofiler-sdk/rocprofiler.h>

namespace rtl::sdk {
namespace {

struct Text {
  const char* name;
  const char* sentence;
};

// Indexed by rocprofiler_status_t.
constexpr Text kTexts[] = {
    {"ROCPROFILER_STATUS_SUCCESS", "no error"},
    {"ROCPROFILER_STATUS_ERROR", "an error without a name of its own"},
    {"ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND", "no such context"},
    {"ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND", "no such buffer"},
    {"ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND", "no such kind"},
    {"ROCPROFILER_STATUS_ERROR_OPERATION_NOT_FOUND", "no such operation of this kind"},
    {"ROCPROFILER_STATUS_ERROR_THREAD_NOT_FOUND", "no such thread"},
    {"ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND", "no such agent"},
    {"ROCPROFILER_STATUS_ERROR_COUNTER_NOT_FOUND", "no such counter"},
    {"ROCPROFILER_STATUS_ERROR_CONTEXT_ERROR", "the context could not be used"},
    {"ROCPROFILER_STATUS_ERROR_CONTEXT_INVALID", "the configuration of the context is not valid"},
    {"ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_STARTED", "the context could not be started"},
    {"ROCPROFILER_STATUS_ERROR_CONTEXT_CONFLICT",
     "another active context uses a resource that this one needs exclusively"},
    {"ROCPROFILER_STATUS_ERROR_CONTEXT_ID_NOT_ZERO",
     "the handle was not zero before the context was created"},
    {"ROCPROFILER_STATUS_ERROR_BUFFER_BUSY", "the buffer is being flushed"},
    {"ROCPROFILER_STATUS_ERROR_SERVICE_ALREADY_CONFIGURED", "the context has this service already"},
    {"ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED",
     "only allowed while a tool is being initialised"},
    {"ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED", "this library does not implement it"},
    {"ROCPROFILER_STATUS_ERROR_INCOMPATIBLE_ABI",
     "the structure is of a version that this library does not know"},
    {"ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT", "an argument is not valid"},
    {"ROCPROFILER_STATUS_ERROR_METRIC_NOT_VALID_FOR_AGENT", "the agent does not have this metric"},
    {"ROCPROFILER_STATUS_ERROR_FINALIZED", "the library has been finalized"},
    {"ROCPROFILER_STATUS_ERROR_HSA_NOT_LOADED", "the HSA runtime is not loaded yet"},
    {"ROCPROFILER_STATUS_ERROR_DIM_NOT_FOUND", "the counter has no such dimension"},
    {"ROCPROFILER_STATUS_ERROR_PROFILE_COUNTER_NOT_FOUND",
     "the profile has a counter that the agent does not"},
    {"ROCPROFILER_STATUS_ERROR_AST_GENERATION_FAILED",
     "the expression of the counter could not be parsed"},
    {"ROCPROFILER_STATUS_ERROR_AST_NOT_FOUND", "the counter has no expression"},
    {"ROCPROFILER_STATUS_ERROR_AQL_NO_EVENT_COORD", "the event has no coordinates in the hardware"},
    {"ROCPROFILER_STATUS_ERROR_INCOMPATIBLE_KERNEL",
     "the kernel driver is too old for this service"},
    {"ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES", "memory, or another limit, does not allow it"},
    {"ROCPROFILER_STATUS_ERROR_PROFILE_NOT_FOUND", "no such counter profile"},
    {"ROCPROFILER_STATUS_ERROR_AGENT_DISPATCH_CONFLICT",
     "agent counting and dispatch counting exclude each other in one context"},
    {"ROCPROFILER_STATUS_INTERNAL_NO_AGENT_CONTEXT", "no context counts on this agent"},
    {"ROCPROFILER_STATUS_ERROR_SAMPLE_RATE_EXCEEDED", "the sample rate is higher than possible"},
    {"ROCPROFILER_STATUS_ERROR_NO_PROFILE_QUEUE", "the queue for counting could not be made"},
    {"ROCPROFILER_STATUS_ERROR_NO_HARDWARE_COUNTERS", "the profile has no hardware counters"},
    {"ROCPROFILER_STATUS_ERROR_AGENT_MISMATCH", "the profile is for another agent"},
    {"ROCPROFILER_STATUS_ERROR_NOT_AVAILABLE", "the service is not available on this machine"},
    {"ROCPROFILER_STATUS_ERROR_EXCEEDS_HW_LIMIT", "more than the hardware can count at once"},
    {"ROCPROFILER_STATUS_ERROR_AGENT_ARCH_NOT_SUPPORTED",
     "the architecture of the agent is not supported"},
    {"ROCPROFILER_STATUS_ERROR_PERMISSION_DENIED", "the user may not do this"},
};
static_assert(sizeof kTexts / sizeof *kTexts == ROCPROFILER_STATUS_LAST);

const Text* Find(rocprofiler_status_t status) {
  return status >= 0 && status < ROCPROFILER_STATUS_LAST ? &kTexts[status] : nullptr;
}

}  // namespace
}  // namespace rtl::sdk

extern "C" {

// The texts are literals; null for an unknown number.
const char* rocprofiler_get_status_name(rocprofiler_status_t status) {
  const auto* const text = rtl::sdk::Find(status);
  return text == nullptr ? nullptr : text->name;
}

const char* rocprofiler_get_status_string(rocprofiler_status_t status) {
  const auto* const text = rtl::sdk::Find(status);
  return text == nullptr ? nullptr : text->sentence;
}

}  // extern "C"
