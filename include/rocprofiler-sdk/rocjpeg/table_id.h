/* SPDX-License-Identifier: MIT
 * table_id.h: rocJPEG has one table. */
#pragma once

typedef enum rocprofiler_rocjpeg_table_id_t {
  ROCPROFILER_ROCJPEG_TABLE_ID_NONE = -1,
  ROCPROFILER_ROCJPEG_TABLE_ID_CORE = 0,
  ROCPROFILER_ROCJPEG_TABLE_ID_LAST = 1,
} rocprofiler_rocjpeg_table_id_t;
