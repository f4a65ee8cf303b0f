/* SPDX-License-Identifier: MIT
 * buffer.h: records wait in a buffer until a thread of the library passes them to the tool's
 * callback. */
#pragma once

#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>

ROCPROFILER_EXTERN_C_INIT

/* `headers` and their payloads are valid until the callback returns. Records may be out of time
 * order. `drop_count`: events of the buffer's services that were lost since the last call. */
typedef void (*rocprofiler_buffer_tracing_cb_t)(rocprofiler_context_id_t context,
                                                rocprofiler_buffer_id_t buffer_id,
                                                rocprofiler_record_header_t** headers,
                                                size_t num_headers, void* data,
                                                uint64_t drop_count);

/* Creates a buffer, during the tool's initialisation only. `size` is rounded up to whole pages.
 * The callback runs when `watermark` bytes are in use: 0 for every record, `size` when it is
 * full. A full buffer of policy DISCARD drops and counts records until it is flushed; one of
 * LOSSLESS takes more memory, up to 1 GiB, before it drops. Errors: CONFIGURATION_LOCKED,
 * CONTEXT_NOT_FOUND, INVALID_ARGUMENT (null, no size, no policy), OUT_OF_RESOURCES. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_create_buffer(
    rocprofiler_context_id_t context, size_t size, size_t watermark,
    rocprofiler_buffer_policy_t policy, rocprofiler_buffer_tracing_cb_t callback,
    void* callback_data, rocprofiler_buffer_id_t* buffer_id);

/* Drops records that were not flushed; no callback runs after it has returned. Errors:
 * BUFFER_NOT_FOUND; BUFFER_BUSY while its callback runs. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_destroy_buffer(rocprofiler_buffer_id_t buffer_id);

/* Returns when the callback has received everything that was in the buffer. Errors:
 * BUFFER_NOT_FOUND; BUFFER_BUSY within a callback on the same thread, and when the callbacks
 * take longer than ten seconds; FINALIZED. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_flush_buffer(rocprofiler_buffer_id_t buffer_id);

ROCPROFILER_EXTERN_C_FINI
