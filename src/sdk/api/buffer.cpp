// SPDX-License-Identifier: MIT
#include <rocprofiler-sdk/buffer.h>
#include <rocprofiler-sdk/internal_threading.h>

#include "sdk/library.h"

using rtl::sdk::Library;

extern "C" {

rocprofiler_status_t rocprofiler_create_buffer(rocprofiler_context_id_t context, size_t size,
                                               size_t watermark, rocprofiler_buffer_policy_t policy,
                                               rocprofiler_buffer_tracing_cb_t callback,
                                               void* callback_data,
                                               rocprofiler_buffer_id_t* buffer_id) {
  Library* const library = Library::Get();
  if (library == nullptr) return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  return library->services().CreateBuffer(context, size, watermark, policy, callback, callback_data,
                                          buffer_id);
}

rocprofiler_status_t rocprofiler_destroy_buffer(rocprofiler_buffer_id_t buffer_id) {
  Library* const library = Library::Get();
  rtl::sdk::Buffer* const buffer =
      library == nullptr ? nullptr : library->services().buffers().Find(buffer_id);
  return buffer == nullptr ? ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND : buffer->Destroy();
}

rocprofiler_status_t rocprofiler_flush_buffer(rocprofiler_buffer_id_t buffer_id) {
  Library* const library = Library::Get();
  if (library == nullptr) return ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND;
  return library->Flush(buffer_id);
}

rocprofiler_status_t rocprofiler_create_callback_thread(
    rocprofiler_callback_thread_t* cb_thread_id) {
  Library* const library = Library::Get();
  if (library == nullptr) return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  return library->services().CreateThread(cb_thread_id);
}

rocprofiler_status_t rocprofiler_assign_callback_thread(
    rocprofiler_buffer_id_t buffer_id, rocprofiler_callback_thread_t cb_thread_id) {
  Library* const library = Library::Get();
  if (library == nullptr) return ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND;
  return library->services().Assign(buffer_id, cb_thread_id);
}

rocprofiler_status_t rocprofiler_at_internal_thread_create(
    rocprofiler_internal_thread_library_cb_t precreate,
    rocprofiler_internal_thread_library_cb_t postcreate, int libs, void* data) {
  Library* const library = Library::Get();
  const bool added =
      library != nullptr && library->services().internal_threads().Add(
                                precreate, postcreate, static_cast<uint32_t>(libs), data);
  return added ? ROCPROFILER_STATUS_SUCCESS : ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
}

}  // extern "C"
