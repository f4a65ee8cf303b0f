/* SPDX-License-Identifier: MIT
 * context.h: a context bundles services. They are on while it is started. */
#pragma once

#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>

ROCPROFILER_EXTERN_C_INIT

#define ROCPROFILER_CONTEXT_NONE ROCPROFILER_HANDLE_LITERAL(rocprofiler_context_id_t, 0UL)

/* Makes a context, during the tool's initialisation only. `context_id->handle` must be zero.
 * Errors: CONTEXT_ID_NOT_ZERO, CONFIGURATION_LOCKED (too late), INVALID_ARGUMENT (null),
 * OUT_OF_RESOURCES. */
ROCPROFILER_API rocprofiler_status_t
rocprofiler_create_context(rocprofiler_context_id_t* context_id);

/* Any thread, at any time, any number of times. Starting a started context succeeds. Errors:
 * CONTEXT_NOT_FOUND; CONFIGURATION_LOCKED (finalized, or the tool is off). */
ROCPROFILER_API rocprofiler_status_t rocprofiler_start_context(rocprofiler_context_id_t context_id);

/* Ends recording of later submissions. Earlier submissions are still recorded. Errors:
 * CONTEXT_NOT_FOUND, also for a context that is not started. Succeeds after finalization. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_stop_context(rocprofiler_context_id_t context_id);

/* `status`: 1 started, 0 not. Errors: CONTEXT_NOT_FOUND; INVALID_ARGUMENT (null). */
ROCPROFILER_API rocprofiler_status_t
rocprofiler_context_is_active(rocprofiler_context_id_t context_id, int* status);

/* `status`: 1 when the context exists, otherwise 0 and CONTEXT_NOT_FOUND. */
ROCPROFILER_API rocprofiler_status_t
rocprofiler_context_is_valid(rocprofiler_context_id_t context_id, int* status);

ROCPROFILER_EXTERN_C_FINI
