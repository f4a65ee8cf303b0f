// SPDX-License-Identifier: MIT
#include <rocprofiler-sdk/external_correlation.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/thread_state.h"
#include "sdk/kinds.h"
#include "sdk/library.h"

using rtl::sdk::Library;

namespace {

// Indexed by the kind of request.
constexpr const char* kKinds[] = {
    "NONE",
    "HSA_CORE_API",
    "HSA_AMD_EXT_API",
    "HSA_IMAGE_EXT_API",
    "HSA_FINALIZE_EXT_API",
    "HIP_RUNTIME_API",
    "HIP_COMPILER_API",
    "MARKER_CORE_API",
    "MARKER_CONTROL_API",
    "MARKER_NAME_API",
    "MEMORY_COPY",
    "KERNEL_DISPATCH",
    "SCRATCH_MEMORY",
    "RCCL_API",
    "OMPT",
    "MEMORY_ALLOCATION",
    "ROCDECODE_API",
    "ROCJPEG_API",
    "MARKER_CORE_RANGE_API",
};
static_assert(sizeof kKinds / sizeof(char*) == ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_LAST);

// Thread ids start at the process id and continue upwards until the system's ids wrap around.
bool MayBeThread(rocprofiler_thread_id_t thread) {
  const pid_t process = getpid();
  if (thread >= static_cast<rocprofiler_thread_id_t>(process)) return true;
  return thread == rtl::ThreadId::Current() ||
         syscall(SYS_tgkill, process, static_cast<pid_t>(thread), 0) == 0;
}

rocprofiler_status_t FindIds(rocprofiler_context_id_t id, rocprofiler_thread_id_t thread,
                             rtl::sdk::ExternalIds** ids) {
  if (!MayBeThread(thread)) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  rtl::sdk::Context* const context = Library::ContextOf(id);
  if (context == nullptr) return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
  *ids = &context->external;
  return ROCPROFILER_STATUS_SUCCESS;
}

}  // namespace

extern "C" {

rocprofiler_status_t rocprofiler_configure_external_correlation_id_request_service(
    rocprofiler_context_id_t context_id,
    const rocprofiler_external_correlation_id_request_kind_t* kinds, size_t kinds_count,
    rocprofiler_external_correlation_id_request_cb_t callback, void* callback_args) {
  Library* const library = Library::Get();
  if (library == nullptr) return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  return library->services().ConfigureRequest(context_id, kinds, kinds_count, callback,
                                              callback_args);
}

rocprofiler_status_t rocprofiler_query_external_correlation_id_request_kind_name(
    rocprofiler_external_correlation_id_request_kind_t kind, const char** name,
    uint64_t* name_len) {
  const bool known = static_cast<uint32_t>(kind) < ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_LAST;
  return rtl::sdk::AnswerName(known ? kKinds[kind] : nullptr,
                              ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND, name, name_len);
}

rocprofiler_status_t rocprofiler_push_external_correlation_id(
    rocprofiler_context_id_t context, rocprofiler_thread_id_t tid,
    rocprofiler_user_data_t external_correlation_id) {
  rtl::sdk::ExternalIds* ids = nullptr;
  const rocprofiler_status_t status = FindIds(context, tid, &ids);
  if (status != ROCPROFILER_STATUS_SUCCESS) return status;
  return ids->Push(tid, external_correlation_id.value) ? ROCPROFILER_STATUS_SUCCESS
                                                       : ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
}

rocprofiler_status_t rocprofiler_pop_external_correlation_id(
    rocprofiler_context_id_t context, rocprofiler_thread_id_t tid,
    rocprofiler_user_data_t* external_correlation_id) {
  rtl::sdk::ExternalIds* ids = nullptr;
  const rocprofiler_status_t status = FindIds(context, tid, &ids);
  if (status != ROCPROFILER_STATUS_SUCCESS) return status;
  const uint64_t value = ids->Pop(tid);
  if (external_correlation_id != nullptr) external_correlation_id->value = value;
  return ROCPROFILER_STATUS_SUCCESS;
}

}  // extern "C"
