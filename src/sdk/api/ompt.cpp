// SPDX-License-Identifier: MIT
// OpenMP's events are not built: a runtime that asks is told that there is no tool.
#include <rocprofiler-sdk/ompt.h>

namespace {

rocprofiler_status_t AnswerNever(int* status) {
  if (status == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  *status = 0;
  return ROCPROFILER_STATUS_SUCCESS;
}

}  // namespace

extern "C" {

rocprofiler_status_t rocprofiler_ompt_is_initialized(int* status) { return AnswerNever(status); }
rocprofiler_status_t rocprofiler_ompt_is_finalized(int* status) { return AnswerNever(status); }

struct ompt_start_tool_result_t* rocprofiler_ompt_start_tool(unsigned int, const char*) {
  return nullptr;
}

}  // extern "C"
