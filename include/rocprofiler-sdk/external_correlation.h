/* SPDX-License-Identifier: MIT
 * external_correlation.h: the tool's own ids in the records of events. */
#pragma once

#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>

ROCPROFILER_EXTERN_C_INIT

/* The events for which a tool can supply an id. */
typedef enum rocprofiler_external_correlation_id_request_kind_t {
  ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_NONE = 0,
  ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_HSA_CORE_API = 1,
  ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_HSA_AMD_EXT_API = 2,
  ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_HSA_IMAGE_EXT_API = 3,
  ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_HSA_FINALIZE_EXT_API = 4,
  ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_HIP_RUNTIME_API = 5,
  ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_HIP_COMPILER_API = 6,
  ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MARKER_CORE_API = 7,
  ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MARKER_CONTROL_API = 8,
  ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MARKER_NAME_API = 9,
  ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MEMORY_COPY = 10,
  ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_KERNEL_DISPATCH = 11,
  ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_SCRATCH_MEMORY = 12,
  ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_RCCL_API = 13,
  ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_OMPT = 14,
  ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MEMORY_ALLOCATION = 15,
  ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_ROCDECODE_API = 16,
  ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_ROCJPEG_API = 17,
  ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MARKER_CORE_RANGE_API = 18,
  ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_LAST = 19,
} rocprofiler_external_correlation_id_request_kind_t;

/* Zero: the stored value is used; otherwise the pushed value. */
typedef int (*rocprofiler_external_correlation_id_request_cb_t)(
    rocprofiler_thread_id_t thread_id, rocprofiler_context_id_t context_id,
    rocprofiler_external_correlation_id_request_kind_t kind,
    rocprofiler_tracing_operation_t operation, uint64_t internal_corr_id_value,
    rocprofiler_user_data_t* external_corr_id_value, void* data);

/* `callback` is called at each event of `kinds` (null and 0 for all), before ENTER, on the
 * thread of the call. For a kernel the operation is ENQUEUE, and the queue is locked
 * (callback_tracing.h). The thread in the arguments is the one that requested the event, which
 * may differ from the one that submits it. During the tool's initialisation only. Supported
 * kinds: HSA, HIP and ROCTx, KERNEL_DISPATCH and MEMORY_COPY. Errors, in this order:
 * CONFIGURATION_LOCKED, CONTEXT_NOT_FOUND, INVALID_ARGUMENT (no callback),
 * SERVICE_ALREADY_CONFIGURED, KIND_NOT_FOUND, NOT_IMPLEMENTED (of this kind). */
ROCPROFILER_API rocprofiler_status_t rocprofiler_configure_external_correlation_id_request_service(
    rocprofiler_context_id_t context_id,
    const rocprofiler_external_correlation_id_request_kind_t* kinds, size_t kinds_count,
    rocprofiler_external_correlation_id_request_cb_t callback, void* callback_args);

/* "HSA_CORE_API"; a literal. Pointers may be null. Errors: KIND_NOT_FOUND. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_query_external_correlation_id_request_kind_name(
    rocprofiler_external_correlation_id_request_kind_t kind, const char** name, uint64_t* name_len);

/* Calls of the thread `tid` get the value that was pushed last, in records of this context. A
 * thread without any uses the value of the process's first thread. Pop stores the value in its
 * argument (may be null), zero when there is none. Errors of both: INVALID_ARGUMENT (`tid` below
 * the process's id), CONTEXT_NOT_FOUND; of push: OUT_OF_RESOURCES. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_push_external_correlation_id(
    rocprofiler_context_id_t context, rocprofiler_thread_id_t tid,
    rocprofiler_user_data_t external_correlation_id);
ROCPROFILER_API rocprofiler_status_t rocprofiler_pop_external_correlation_id(
    rocprofiler_context_id_t context, rocprofiler_thread_id_t tid,
    rocprofiler_user_data_t* external_correlation_id);

ROCPROFILER_EXTERN_C_FINI
