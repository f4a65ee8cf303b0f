/* SPDX-License-Identifier: MIT
 * buffer.h: where records wait until the tool's callback takes them, on a thread of the library. */
#pragma once

#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>

ROCPROFILER_EXTERN_C_INIT

/* `headers` and what they point to are valid until the callback returns. Records may be out of the
 * order of their times. `drop_count`: events of the buffer's services that were lost since the last
 * call. */
typedef void (*rocprofiler_buffer_tracing_cb_t)(rocprofiler_context_id_t context,
                                                rocprofiler_buffer_id_t buffer_id,
                                                rocprofiler_record_header_t** headers,
                                                size_t num_headers, void* data,
                                                uint64_t drop_count);

/* Makes a buffer, during the tool's initialisation only. `size` is rounded up to whole pages. The
 * callback comes when `watermark` bytes are in use: 0 for every record, `size` when it is full.
 * A full buffer of policy DISCARD drops and counts until it is flushed; one of LOSSLESS takes more
 * memory, up to 1 GiB, before it drops.
 * Errors: CONFIGURATION_LOCKED, CONTEXT_NOT_FOUND, INVALID_ARGUMENT (null, no size, no policy),
 * OUT_OF_RESOURCES. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_create_buffer(
    rocprofiler_context_id_t context, size_t size, size_t watermark,
    rocprofiler_buffer_policy_t policy, rocprofiler_buffer_tracing_cb_t callback,
    void* callback_data, rocprofiler_buffer_id_t* buffer_id);

/* What has not been flushed is dropped; no callback comes after it has returned.
 * Errors: BUFFER_NOT_FOUND; BUFFER_BUSY while its callback runs. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_destroy_buffer(rocprofiler_buffer_id_t buffer_id);

/* Returns when the callback has had everything that was in the buffer.
 * Errors: BUFFER_NOT_FOUND; BUFFER_BUSY within a callback on the same thread, and when the
 * callbacks take longer than ten seconds; FINALIZED. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_flush_buffer(rocprofiler_buffer_id_t buffer_id);

ROCPROFILER_EXTERN_C_FINI
