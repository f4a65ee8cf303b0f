// SPDX-License-Identifier: MIT
// rank.h: the rank of this process in its job, from its launcher's environment variables.
//
// Threads    has the rule of base/environment.h
// Memory     none
#pragma once

#include "spool/format.h"

namespace rtl::spool {

// Where a variable's text comes from; null when it is unset.
using Lookup = const char* (*)(const char* name);

// Fills in rank, local_rank, world and job from the first launcher whose variables make sense:
// torchrun, Open MPI, MPICH and its family, PMIx, SLURM. The nearest launcher counts, and the
// others often start torchrun.
void ReadRank(Lookup lookup, ProcessInfo* info);

}  // namespace rtl::spool
