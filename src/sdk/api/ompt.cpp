// SPDX-License-Identifier: MIT
#include <rocprofiler-sdk/ompt.h>

#include "sdk/library.h"

using rtl::sdk::Library;

extern "C" {

rocprofiler_status_t rocprofiler_ompt_is_initialized(int* status) {
  if (status == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  Library* const library = Library::Get();
  *status = library == nullptr ? 0 : library->ompt().init_status();
  return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_ompt_is_finalized(int* status) {
  if (status == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  Library* const library = Library::Get();
  *status = library == nullptr ? 0 : library->ompt().fini_status();
  return ROCPROFILER_STATUS_SUCCESS;
}

struct ompt_start_tool_result_t* rocprofiler_ompt_start_tool(unsigned int, const char*) {
  Library* const library = Library::Get();
  return library == nullptr ? nullptr : library->OnOpenMp();
}

}  // extern "C"
