/* SPDX-License-Identifier: MIT
 * spm.h: streaming performance monitoring. Upstream's 1.0 declares this service and does not
 * implement it; this header has only the record. */
#pragma once

#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>

ROCPROFILER_EXTERN_C_INIT

typedef struct rocprofiler_spm_record_t {
  rocprofiler_counter_record_t* counters;
  uint64_t counters_count;
} rocprofiler_spm_record_t;

ROCPROFILER_EXTERN_C_FINI
