/* SPDX-License-Identifier: MIT
 * internal_threading.h: the threads that run the callbacks of buffers, and notifications when
 * this library creates threads. */
#pragma once

#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>

ROCPROFILER_EXTERN_C_INIT

typedef void (*rocprofiler_internal_thread_library_cb_t)(rocprofiler_runtime_library_t library,
                                                         void* data);

/* Calls the functions before and after this library creates threads, on the thread that creates
 * them. Between the two calls there may be several new threads, or none if creation failed.
 * Either function may be null. `libs`: only ROCPROFILER_LIBRARY is reported; threads that a
 * runtime creates are not, nor are existing threads. Can be called at any time and cannot be
 * undone. Errors: OUT_OF_RESOURCES. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_at_internal_thread_create(
    rocprofiler_internal_thread_library_cb_t precreate,
    rocprofiler_internal_thread_library_cb_t postcreate, int libs, void* data);

typedef struct rocprofiler_callback_thread_t {
  uint64_t handle;
} rocprofiler_callback_thread_t;

/* Unassigned buffers share one thread. Errors: CONFIGURATION_LOCKED, INVALID_ARGUMENT (null),
 * OUT_OF_RESOURCES. */
ROCPROFILER_API rocprofiler_status_t
rocprofiler_create_callback_thread(rocprofiler_callback_thread_t* cb_thread_id);

/* Errors: CONFIGURATION_LOCKED, BUFFER_NOT_FOUND, THREAD_NOT_FOUND. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_assign_callback_thread(
    rocprofiler_buffer_id_t buffer_id, rocprofiler_callback_thread_t cb_thread_id);

ROCPROFILER_EXTERN_C_FINI
