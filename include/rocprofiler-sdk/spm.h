/* SPDX-License-Identifier: MIT
 * spm.h: streaming performance monitoring. Upstream's 1.0 declares a service of it and does not have it; here is
 * the record alone. */
#pragma once

#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>

ROCPROFILER_EXTERN_C_INIT

typedef struct rocprofiler_spm_record_t {
  rocprofiler_counter_record_t* counters;
  uint64_t counters_count;
} rocprofiler_spm_record_t;

ROCPROFILER_EXTERN_C_FINI
