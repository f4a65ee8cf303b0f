// SPDX-License-Identifier: MIT
// What librocprofiler-sdk.so.1's functions return if there is no engine: a status for tools, and a
// neutral result for runtimes.
#include <rocprofiler-sdk/fwd.h>

static long AnswerNotAvailable(void) { return ROCPROFILER_STATUS_ERROR_NOT_AVAILABLE; }

static void* Absent(const char* name) {
  static const char* const kZero[] = {"OnUnload", "rtl_hip_hooks", "rtl_rccl_hooks",
                                      "rocprofiler_ompt_start_tool", "ompt_start_tool"};
  for (size_t i = 0; i < sizeof kZero / sizeof *kZero; ++i) {
    if (strcmp(name, kZero[i]) == 0) return (void*)AnswerZero;
  }
  if (strcmp(name, "OnLoad") == 0 || strcmp(name, "rocprofiler_set_api_table") == 0)
    return (void*)AnswerOne;
  const int is_text = strcmp(name, "rocprofiler_get_status_name") == 0 ||
                      strcmp(name, "rocprofiler_get_status_string") == 0;
  return is_text ? (void*)AnswerText : (void*)AnswerNotAvailable;
}
