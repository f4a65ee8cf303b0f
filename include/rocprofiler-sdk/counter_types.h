/* SPDX-License-Identifier: MIT
 * counter_types.h: ids, enumerations and records of counters and of PC sampling. A part of fwd.h.
 */
#pragma once

#include <rocprofiler-sdk/defines.h>

ROCPROFILER_EXTERN_C_INIT

/* The structure that rocprofiler_query_counter_info fills: ..._info_v0_t or ..._info_v1_t. */
typedef enum rocprofiler_counter_info_version_id_t {
  ROCPROFILER_COUNTER_INFO_VERSION_NONE = 0,
  ROCPROFILER_COUNTER_INFO_VERSION_0 = 1,
  ROCPROFILER_COUNTER_INFO_VERSION_1 = 2,
  ROCPROFILER_COUNTER_INFO_VERSION_LAST = 3,
} rocprofiler_counter_info_version_id_t;

/* Records of the category COUNTERS. */
typedef enum rocprofiler_counter_record_kind_t {
  ROCPROFILER_COUNTER_RECORD_NONE = 0,
  ROCPROFILER_COUNTER_RECORD_PROFILE_COUNTING_DISPATCH_HEADER = 1,
  ROCPROFILER_COUNTER_RECORD_VALUE = 2,
  ROCPROFILER_COUNTER_RECORD_LAST = 3,
} rocprofiler_counter_record_kind_t;

/* ASYNC: do not wait for the sample. APPEND_DEFINITION: keep the definitions that are there. */
typedef enum rocprofiler_counter_flag_t {
  ROCPROFILER_COUNTER_FLAG_NONE = 0,
  ROCPROFILER_COUNTER_FLAG_ASYNC = 1,
  ROCPROFILER_COUNTER_FLAG_APPEND_DEFINITION = 2,
  ROCPROFILER_COUNTER_FLAG_LAST = 3,
} rocprofiler_counter_flag_t;

/* Records of the category PC_SAMPLING. */
typedef enum rocprofiler_pc_sampling_record_kind_t {
  ROCPROFILER_PC_SAMPLING_RECORD_NONE = 0,
  ROCPROFILER_PC_SAMPLING_RECORD_INVALID_SAMPLE = 1,
  ROCPROFILER_PC_SAMPLING_RECORD_HOST_TRAP_V0_SAMPLE = 2,
  ROCPROFILER_PC_SAMPLING_RECORD_STOCHASTIC_V0_SAMPLE = 3,
  ROCPROFILER_PC_SAMPLING_RECORD_LAST = 4,
} rocprofiler_pc_sampling_record_kind_t;

/* How waves are sampled. */
typedef enum rocprofiler_pc_sampling_method_t {
  ROCPROFILER_PC_SAMPLING_METHOD_NONE = 0,
  ROCPROFILER_PC_SAMPLING_METHOD_STOCHASTIC = 1,
  ROCPROFILER_PC_SAMPLING_METHOD_HOST_TRAP = 2,
  ROCPROFILER_PC_SAMPLING_METHOD_LAST = 3,
} rocprofiler_pc_sampling_method_t;

/* What the interval between two samples counts; TIME: microseconds. */
typedef enum rocprofiler_pc_sampling_unit_t {
  ROCPROFILER_PC_SAMPLING_UNIT_NONE = 0,
  ROCPROFILER_PC_SAMPLING_UNIT_INSTRUCTIONS = 1,
  ROCPROFILER_PC_SAMPLING_UNIT_CYCLES = 2,
  ROCPROFILER_PC_SAMPLING_UNIT_TIME = 3,
  ROCPROFILER_PC_SAMPLING_UNIT_LAST = 4,
} rocprofiler_pc_sampling_unit_t;

typedef struct rocprofiler_counter_id_t {
  uint64_t handle;
} rocprofiler_counter_id_t;

/* Counters that are collected together, of one agent. */
typedef struct rocprofiler_counter_config_id_t {
  uint64_t handle;
} rocprofiler_counter_config_id_t;
typedef rocprofiler_counter_config_id_t rocprofiler_profile_config_id_t; /* its name in 0.5 */

/* A counter and where on the agent it was read; only the query functions know how. */
typedef uint64_t rocprofiler_counter_instance_id_t;
typedef uint64_t rocprofiler_counter_dimension_id_t;

typedef struct rocprofiler_counter_record_dimension_info_t {
  const char* name;
  size_t instance_size; /* positions */
  rocprofiler_counter_dimension_id_t id;
} rocprofiler_counter_record_dimension_info_t;
typedef rocprofiler_counter_record_dimension_info_t rocprofiler_record_dimension_info_t;

ROCPROFILER_EXTERN_C_FINI
