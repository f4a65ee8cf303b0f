/* SPDX-License-Identifier: MIT
 * scratch_memory_id.h: the ways to give scratch memory to kernels, and the events that the
 * runtime reports. The enumerators have the runtime's values; its older headers lack them. */
#pragma once

#if defined(__has_include)
#if __has_include(<hsa/hsa_amd_tool.h>)
#include <hsa/hsa_amd_tool.h>
#define ROCPROFILER_HSA_TOOL_HEADERS 1
#endif
#endif
#if !defined(ROCPROFILER_HSA_TOOL_HEADERS)
#define ROCPROFILER_HSA_TOOL_HEADERS 0

typedef enum {
  HSA_AMD_TOOL_EVENT_MIN = 0,
  HSA_AMD_TOOL_EVENT_SCRATCH_ALLOC_START = 1,
  HSA_AMD_TOOL_EVENT_SCRATCH_ALLOC_END = 2,
  HSA_AMD_TOOL_EVENT_SCRATCH_FREE_START = 3,
  HSA_AMD_TOOL_EVENT_SCRATCH_FREE_END = 4,
  HSA_AMD_TOOL_EVENT_SCRATCH_ASYNC_RECLAIM_START = 5,
  HSA_AMD_TOOL_EVENT_SCRATCH_ASYNC_RECLAIM_END = 6,
  HSA_AMD_TOOL_EVENT_MAX = 7
} hsa_amd_tool_event_kind_t;
#endif

typedef enum rocprofiler_scratch_alloc_flag_t {
  ROCPROFILER_SCRATCH_ALLOC_FLAG_NONE = 0,
  ROCPROFILER_SCRATCH_ALLOC_FLAG_USE_ONCE = 1, /* for one kernel only */
  ROCPROFILER_SCRATCH_ALLOC_FLAG_ALT = 2,      /* the queue's second, smaller piece */
} rocprofiler_scratch_alloc_flag_t;
