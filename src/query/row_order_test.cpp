// SPDX-License-Identifier: MIT
#include "query/row_order.h"

#include <gtest/gtest.h>

namespace rtl::query {
namespace {

class RowOrderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(sqlite3_open(":memory:", &db_), SQLITE_OK);
    Execute(
        "CREATE TABLE rtl_launch (id INTEGER PRIMARY KEY, origin, opType_id);"
        "CREATE TABLE rtl_op (id INTEGER PRIMARY KEY, launch, start, waited);"
        "INSERT INTO rtl_launch VALUES (1, 1000, 7), (2, 2000, 7), (3, 0, 8)");
  }
  void TearDown() override { sqlite3_close(db_); }
  void Execute(const char* sql) {
    ASSERT_EQ(sqlite3_exec(db_, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db_);
  }
  bool InOrder(int64_t type) {
    bool in_order = false;
    const Status status = LieInOrder(db_, "memory", type, &in_order);
    EXPECT_TRUE(status.ok()) << status.message();
    return in_order;
  }

  sqlite3* db_ = nullptr;
};

TEST_F(RowOrderTest, IsTheOrderOfSubmission) {
  EXPECT_TRUE(InOrder(7)) << "there are none";
  Execute(
      "INSERT INTO rtl_op VALUES (1, 1, 50, 20), (2, 1, 60, 30), (3, 3, 5, 0), (4, 2, 1, NULL)");
  EXPECT_TRUE(InOrder(7)) << "two at one time, and one of another type between";
  Execute("INSERT INTO rtl_op VALUES (5, 2, 10, 10)");
  EXPECT_FALSE(InOrder(7)) << "it began last, and was submitted before the one that it follows";
  EXPECT_TRUE(InOrder(8));
}

TEST_F(RowOrderTest, ReportsTypesWithoutRows) {
  bool has = false;
  EXPECT_TRUE(HasOperations(db_, "memory", 7, &has).ok());
  EXPECT_TRUE(has);
  EXPECT_TRUE(HasOperations(db_, "memory", 9, &has).ok());
  EXPECT_FALSE(has);
}

}  // namespace
}  // namespace rtl::query
