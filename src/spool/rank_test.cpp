// SPDX-License-Identifier: MIT
#include "spool/rank.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace rtl::spool {
namespace {

std::map<std::string, std::string> variables;

const char* Lookup(const char* name) {
  const auto found = variables.find(name);
  return found == variables.end() ? nullptr : found->second.c_str();
}

// "rank/world local job" of a process with these variables.
std::string Read(std::map<std::string, std::string> environment) {
  variables = std::move(environment);
  ProcessInfo info;
  ReadRank(Lookup, &info);
  return std::to_string(info.rank) + "/" + std::to_string(info.world) + " " +
         std::to_string(info.local_rank) + " " + info.job;
}

constexpr char kNone[] = "-1/0 -1 ";

TEST(RankTest, ReadsTheVariablesOfEachLauncher) {
  EXPECT_EQ(Read({{"RANK", "9"},
                  {"WORLD_SIZE", "16"},
                  {"LOCAL_RANK", "1"},
                  {"TORCHELASTIC_RUN_ID", "run-7"}}),
            "9/16 1 run-7");
  EXPECT_EQ(Read({{"OMPI_COMM_WORLD_RANK", "3"},
                  {"OMPI_COMM_WORLD_SIZE", "4"},
                  {"OMPI_COMM_WORLD_LOCAL_RANK", "3"},
                  {"PMIX_NAMESPACE", "prterun-1@1"}}),
            "3/4 3 prterun-1@1");
  EXPECT_EQ(Read({{"MV2_COMM_WORLD_RANK", "1"},
                  {"MV2_COMM_WORLD_SIZE", "2"},
                  {"MV2_COMM_WORLD_LOCAL_RANK", "0"}}),
            "1/2 0 ");
  EXPECT_EQ(Read({{"PMI_RANK", "5"}, {"PMI_SIZE", "8"}, {"MPI_LOCALRANKID", "2"}}), "5/8 2 ");
  EXPECT_EQ(Read({{"PMI_RANK", "5"}, {"PMI_SIZE", "8"}, {"PMI_JOBID", "kvs_42"}}), "5/8 -1 kvs_42");
  EXPECT_EQ(Read({{"PMIX_RANK", "6"}, {"PMIX_NAMESPACE", "n"}}), "6/0 -1 n");
  EXPECT_EQ(Read({{"SLURM_PROCID", "0"},
                  {"SLURM_NTASKS", "2"},
                  {"SLURM_LOCALID", "0"},
                  {"SLURM_JOB_ID", "77"},
                  {"SLURM_STEP_ID", "4"}}),
            "0/2 0 77.4");
}

TEST(RankTest, TheNearestLauncherCounts) {
  EXPECT_EQ(Read({{"RANK", "5"},
                  {"WORLD_SIZE", "8"},
                  {"LOCAL_RANK", "1"},
                  {"TORCHELASTIC_RUN_ID", "none"},
                  {"SLURM_PROCID", "0"},
                  {"SLURM_NTASKS", "2"},
                  {"SLURM_JOB_ID", "77"}}),
            "5/8 1 ");
}

TEST(RankTest, RejectsAVariableOfThatNameThatIsNoRank) {
  EXPECT_EQ(Read({}), kNone);
  EXPECT_EQ(Read({{"RANK", "3"}}), kNone);  // too common a name
  EXPECT_EQ(Read({{"RANK", "first"}, {"WORLD_SIZE", "2"}}), kNone);
  EXPECT_EQ(Read({{"RANK", "2"}, {"WORLD_SIZE", "2"}}), kNone);  // beyond the last
  EXPECT_EQ(Read({{"RANK", "-1"}, {"WORLD_SIZE", "2"}}), kNone);
  EXPECT_EQ(Read({{"RANK", ""}, {"WORLD_SIZE", ""}, {"PMI_RANK", "1"}}), "1/0 -1 ");
}

TEST(RankTest, CutsALongJob) {
  const std::string job = Read(
      {{"SLURM_PROCID", "0"}, {"SLURM_JOB_ID", std::string(100, '7')}, {"SLURM_STEP_ID", "1"}});
  EXPECT_EQ(job, "0/0 -1 " + std::string(63, '7'));
}

}  // namespace
}  // namespace rtl::spool
