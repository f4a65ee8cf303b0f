/* SPDX-License-Identifier: MIT
 * table_id.h: RCCL has one table. */
#pragma once

typedef enum rocprofiler_rccl_table_id_t {
  ROCPROFILER_RCCL_TABLE_ID_NONE = -1,
  ROCPROFILER_RCCL_TABLE_ID = 0,
  ROCPROFILER_RCCL_TABLE_ID_LAST = 1,
} rocprofiler_rccl_table_id_t;
