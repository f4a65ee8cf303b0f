// SPDX-License-Identifier: MIT
#include "trace/write/call_table.h"

#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"
#include "trace/schema/schema.h"
#include "trace/schema/store_test_support.h"

namespace rtl::store {
namespace {

constexpr int64_t kMany = CallTable::kMostHeld + CallTable::kMostHeld / 2 + 1;
constexpr int64_t kNoKernel = 99;

class CallTableTest : public testing::Test {
 protected:
  void SetUp() override {
    Check(database_.Open(path_, path_));
    Check(database_.BeginBuilding(1 << 20));
    Check(CreateSchema(&database_));
    Check(bulk_.Begin(&database_, path_));
    Check(calls_.Prepare(database_, &bulk_, kNoKernel, {}));
  }
  void Check(const Status& status) { ASSERT_TRUE(status.ok()) << status.message(); }
  bool Add(int64_t id, bool launches = true, int64_t tid = 1001) {
    CallTable::Call call = {
        .id = id, .start = id * 10, .duration = 5, .arguments = 1, .described = {}};
    std::optional<LaunchDetails> launch;
    if (launches) launch = LaunchDetails{.grid = {4, 1, 1}, .workgroup = {64, 1, 1}};
    Check(calls_.Describe(
        {.pid = 1000, .tid = tid, .name = 7, .result = 0, .process = 1, .rank = {}, .stream = 0},
        launch, launches, &call.described));
    bool added = false;
    Check(calls_.Add(call, &added));
    return added;
  }
  void AddOperation(int64_t api, int64_t op, int64_t kernel) {
    Check(calls_.AddOperation(api, op, kernel));
  }
  Rows Ask(const std::string& sql) {
    if (!finished_) {
      finished_ = true;
      Check(calls_.Settle());
      Check(bulk_.Finish());
      Check(database_.Execute("COMMIT"));
      database_.Close();
      EXPECT_EQ(store::Ask(path_, "PRAGMA integrity_check"), Rows{"ok"});
    }
    return store::Ask(path_, sql);
  }

  test::TempDir dir_;
  const std::string path_ = dir_.File("trace.db");
  Database database_;
  BulkTables bulk_;
  CallTable calls_;
  bool finished_ = false;
};

TEST_F(CallTableTest, AKernelIsInTheRowOfItsCallWhicheverIsReadFirst) {
  Add(1);
  AddOperation(1, 11, 5);
  AddOperation(2, 12, 5);
  Add(2);
  EXPECT_EQ(Ask("SELECT api_id, op_id FROM rocpd_api_ops ORDER BY 1"), (Rows{"1|11", "2|12"}));
  EXPECT_EQ(Ask("SELECT api_id, kernelName_id FROM rocpd_kernelapi ORDER BY 1"),
            (Rows{"1|5", "2|5"}));
  EXPECT_EQ(Ask("SELECT (SELECT count(*) FROM rtl_api_op) + (SELECT count(*) FROM rtl_kernelapi)"),
            Rows{"0"});
  EXPECT_EQ(Ask("SELECT count(*) FROM rtl_call_site"), Rows{"1"});
}

TEST_F(CallTableTest, FurtherOperationsOfACallHaveRowsOfTheirOwn) {
  AddOperation(1, 11, 0);  // an operation of HIP's own
  AddOperation(1, 12, 5);
  Add(1);
  AddOperation(1, 13, 6);
  EXPECT_EQ(Ask("SELECT api_id, op_id FROM rocpd_api_ops ORDER BY 2"),
            (Rows{"1|11", "1|12", "1|13"}));
  EXPECT_EQ(Ask("SELECT count(DISTINCT id) FROM rocpd_api_ops"), Rows{"3"});
  EXPECT_EQ(Ask("SELECT api_id, kernelName_id FROM rocpd_kernelapi"), Rows{"1|5"});
}

TEST_F(CallTableTest, AKernelThatEndsLongAfterItsCallIsLinkedAndNamed) {
  for (int64_t id = 1; id <= kMany; ++id) Add(id);
  AddOperation(1, 11, 5);      // the call has left the table
  AddOperation(kMany, 12, 6);  // the table still holds the call
  EXPECT_EQ(Ask("SELECT api_id, op_id FROM rocpd_api_ops ORDER BY 1"),
            (Rows{"1|11", std::to_string(kMany) + "|12"}));
  EXPECT_EQ(Ask("SELECT api_id, gridX, kernelName_id FROM rocpd_kernelapi"
                " WHERE kernelName_id <> 99 ORDER BY 1"),
            (Rows{"1|4|5", std::to_string(kMany) + "|4|6"}));
  EXPECT_EQ(Ask("SELECT count(*), count(DISTINCT api_id) FROM rocpd_kernelapi"),
            Rows{std::to_string(kMany) + "|" + std::to_string(kMany)});
}

TEST_F(CallTableTest, AnOperationIsLinkedToACallOfWhichNoneWasExpected) {
  for (int64_t id = 1; id <= 10'000; ++id) Add(id, false);
  AddOperation(1, 11, 0);  // the call has left the table
  AddOperation(10'000, 12, 0);
  AddOperation(1, 13, 0);
  EXPECT_EQ(Ask("SELECT api_id, op_id FROM rocpd_api_ops ORDER BY 2"),
            (Rows{"1|11", "10000|12", "1|13"}));
}

// The collector reads the chunk of one thread to its end before those of other threads, so that
// high numbers come first.
TEST_F(CallTableTest, CallsOfThreadsThatAreReadOneAfterTheOtherAreAllThere) {
  for (int64_t thread = 3; thread > 0; --thread) {
    for (int64_t id = thread; id <= kMany; id += 3) Add(id, true, thread);
    for (int64_t id = thread; id <= kMany; id += 6) AddOperation(id, id, 5);
  }
  const std::string operations =
      std::to_string(((kMany + 5) / 6) + ((kMany + 4) / 6) + ((kMany + 3) / 6));
  EXPECT_EQ(
      Ask("SELECT count(*), count(DISTINCT id), sum(tid = (id + 2) % 3 + 1) FROM rocpd_api"),
      Rows{std::to_string(kMany) + "|" + std::to_string(kMany) + "|" + std::to_string(kMany)});
  EXPECT_EQ(Ask("SELECT count(*), sum(api_id = op_id) FROM rocpd_api_ops"),
            Rows{operations + "|" + operations});
}

TEST_F(CallTableTest, ACallThatEndsLongAfterLaterOnesHasItsPlace) {
  for (int64_t id = 2; id <= kMany; ++id) Add(id, false);
  AddOperation(1, 11, 5);
  Add(1);
  EXPECT_EQ(Ask("SELECT id, start, op_id FROM rtl_call ORDER BY id LIMIT 2"),
            (Rows{"1|10|11", "2|20|NULL"}));
  EXPECT_EQ(Ask("SELECT count(*) FROM rocpd_api"), Rows{std::to_string(kMany)});
  EXPECT_EQ(Ask("SELECT api_id, kernelName_id FROM rocpd_kernelapi"), Rows{"1|5"});
}

TEST_F(CallTableTest, OfCallsWithOneIdTheFirstStays) {
  EXPECT_TRUE(Add(1, false, 7));
  EXPECT_FALSE(Add(1, false, 8));
  for (int64_t id = 2; id <= kMany; ++id) Add(id, false);
  EXPECT_FALSE(Add(1, false, 9)) << "it has left";
  EXPECT_EQ(Ask("SELECT tid FROM rocpd_api WHERE id = 1"), Rows{"7"});
}

TEST_F(CallTableTest, KernelsWhoseCallIsNeverReadAreLinkedToItsNumber) {
  const auto many = static_cast<int64_t>(CallTable::kMostWaiting) + 10;
  for (int64_t id = 1; id <= many; ++id) AddOperation(id, id, 5);
  Add(many);
  EXPECT_EQ(Ask("SELECT count(*), sum(api_id = op_id) FROM rocpd_api_ops"),
            Rows{std::to_string(many) + "|" + std::to_string(many)});
  EXPECT_EQ(Ask("SELECT op_id FROM rtl_call"), Rows{std::to_string(many)});
}

TEST_F(CallTableTest, ForgetsSitesWhenThereAreTooMany) {
  const auto many = static_cast<int64_t>(CallTable::kMostKnown) + 10;
  for (int64_t id = 1; id <= many; ++id) Add(id, true, id);
  AddOperation(many, 11, 5);
  EXPECT_EQ(Ask("SELECT count(*), sum(tid = correlation_id) FROM rocpd_api"),
            Rows{std::to_string(many) + "|" + std::to_string(many)});
}

TEST_F(CallTableTest, FindsTheSiteOfACall) {
  for (int64_t id = 1; id <= kMany; ++id) Add(id);
  int64_t held = 0;
  int64_t emitted = 0;
  int64_t none = 1;
  Check(calls_.FindSite(kMany, &held));
  Check(calls_.FindSite(1, &emitted));
  Check(calls_.FindSite(kMany + 1, &none));
  EXPECT_EQ(none, 0);
  EXPECT_EQ(Ask("SELECT count(*) FROM rtl_call_site WHERE tid = 1001 AND id IN (" +
                std::to_string(held) + ", " + std::to_string(emitted) + ")"),
            Rows{"1"});
}

}  // namespace
}  // namespace rtl::store
