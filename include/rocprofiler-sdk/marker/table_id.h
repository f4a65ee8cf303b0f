/* SPDX-License-Identifier: MIT
 * table_id.h: the tables that make up ROCTx's interface. */
#pragma once

typedef enum rocprofiler_marker_table_id_t {
  ROCPROFILER_MARKER_TABLE_ID_NONE = -1,
  ROCPROFILER_MARKER_TABLE_ID_RoctxCore = 0,
  ROCPROFILER_MARKER_TABLE_ID_RoctxControl = 1,
  ROCPROFILER_MARKER_TABLE_ID_RoctxName = 2,
  ROCPROFILER_MARKER_TABLE_ID_RoctxCoreRange = 3, /* MARKER_CORE_RANGE_API: has no table */
  ROCPROFILER_MARKER_TABLE_ID_LAST = 4,
} rocprofiler_marker_table_id_t;
