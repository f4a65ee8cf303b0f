// SPDX-License-Identifier: MIT
// rank.h: which of a job's processes this is, as its launcher says by environment variables.
//
// Threads    has the rule of base/environment.h
// Memory     none
#pragma once

#include "spool/format.h"

namespace rtl::spool {

// Where a variable's text comes from; null when it is unset.
using Lookup = const char* (*)(const char* name);

// Fills in rank, local_rank, world and job from the first launcher whose variables make sense:
// torchrun, Open MPI, MPICH and its family, PMIx, SLURM. That order, because the nearest launcher
// is the one that counts: torchrun is often started by the others.
void ReadRank(Lookup lookup, ProcessInfo* info);

}  // namespace rtl::spool
