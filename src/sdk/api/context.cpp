// SPDX-License-Identifier: MIT
#include <rocprofiler-sdk/context.h>

#include "sdk/library.h"

using rtl::sdk::Library;

extern "C" {

rocprofiler_status_t rocprofiler_create_context(rocprofiler_context_id_t* context_id) {
  Library* const library = Library::Get();
  if (library == nullptr) return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  return library->services().CreateContext(context_id);
}

rocprofiler_status_t rocprofiler_start_context(rocprofiler_context_id_t context_id) {
  Library* const library = Library::Get();
  if (library == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  return library->Start(context_id);
}

rocprofiler_status_t rocprofiler_stop_context(rocprofiler_context_id_t context_id) {
  Library* const library = Library::Get();
  if (library == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  return library->Stop(context_id);
}

rocprofiler_status_t rocprofiler_context_is_active(rocprofiler_context_id_t context_id,
                                                   int* status) {
  if (status == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  *status = 0;
  const auto* const context = Library::ContextOf(context_id);
  if (context == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  *status = context->active() ? 1 : 0;
  return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_context_is_valid(rocprofiler_context_id_t context_id,
                                                  int* status) {
  if (status == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  *status = 0;
  if (Library::ContextOf(context_id) == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  *status = 1;
  return ROCPROFILER_STATUS_SUCCESS;
}

}  // extern "C"
