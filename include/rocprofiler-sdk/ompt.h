/* SPDX-License-Identifier: MIT
 * ompt.h: OpenMP's tools interface. The runtime's callbacks are reported as kind OMPT. */
#pragma once

#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>
#include <rocprofiler-sdk/ompt/api_args.h>
#include <rocprofiler-sdk/ompt/api_id.h>

ROCPROFILER_EXTERN_C_INIT

/* `status`: always zero, not yet. Errors: INVALID_ARGUMENT (null). */
ROCPROFILER_API rocprofiler_status_t rocprofiler_ompt_is_initialized(int* status);
ROCPROFILER_API rocprofiler_status_t rocprofiler_ompt_is_finalized(int* status);

/* For a tool's ompt_start_tool, which the library has, too. Null: no tool subscribes to OMPT. */
ROCPROFILER_API ompt_start_tool_result_t* rocprofiler_ompt_start_tool(unsigned int omp_version,
                                                                      const char* runtime_version);

ROCPROFILER_EXTERN_C_FINI
