// SPDX-License-Identifier: MIT
#include "spool/rank.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

namespace rtl::spool {
namespace {

struct Launcher {
  const char* rank;
  const char* world;  // null if the launcher has no such variable
  bool needs_world;   // both variables must be set, because the name of `rank` alone is too common
  const char* local_rank;
  const char* job;
  const char* step;  // appended to the job after a dot
};
constexpr Launcher kLaunchers[] = {
    {"RANK", "WORLD_SIZE", true, "LOCAL_RANK", "TORCHELASTIC_RUN_ID", nullptr},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", false, "OMPI_COMM_WORLD_LOCAL_RANK",
     "PMIX_NAMESPACE", nullptr},
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", false, "MV2_COMM_WORLD_LOCAL_RANK", nullptr,
     nullptr},
    {"PMI_RANK", "PMI_SIZE", false, "MPI_LOCALRANKID", "PMI_JOBID", nullptr},
    {"PMIX_RANK", nullptr, false, nullptr, "PMIX_NAMESPACE", nullptr},
    {"SLURM_PROCID", "SLURM_NTASKS", false, "SLURM_LOCALID", "SLURM_JOB_ID", "SLURM_STEP_ID"},
};

bool Number(Lookup lookup, const char* name, uint64_t high, uint64_t* out) {
  const char* text = name == nullptr ? nullptr : lookup(name);
  return text != nullptr && ParseNumber(text, 0, high, out);
}

bool ReadFrom(const Launcher& launcher, Lookup lookup, ProcessInfo* info) {
  uint64_t rank = 0;
  uint64_t world = 0;
  if (!Number(lookup, launcher.rank, INT32_MAX, &rank)) return false;
  const bool known = Number(lookup, launcher.world, INT32_MAX, &world) && world != 0;
  if (!known && launcher.needs_world) return false;
  if (known && rank >= world) return false;
  info->rank = static_cast<int32_t>(rank);
  info->world = known ? static_cast<uint32_t>(world) : 0;
  uint64_t local = 0;
  if (Number(lookup, launcher.local_rank, INT32_MAX, &local)) {
    info->local_rank = static_cast<int32_t>(local);
  }
  return true;
}

void ReadJob(const Launcher& launcher, Lookup lookup, ProcessInfo* info) {
  const char* job = launcher.job == nullptr ? nullptr : lookup(launcher.job);
  // "none": torchrun's default
  if (job == nullptr || *job == '\0' || strcmp(job, "none") == 0) return;
  CopyText(info->job, sizeof info->job, job);
  const char* step = launcher.step == nullptr ? nullptr : lookup(launcher.step);
  if (step == nullptr || *step == '\0') return;
  const size_t used = strlen(info->job);
  snprintf(info->job + used, sizeof info->job - used, ".%s", step);
}

}  // namespace

void ReadRank(Lookup lookup, ProcessInfo* info) {
  for (const Launcher& launcher : kLaunchers) {
    if (!ReadFrom(launcher, lookup, info)) continue;
    ReadJob(launcher, lookup, info);
    return;
  }
}

}  // namespace rtl::spool
