// SPDX-License-Identifier: MIT
#include "capture/hsa/mode_choice.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/fake_hsa.h"

namespace rtl::capture {
namespace {

using support::FakeHsa;
using support::TableLayout;

struct Answer {
  std::string error;
  ModeChoice choice;
};

Answer Ask(const TableLayout& layout, Mode mode, QueueMethod method = QueueMethod::kAuto,
           bool force_full = false) {
  FakeHsa hsa(layout);
  HsaTables tables;
  EXPECT_TRUE(tables.Open(hsa.root_table()).ok());
  Answer answer;
  answer.error = ChooseMode({mode, method, force_full}, tables, &answer.choice).message();
  return answer;
}

TEST(ModeChoice, ChoosesFullWhenTheRuntimePassesOnePacketAtATime) {
  for (const TableLayout& layout : {support::kRocm52, support::kRocm57, support::kRocm61}) {
    const Answer answer = Ask(layout, Mode::kAuto);
    EXPECT_EQ(answer.error, "");
    EXPECT_EQ(answer.choice.mode, Mode::kFull);
    EXPECT_STREQ(answer.choice.reason, "this runtime hands over one packet at a time");
  }
}

TEST(ModeChoice, ChoosesTheDoorbellWhenBatchesOverrunTheRuntimesBuffer) {
  const Answer answer = Ask(support::kRocm72, Mode::kAuto);
  EXPECT_EQ(answer.error, "");
  EXPECT_EQ(answer.choice.mode, Mode::kFull);
  EXPECT_EQ(answer.choice.queues, QueueMethod::kDoorbell);
  EXPECT_STREQ(answer.choice.reason,
               "packets are seen at the doorbell: this runtime's (AMD table 2.8) intercept queue "
               "writes past its buffer of 256 packets");
}

TEST(ModeChoice, OmitsSuchBatchesOnAnInterceptQueue) {
  const Answer answer = Ask(support::kRocm72, Mode::kAuto, QueueMethod::kIntercept);
  EXPECT_EQ(answer.error, "");
  EXPECT_EQ(answer.choice.mode, Mode::kStandard);
  EXPECT_EQ(answer.choice.queues, QueueMethod::kIntercept);
  EXPECT_STREQ(answer.choice.reason,
               "batches are left alone: this runtime's (AMD table 2.8) intercept queue writes past "
               "its buffer of 256 packets");
}

TEST(ModeChoice, DoesNotReplaceTheQueuesOfAnotherTool) {
  FakeHsa hsa(support::kRocm61);
  HsaTables tables;
  ASSERT_TRUE(tables.Open(hsa.root_table()).ok());
  ModeChoice choice;
  ASSERT_TRUE(ChooseMode({}, tables, &choice).ok());
  EXPECT_EQ(choice.queues, QueueMethod::kIntercept);

  // Any function of another library will do.
  ASSERT_TRUE(tables.Replace(HsaSlot::queue_create, dlsym(RTLD_NEXT, "getppid")).ok());
  HsaTables later;
  ASSERT_TRUE(later.Open(hsa.root_table()).ok());
  ASSERT_TRUE(ChooseMode({}, later, &choice).ok());
  EXPECT_EQ(choice.queues, QueueMethod::kDoorbell);
  EXPECT_EQ(choice.mode, Mode::kFull);
  EXPECT_STREQ(choice.reason, "another tool makes the queues, which stay as it makes them");
  ASSERT_TRUE(ChooseMode({.method = QueueMethod::kIntercept}, later, &choice).ok());
  EXPECT_EQ(choice.queues, QueueMethod::kIntercept) << "an explicit request is granted";
  tables.Restore();
}

TEST(ModeChoice, ChoosesFullWhenBatchesHaveRoom) {
  const Answer answer = Ask(support::kRocm10, Mode::kAuto);
  EXPECT_EQ(answer.error, "");
  EXPECT_EQ(answer.choice.mode, Mode::kFull);
  EXPECT_STREQ(answer.choice.reason, "this runtime hands over batches safely");
}

TEST(ModeChoice, RejectsFullOnSuchAnInterceptQueueAndNamesTheVersion) {
  EXPECT_EQ(Ask(support::kRocm72, Mode::kFull).error, "");
  EXPECT_EQ(
      Ask(support::kRocm72, Mode::kFull, QueueMethod::kIntercept).error,
      "full mode is refused with RTL_QUEUE_METHOD=intercept: this HSA runtime's (AMD table 2.8) "
      "intercept queue writes past its buffer of 256 packets; use "
      "RTL_QUEUE_METHOD=auto, or at your own risk RTL_FORCE_FULL=1");
}

TEST(ModeChoice, ForcesFullOnlyWhereItIsRejected) {
  const Answer forced = Ask(support::kRocm72, Mode::kFull, QueueMethod::kIntercept, true);
  EXPECT_EQ(forced.error, "");
  EXPECT_EQ(forced.choice.mode, Mode::kFull);
  EXPECT_EQ(forced.choice.queues, QueueMethod::kIntercept);
  EXPECT_STREQ(forced.choice.reason,
               "forced: this runtime's (AMD table 2.8) intercept queue writes past its buffer of "
               "256 packets");
  EXPECT_EQ(Ask(support::kRocm72, Mode::kAuto, QueueMethod::kIntercept, true).choice.mode,
            Mode::kStandard);
  EXPECT_STREQ(Ask(support::kRocm61, Mode::kFull, QueueMethod::kAuto, true).choice.reason,
               "asked for");
}

TEST(ModeChoice, UsesTheRequestedInterceptionMethod) {
  for (const TableLayout& layout : {support::kRocm52, support::kRocm72, support::kRocm10}) {
    for (const QueueMethod method : {QueueMethod::kIntercept, QueueMethod::kDoorbell}) {
      EXPECT_EQ(Ask(layout, Mode::kLite, method).choice.queues, method);
    }
  }
  EXPECT_EQ(Ask(support::kRocm61, Mode::kAuto).choice.queues, QueueMethod::kIntercept);
}

TEST(ModeChoice, UsesTheRequestedMode) {
  for (const Mode mode : {Mode::kFull, Mode::kStandard, Mode::kLite}) {
    const Answer answer = Ask(support::kRocm61, mode);
    EXPECT_EQ(answer.error, "");
    EXPECT_EQ(answer.choice.mode, mode);
    EXPECT_STREQ(answer.choice.reason, "asked for");
  }
}

}  // namespace
}  // namespace rtl::capture
