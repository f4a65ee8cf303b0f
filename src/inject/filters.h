// SPDX-License-Identifier: MIT
// filters.h: whether a process's seccomp filters allow the system calls that the tracer makes there.
// A filter may kill the process for a call, so it is run here before.
//
// Threads    any
// Errors     one sentence that names the call, or what is needed to know
#pragma once

#include <linux/filter.h>
#include <stdint.h>

#include <vector>

#include "base/status.h"

namespace rtl::inject {

// The action of one filter for this call without arguments: SECCOMP_RET_ALLOW and kin.
// A program that cannot be followed counts as SECCOMP_RET_KILL_PROCESS.
uint32_t RunFilter(const std::vector<sock_filter>& program, int call);

// Of a thread that is stopped for the caller.
Status CheckFilters(int thread);

}  // namespace rtl::inject
