// SPDX-License-Identifier: MIT
// Thread trace is not implemented, and there is no decoder, so every handle is invalid.
#include <rocprofiler-sdk/experimental/thread_trace.h>

extern "C" {

rocprofiler_status_t rocprofiler_configure_device_thread_trace_service(
    rocprofiler_context_id_t, rocprofiler_agent_id_t, rocprofiler_thread_trace_parameter_t*, size_t,
    rocprofiler_thread_trace_shader_data_callback_t, rocprofiler_user_data_t) {
  return ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED;
}

rocprofiler_status_t rocprofiler_configure_dispatch_thread_trace_service(
    rocprofiler_context_id_t, rocprofiler_agent_id_t, rocprofiler_thread_trace_parameter_t*, size_t,
    rocprofiler_thread_trace_dispatch_callback_t, rocprofiler_thread_trace_shader_data_callback_t,
    void*) {
  return ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED;
}

rocprofiler_status_t rocprofiler_thread_trace_decoder_create(
    rocprofiler_thread_trace_decoder_id_t* handle, const char* path) {
  return handle == nullptr || path == nullptr ? ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT
                                              : ROCPROFILER_STATUS_ERROR_NOT_AVAILABLE;
}

void rocprofiler_thread_trace_decoder_destroy(rocprofiler_thread_trace_decoder_id_t) {}

rocprofiler_status_t rocprofiler_thread_trace_decoder_codeobj_load(
    rocprofiler_thread_trace_decoder_id_t, uint64_t, uint64_t, uint64_t, const void*, uint64_t) {
  return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
}

rocprofiler_status_t rocprofiler_thread_trace_decoder_codeobj_unload(
    rocprofiler_thread_trace_decoder_id_t, uint64_t) {
  return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
}

rocprofiler_status_t rocprofiler_trace_decode(rocprofiler_thread_trace_decoder_id_t,
                                              rocprofiler_thread_trace_decoder_callback_t, void*,
                                              uint64_t, void*) {
  return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
}

const char* rocprofiler_thread_trace_decoder_info_string(rocprofiler_thread_trace_decoder_id_t,
                                                         rocprofiler_thread_trace_decoder_info_t) {
  return nullptr;
}

}  // extern "C"
