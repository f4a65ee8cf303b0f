/* SPDX-License-Identifier: MIT
 * trace_decoder.h: decodes the bytes of a thread trace. */
#pragma once

#include <rocprofiler-sdk/experimental/thread-trace/trace_decoder_types.h>
#include <rocprofiler-sdk/fwd.h>

ROCPROFILER_EXTERN_C_INIT

typedef struct rocprofiler_thread_trace_decoder_id_t {
  uint64_t handle;
} rocprofiler_thread_trace_decoder_id_t;

typedef void (*rocprofiler_thread_trace_decoder_callback_t)(
    rocprofiler_thread_trace_decoder_record_type_t record_type_id, void* trace_events,
    uint64_t trace_size, void* userdata);

/* `path`: the folder of the decoder's library. Errors: INVALID_ARGUMENT (null), NOT_AVAILABLE. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_thread_trace_decoder_create(
    rocprofiler_thread_trace_decoder_id_t* handle, const char* path);
ROCPROFILER_API void rocprofiler_thread_trace_decoder_destroy(
    rocprofiler_thread_trace_decoder_id_t handle);

/* All of these return INVALID_ARGUMENT: there is no decoder. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_thread_trace_decoder_codeobj_load(
    rocprofiler_thread_trace_decoder_id_t handle, uint64_t load_id, uint64_t load_addr,
    uint64_t load_size, const void* data, uint64_t size);
ROCPROFILER_API rocprofiler_status_t rocprofiler_thread_trace_decoder_codeobj_unload(
    rocprofiler_thread_trace_decoder_id_t handle, uint64_t load_id);
ROCPROFILER_API rocprofiler_status_t
rocprofiler_trace_decode(rocprofiler_thread_trace_decoder_id_t handle,
                         rocprofiler_thread_trace_decoder_callback_t callback, void* data,
                         uint64_t size, void* userdata);

/* Null: there is no decoder. */
ROCPROFILER_API const char* rocprofiler_thread_trace_decoder_info_string(
    rocprofiler_thread_trace_decoder_id_t handle, rocprofiler_thread_trace_decoder_info_t info);

ROCPROFILER_EXTERN_C_FINI
