// SPDX-License-Identifier: MIT
#include "trace/write/held_records.h"

#include <gtest/gtest.h>

namespace rtl::store {
namespace {

class HeldRecordsTest : public testing::Test {
 protected:
  // One round in which the records up to `known` are complete.
  std::vector<int> Release(int known) {
    std::vector<int> written;
    const Status released = held_.Release([&](int record) { return record <= known; },
                                          [&](int record) {
                                            written.push_back(record);
                                            return Status::Ok();
                                          });
    EXPECT_TRUE(released.ok());
    return written;
  }

  HeldRecords<int> held_;
};

TEST_F(HeldRecordsTest, HandsOverWhatIsCompleteInTheOrderOfReading) {
  for (const int record : {2, 9, 1}) ASSERT_TRUE(held_.Hold(record));
  EXPECT_EQ(Release(2), (std::vector<int>{2, 1}));
  EXPECT_FALSE(held_.empty());
  EXPECT_EQ(Release(9), std::vector<int>{9});
  EXPECT_TRUE(held_.empty());
}

TEST_F(HeldRecordsTest, DoesNotWaitForEver) {
  ASSERT_TRUE(held_.Hold(5));
  for (uint32_t round = 1; round < HeldRecords<int>::kMostRounds; ++round)
    ASSERT_EQ(Release(0), std::vector<int>{}) << round;
  EXPECT_EQ(Release(0), std::vector<int>{5});
}

TEST_F(HeldRecordsTest, RefusesARecordWhenFull) {
  for (size_t i = 0; i < HeldRecords<int>::kMost; ++i) ASSERT_TRUE(held_.Hold(1));
  EXPECT_FALSE(held_.Hold(2));
  EXPECT_EQ(Release(1).size(), HeldRecords<int>::kMost);
  EXPECT_TRUE(held_.Hold(2));
}

TEST_F(HeldRecordsTest, PassesOnTheFirstFailure) {
  ASSERT_TRUE(held_.Hold(1));
  const Status failed =
      held_.Release([](int) { return true; }, [](int) { return Status::Error("disk full"); });
  EXPECT_STREQ(failed.message(), "disk full");
}

}  // namespace
}  // namespace rtl::store
