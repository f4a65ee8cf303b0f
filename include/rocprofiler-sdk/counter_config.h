/* SPDX-License-Identifier: MIT
 * counter_config.h: sets of counters. Not built: docs/reference/sdk-status.md. */
#pragma once

#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>

ROCPROFILER_EXTERN_C_INIT

/* Errors: INVALID_ARGUMENT (null), NOT_IMPLEMENTED. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_create_counter_config(
    rocprofiler_agent_id_t agent_id, rocprofiler_counter_id_t* counters_list, size_t counters_count,
    rocprofiler_counter_config_id_t* config_id);

/* Errors: PROFILE_COUNTER_NOT_FOUND: there is none. */
ROCPROFILER_API rocprofiler_status_t
rocprofiler_destroy_counter_config(rocprofiler_counter_config_id_t config_id);

ROCPROFILER_EXTERN_C_FINI
