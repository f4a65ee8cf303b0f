// SPDX-License-Identifier: MIT
#include "capture/hsa/mode_choice.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/fake_hsa.h"

namespace rtl::capture {
namespace {

using testing::FakeHsa;
using testing::TableLayout;

struct Answer {
  std::string error;
  ModeChoice choice;
};

Answer Ask(const TableLayout& layout, Mode asked, bool forced = false) {
  FakeHsa hsa(layout);
  HsaTables tables;
  EXPECT_TRUE(tables.Open(hsa.root_table()).ok());
  Answer answer;
  answer.error = ChooseMode(asked, forced, tables, &answer.choice).message();
  return answer;
}

TEST(ModeChoice, AutoIsFullWhereTheRuntimeHandsOverOnePacketAtATime) {
  for (const TableLayout& layout : {testing::kRocm52, testing::kRocm57, testing::kRocm61}) {
    const Answer answer = Ask(layout, Mode::kAuto);
    EXPECT_EQ(answer.error, "");
    EXPECT_EQ(answer.choice.mode, Mode::kFull);
    EXPECT_STREQ(answer.choice.reason, "this runtime hands over one packet at a time");
  }
}

TEST(ModeChoice, AutoIsStandardWhereBatchesOverrunTheRuntimesBuffer) {
  const Answer answer = Ask(testing::kRocm72, Mode::kAuto);
  EXPECT_EQ(answer.error, "");
  EXPECT_EQ(answer.choice.mode, Mode::kStandard);
  EXPECT_STREQ(answer.choice.reason,
               "batches are left alone: this runtime's (AMD table 2.8) intercept queue writes past "
               "its buffer when more than 256 packets pile up");
}

TEST(ModeChoice, AutoIsFullWhereBatchesHaveRoom) {
  const Answer answer = Ask(testing::kRocm10, Mode::kAuto);
  EXPECT_EQ(answer.error, "");
  EXPECT_EQ(answer.choice.mode, Mode::kFull);
  EXPECT_STREQ(answer.choice.reason, "this runtime hands over batches safely");
}

TEST(ModeChoice, FullIsRefusedByVersionAndSaysWhatToDo) {
  const Answer answer = Ask(testing::kRocm72, Mode::kFull);
  EXPECT_EQ(answer.error,
            "full mode is refused: this HSA runtime's (AMD table 2.8) intercept queue writes past "
            "its buffer when more than 256 packets pile up; use RTL_MODE=auto, or RTL_FORCE_FULL=1 "
            "at your own risk");
}

TEST(ModeChoice, FullCanBeForced) {
  const Answer answer = Ask(testing::kRocm72, Mode::kFull, true);
  EXPECT_EQ(answer.error, "");
  EXPECT_EQ(answer.choice.mode, Mode::kFull);
  EXPECT_STREQ(answer.choice.reason,
               "forced by RTL_FORCE_FULL on a runtime that may crash with it");
}

TEST(ModeChoice, ForcingChangesNoOtherMode) {
  EXPECT_EQ(Ask(testing::kRocm72, Mode::kAuto, true).choice.mode, Mode::kStandard);
  EXPECT_EQ(Ask(testing::kRocm72, Mode::kLite, true).choice.mode, Mode::kLite);
}

TEST(ModeChoice, WhatWasAskedForIsTaken) {
  for (const Mode mode : {Mode::kFull, Mode::kStandard, Mode::kLite}) {
    const Answer answer = Ask(testing::kRocm61, mode);
    EXPECT_EQ(answer.error, "");
    EXPECT_EQ(answer.choice.mode, mode);
    EXPECT_STREQ(answer.choice.reason, "asked for");
  }
}

}  // namespace
}  // namespace rtl::capture
