/* SPDX-License-Identifier: MIT
 * pc_sampling.h: samples the program counters of waves by host traps
 * (docs/reference/sdk-status.md). The variable ROCPROFILER_PC_SAMPLING_BETA_ENABLED must be set. */
#pragma once

#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>
#include <rocprofiler-sdk/pc_sampling_records.h>

ROCPROFILER_EXTERN_C_INIT

typedef enum rocprofiler_pc_sampling_configuration_flags_t {
  ROCPROFILER_PC_SAMPLING_CONFIGURATION_FLAGS_NONE = 0,
  ROCPROFILER_PC_SAMPLING_CONFIGURATION_FLAGS_INTERVAL_POW2 = 1,
  ROCPROFILER_PC_SAMPLING_CONFIGURATION_FLAGS_LAST = 2,
} rocprofiler_pc_sampling_configuration_flags_t;

/* The configurations that an agent offers; intervals are in `unit`. */
typedef struct rocprofiler_pc_sampling_configuration_t {
  uint64_t size;
  rocprofiler_pc_sampling_method_t method;
  rocprofiler_pc_sampling_unit_t unit;
  size_t min_interval;
  size_t max_interval;
  uint64_t flags; /* rocprofiler_pc_sampling_configuration_flags_t */
} rocprofiler_pc_sampling_configuration_t;

typedef rocprofiler_status_t (*rocprofiler_available_pc_sampling_configurations_cb_t)(
    const rocprofiler_pc_sampling_configuration_t* configs, size_t num_config, void* user_data);

/* While tools are initialised. The configuration holds for every process of the machine until
 * this one ends. Errors: NOT_IMPLEMENTED without the variable; CONFIGURATION_LOCKED;
 * AGENT_NOT_FOUND, CONTEXT_NOT_FOUND, BUFFER_NOT_FOUND; CONTEXT_CONFLICT with counting in that
 * context; ERROR when another context has the service; SERVICE_ALREADY_CONFIGURED for that
 * agent; INVALID_ARGUMENT for an unknown method or unit; NOT_AVAILABLE when the agent or the
 * runtime lacks the method, or the agent has another configuration; INCOMPATIBLE_KERNEL; ERROR
 * for a unit or an interval that the driver rejects. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_configure_pc_sampling_service(
    rocprofiler_context_id_t context_id, rocprofiler_agent_id_t agent_id,
    rocprofiler_pc_sampling_method_t method, rocprofiler_pc_sampling_unit_t unit, uint64_t interval,
    rocprofiler_buffer_id_t buffer_id, int flags);
/* While any process samples the agent, only the current configuration is listed. Errors:
 * NOT_IMPLEMENTED, AGENT_NOT_FOUND, NOT_AVAILABLE, INCOMPATIBLE_KERNEL, ERROR. */
ROCPROFILER_API rocprofiler_status_t rocprofiler_query_pc_sampling_agent_configurations(
    rocprofiler_agent_id_t agent_id, rocprofiler_available_pc_sampling_configurations_cb_t cb,
    void* user_data);

/* "ROCPROFILER_PC_SAMPLING_…"; literals. Null for an unknown number. */
ROCPROFILER_API const char* rocprofiler_get_pc_sampling_instruction_type_name(
    rocprofiler_pc_sampling_instruction_type_t instruction_type);
ROCPROFILER_API const char* rocprofiler_get_pc_sampling_instruction_not_issued_reason_name(
    rocprofiler_pc_sampling_instruction_not_issued_reason_t not_issued_reason);

ROCPROFILER_EXTERN_C_FINI
