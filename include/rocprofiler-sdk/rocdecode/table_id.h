/* SPDX-License-Identifier: MIT
 * table_id.h: rocDecode has one table. */
#pragma once

typedef enum rocprofiler_rocdecode_table_id_t {
  ROCPROFILER_ROCDECODE_TABLE_ID_NONE = -1,
  ROCPROFILER_ROCDECODE_TABLE_ID_CORE = 0,
  ROCPROFILER_ROCDECODE_TABLE_ID_LAST = 1,
} rocprofiler_rocdecode_table_id_t;
