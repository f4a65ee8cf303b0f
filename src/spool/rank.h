// SPDX-License-Identifier: MIT
// rank.h: reads the rank of this process in its job from the launcher's environment variables.
//
// Threads    has the rule of base/environment.h
// Memory     none
#pragma once

#include "spool/format.h"

namespace rtl::spool {

// Returns the value of an environment variable; null if it is not set.
using Lookup = const char* (*)(const char* name);

// Fills in rank, local_rank, world and job from the first launcher whose variables make sense:
// torchrun, Open MPI, MPICH and its family, PMIx, SLURM. The launcher nearest to the process
// counts; torchrun is first, because the others often start it.
void ReadRank(Lookup lookup, ProcessInfo* info);

}  // namespace rtl::spool
