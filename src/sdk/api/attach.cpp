// SPDX-License-Identifier: MIT
// Functions of tools that are attached, and of what has registered with librocprofiler-register.
#include <rocprofiler-sdk/attach.h>
#include <rocprofiler-sdk/experimental/registration.h>

#include "capture/hip/hip_library.h"
#include "sdk/library.h"

using rtl::sdk::Library;

extern "C" {

rocprofiler_status_t rocprofiler_detach() {
  Library* const library = Library::Get();
  return library == nullptr ? ROCPROFILER_STATUS_ERROR_NOT_AVAILABLE : library->Detach();
}

// librocprofiler-register describes registrations in the same structure. HIP needs that library, so
// it is loaded when HIP is.
rocprofiler_status_t rocprofiler_iterate_runtime_registration_info(
    rocprofiler_runtime_registration_info_cb_t callback, void* data) {
  if (callback == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  using Iterate = int (*)(rocprofiler_runtime_registration_info_cb_t callback, void* data);
  rtl::capture::HipLibrary hip;
  if (!hip.Find()) return ROCPROFILER_STATUS_ERROR_NOT_AVAILABLE;
  const auto iterate =
      reinterpret_cast<Iterate>(hip.Symbol("rocprofiler_register_iterate_registration_info"));
  if (iterate == nullptr) return ROCPROFILER_STATUS_ERROR_NOT_AVAILABLE;
  return iterate(callback, data) == 0 ? ROCPROFILER_STATUS_SUCCESS : ROCPROFILER_STATUS_ERROR;
}

}  // extern "C"
