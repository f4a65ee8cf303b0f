// SPDX-License-Identifier: MIT
// Functions that a tool and this library call before anything is traced.
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/self_kept_clock.h"
#include "base/thread_state.h"
#include "sdk/library.h"

using rtl::sdk::Library;

extern "C" {

rocprofiler_status_t rocprofiler_is_initialized(int* status) {
  if (status == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  const Library* const library = Library::Get();
  *status = library == nullptr ? 0 : library->init_status();
  return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_is_finalized(int* status) {
  if (status == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  const Library* const library = Library::Get();
  *status = library == nullptr ? 0 : library->fini_status();
  return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_force_configure(rocprofiler_configure_func_t configure_func) {
  Library* const library = Library::Get();
  if (library == nullptr) return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  return library->ForceConfigure(configure_func);
}

rocprofiler_status_t rocprofiler_get_version(uint32_t* major, uint32_t* minor, uint32_t* patch) {
  if (major != nullptr) *major = ROCPROFILER_VERSION_MAJOR;
  if (minor != nullptr) *minor = ROCPROFILER_VERSION_MINOR;
  if (patch != nullptr) *patch = ROCPROFILER_VERSION_PATCH;
  return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_get_version_triplet(rocprofiler_version_triplet_t* info) {
  if (info == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  return rocprofiler_get_version(&info->major, &info->minor, &info->patch);
}

rocprofiler_status_t rocprofiler_get_timestamp(rocprofiler_timestamp_t* ts) {
  if (ts == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  *ts = rtl::process_clock.NowNs();
  return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_get_thread_id(rocprofiler_thread_id_t* tid) {
  if (tid == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  *tid = static_cast<uint64_t>(syscall(SYS_gettid));  // also right in the child of a fork
  return ROCPROFILER_STATUS_SUCCESS;
}

}  // extern "C"
