/* SPDX-License-Identifier: MIT
 * device_counting_service.h: counters of an agent while a context is started, whatever runs
 * on it. */
#pragma once

#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>

ROCPROFILER_EXTERN_C_INIT

typedef rocprofiler_status_t (*rocprofiler_device_counting_agent_cb_t)(
    rocprofiler_context_id_t context_id, rocprofiler_counter_config_id_t config_id);
typedef rocprofiler_device_counting_agent_cb_t rocprofiler_agent_set_profile_callback_t;

typedef void (*rocprofiler_device_counting_service_cb_t)(
    rocprofiler_context_id_t context_id, rocprofiler_agent_id_t agent_id,
    rocprofiler_device_counting_agent_cb_t set_config, void* user_data);

/* `cb` is called at every start of the context, and chooses by `set_config`. Errors:
 * CONFIGURATION_LOCKED, INVALID_ARGUMENT (null), CONTEXT_NOT_FOUND, BUFFER_NOT_FOUND,
 * AGENT_NOT_FOUND, SERVICE_ALREADY_CONFIGURED (this agent), CONTEXT_CONFLICT (the context counts
 * dispatches). rocprofiler_start_context: HSA_NOT_LOADED, NO_PROFILE_QUEUE. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_configure_device_counting_service(
    rocprofiler_context_id_t context_id, rocprofiler_buffer_id_t buffer_id,
    rocprofiler_agent_id_t agent_id, rocprofiler_device_counting_service_cb_t cb, void* user_data);
/* Values since the start, into `output_records` (may be null) and the buffer. With ASYNC into the
 * buffer alone, soon. `rec_count`: room before, records after. Errors: CONTEXT_NOT_FOUND,
 * CONTEXT_NOT_STARTED, CONTEXT_INVALID (it counts no agent), INVALID_ARGUMENT (ASYNC with records;
 * no count), OUT_OF_RESOURCES (too little room), FINALIZED. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_sample_device_counting_service(
    rocprofiler_context_id_t context_id, rocprofiler_user_data_t user_data,
    rocprofiler_counter_flag_t flags, rocprofiler_counter_record_t* output_records,
    size_t* rec_count);

ROCPROFILER_EXTERN_C_FINI
