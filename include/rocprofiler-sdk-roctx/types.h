/* SPDX-License-Identifier: MIT
 * types.h: the types of ROCTx; C99 and C++. */
#ifndef ROCPROFILER_SDK_ROCTX_TYPES_H_
#define ROCPROFILER_SDK_ROCTX_TYPES_H_

#include <stdint.h>

/* Identifies a range between roctxRangeStartA and roctxRangeStop; never zero. */
typedef uint64_t roctx_range_id_t;
/* A thread id as gettid returns it; zero: all threads of the process. */
typedef uint64_t roctx_thread_id_t;

struct hsa_agent_s;
struct ihipStream_t;

#endif /* ROCPROFILER_SDK_ROCTX_TYPES_H_ */
