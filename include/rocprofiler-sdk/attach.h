/* SPDX-License-Identifier: MIT
 * attach.h: leaving a process that a tool was attached to (interface 1.3). */
#pragma once

#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>
#include <rocprofiler-sdk/registration.h>

ROCPROFILER_EXTERN_C_INIT

/* Detaches every tool that is attached: stops its contexts, delivers its buffers and calls its
 * `tool_detach`. Must not be called from a callback. Errors: NOT_AVAILABLE without a tool,
 * NOT_IMPLEMENTED when none is attached. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_detach(void);

ROCPROFILER_EXTERN_C_FINI
