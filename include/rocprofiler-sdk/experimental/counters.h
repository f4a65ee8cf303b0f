/* SPDX-License-Identifier: MIT
 * experimental/counters.h: definitions of counters from the tool. Not built. */
#pragma once

#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>

ROCPROFILER_EXTERN_C_INIT

/* Errors: INVALID_ARGUMENT (null), NOT_IMPLEMENTED. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_load_counter_definition(
    const char* yaml, size_t size, rocprofiler_counter_flag_t flags);

ROCPROFILER_EXTERN_C_FINI
