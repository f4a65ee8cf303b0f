/* SPDX-License-Identifier: MIT
 * types.h: the types of rocattach; C99 and C++. */
#ifndef ROCPROFILER_SDK_ROCATTACH_TYPES_H_
#define ROCPROFILER_SDK_ROCATTACH_TYPES_H_

#include <stdint.h>

typedef enum rocattach_status_t {
  ROCATTACH_STATUS_SUCCESS = 0,
  ROCATTACH_STATUS_ERROR,
  ROCATTACH_STATUS_ERROR_INVALID_ARGUMENT,
  ROCATTACH_STATUS_ERROR_NOT_SUPPORTED,
  ROCATTACH_STATUS_ERROR_PTRACE_ERROR,
  ROCATTACH_STATUS_ERROR_PTRACE_OPERATION_NOT_PERMITTED, /* another user, or no right to */
  ROCATTACH_STATUS_ERROR_PTRACE_PROCESS_NOT_FOUND,
  ROCATTACH_STATUS_LAST
} rocattach_status_t;

typedef struct rocattach_version_triplet_t {
  uint32_t major;
  uint32_t minor;
  uint32_t patch;
} rocattach_version_triplet_t;

#endif /* ROCPROFILER_SDK_ROCATTACH_TYPES_H_ */
