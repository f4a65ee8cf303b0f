/* SPDX-License-Identifier: MIT
 * counter_config.h: sets of counters: docs/reference/sdk-status.md. */
#pragma once

#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>

ROCPROFILER_EXTERN_C_INIT

/* `*config_id`: zero, or the configuration that is to be extended by a copy. Errors:
 * INVALID_ARGUMENT (null), AGENT_NOT_FOUND, AGENT_ARCH_NOT_SUPPORTED, COUNTER_NOT_FOUND,
 * METRIC_NOT_VALID_FOR_AGENT, AGENT_MISMATCH, PROFILE_COUNTER_NOT_FOUND (to extend),
 * EXCEEDS_HW_LIMIT, NOT_AVAILABLE (AMD's library of counters is missing). */
ROCPROFILER_API rocprofiler_status_t rocprofiler_create_counter_config(
    rocprofiler_agent_id_t agent_id, rocprofiler_counter_id_t* counters_list, size_t counters_count,
    rocprofiler_counter_config_id_t* config_id);

/* Errors: PROFILE_COUNTER_NOT_FOUND: there is none. */
ROCPROFILER_API rocprofiler_status_t
rocprofiler_destroy_counter_config(rocprofiler_counter_config_id_t config_id);

ROCPROFILER_EXTERN_C_FINI
