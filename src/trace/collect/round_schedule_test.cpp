// SPDX-License-Identifier: MIT
#include "trace/collect/round_schedule.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/temp_dir.h"

namespace rtl::store {
namespace {

TEST(SpareProcessor, CountsEveryRunningThreadExceptTheCaller) {
  EXPECT_TRUE(ProcessorToSpare("0.00 0.01 0.05 1/345 678\n", 1));
  EXPECT_FALSE(ProcessorToSpare("0.00 0.01 0.05 2/345 678\n", 1));
  EXPECT_TRUE(ProcessorToSpare("9.00 9.01 9.05 2/345 678\n", 2));
  EXPECT_FALSE(ProcessorToSpare("9.00 9.01 9.05 3/345 678\n", 2));
  EXPECT_FALSE(ProcessorToSpare("9.00 9.01 9.05 40/345 678\n", 8));
}

TEST(SpareProcessor, AssumesASpareProcessorWithoutAnAnswer) {
  EXPECT_TRUE(ProcessorToSpare("", 1));
  EXPECT_TRUE(ProcessorToSpare("no figures here", 1));
  EXPECT_TRUE(ProcessorToSpare("0.00 0.01 0.05 x/345 678", 1));
}

TEST(RoundScheduleTest, ReadsAfterThreeLooksInARowThatFoundAnIdleProcessor) {
  static bool is_idle;
  is_idle = true;
  RoundSchedule schedule([] { return is_idle; }, UINT64_MAX);
  EXPECT_TRUE(schedule.IsDue());  // the first round does not wait
  is_idle = false;
  EXPECT_FALSE(schedule.IsDue());
  is_idle = true;
  EXPECT_FALSE(schedule.IsDue());
  EXPECT_FALSE(schedule.IsDue());
  EXPECT_TRUE(schedule.IsDue());
  EXPECT_TRUE(schedule.IsDue());
}

TEST(RoundScheduleTest, ReadsOnABusyMachineWhenTheLastRoundIsTooLongAgo) {
  RoundSchedule schedule([] { return false; }, 0);
  EXPECT_TRUE(schedule.IsDue());
  RoundSchedule patient([] { return false; }, UINT64_MAX);
  patient.BeginRound();
  EXPECT_FALSE(patient.IsDue());
}

TEST(RoundScheduleTest, RemembersThatAProgramAsksUntilItIsTaken) {
  const test::TempDir spool;
  RoundSchedule schedule([] { return false; }, UINT64_MAX);
  std::ofstream(spool.path() + "/dump-17") << "";
  EXPECT_TRUE(schedule.LookForAsks(spool.path()));
  EXPECT_FALSE(schedule.LookForAsks(spool.path()));  // too soon for another look
  EXPECT_TRUE(schedule.TakeAsked(spool.path()));
  EXPECT_FALSE(schedule.TakeAsked(spool.path()));
}

}  // namespace
}  // namespace rtl::store
