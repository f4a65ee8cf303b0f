/* SPDX-License-Identifier: MIT
 * table_id.h: HIP's dispatch tables. */
#pragma once

typedef enum rocprofiler_hip_table_id_t {
  ROCPROFILER_HIP_TABLE_ID_NONE = -1,
  ROCPROFILER_HIP_TABLE_ID_Compiler = 0,
  ROCPROFILER_HIP_TABLE_ID_Runtime = 1,
  ROCPROFILER_HIP_TABLE_ID_LAST = 2,
} rocprofiler_hip_table_id_t;
