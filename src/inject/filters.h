// SPDX-License-Identifier: MIT
// filters.h: checks whether a process's seccomp filters allow the system calls that the tracer
// makes in the process. A filter may kill the process for a forbidden call, so the filters are
// evaluated here first.
//
// Threads    any
// Errors     one sentence that names the call, or the right that is missing to read the filters
#pragma once

#include <linux/filter.h>
#include <stdint.h>

#include <vector>

#include "base/status.h"

namespace rtl::inject {

// The action of one filter for this call without arguments: SECCOMP_RET_ALLOW or another. A filter
// that cannot be evaluated counts as SECCOMP_RET_KILL_PROCESS.
uint32_t RunFilter(const std::vector<sock_filter>& program, int call);

// Checks the filters of a thread that the caller has stopped.
Status CheckFilters(int thread);

}  // namespace rtl::inject
