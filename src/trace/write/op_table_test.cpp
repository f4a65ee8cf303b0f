// SPDX-License-Identifier: MIT
#include "trace/write/op_table.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/temp_dir.h"
#include "trace/schema/schema.h"
#include "trace/schema/store_test_support.h"

namespace rtl::store {
namespace {

class OpTableTest : public testing::Test {
 protected:
  void SetUp() override {
    Check(database_.Open(path_, path_));
    Check(database_.Execute("BEGIN"));
    Check(database_.Execute(SchemaSql().c_str()));
    Check(bulk_.Begin(&database_, path_));
    Check(table_.Prepare(database_, &bulk_));
  }
  void Check(const Status& status) { ASSERT_TRUE(status.ok()) << status.message(); }
  void Add(const OpRow& row) { Check(table_.Add(row)); }
  Rows Ask(const std::string& sql) {
    if (!finished_) {
      finished_ = true;
      Check(bulk_.Finish());
      Check(database_.Execute("COMMIT"));
      database_.Close();
    }
    return store::Ask(path_, sql);
  }

  static OpRow Kernel(int64_t number) {
    OpRow row;
    row.is_kernel = true;
    row.sequence = number;
    row.packet = number - 1;
    row.opened = 1'000'000'000'000'000;  // eleven days after boot
    row.submit = row.opened + number * 5000;
    row.start = row.submit + 7000;
    row.end = row.start + 3000;
    row.op_type = 1;
    row.description = row.kernel = 4;
    row.process = 2;
    row.pid = 1000;
    row.tid = 1001;
    row.queue = 3;
    row.grid[0] = 256;
    return row;
  }
  static OpRow Marker(int64_t number) {
    OpRow row;
    row.is_marker = true;
    row.gpu = -1;
    row.start = row.end = number;
    row.description = 100 + number;
    row.roctx = 7;
    row.op_type = 5;
    return row;
  }

  test::TempDir dir_;
  std::string path_ = dir_.File("trace.db");
  Database database_;
  BulkTables bulk_;
  OpTable table_;
  bool finished_ = false;
};

constexpr char kNumbers[] =
    "SELECT id, sequenceId, packet, start - 1000000000000000, end - start, start - submit,"
    " correlation_id, roctxId, description_id FROM rocpd_op ORDER BY id";

TEST_F(OpTableTest, StoresTheCommonPartOfKernelsOnce) {
  for (int64_t i = 1; i <= 3; ++i) Add(Kernel(i));
  OpRow other = Kernel(4);
  other.grid[0] = 512;
  other.correlation = 9;
  Add(other);
  EXPECT_EQ(Ask(kNumbers), (Rows{"1|1|0|12000|3000|7000|0|0|4", "2|2|1|17000|3000|7000|0|0|4",
                                 "3|3|2|22000|3000|7000|0|0|4", "4|4|3|27000|3000|7000|9|0|4"}));
  EXPECT_EQ(Ask("SELECT id, gridX FROM rtl_launch"), (Rows{"1|256", "2|512"}));
}

TEST_F(OpTableTest, KeepsNumbersThatDoNotFollowTheOrderOfStoring) {
  for (const int64_t number : {500, 3, 70'000, 1}) {
    OpRow row = Kernel(number);
    row.packet = 100'000 - number;
    Add(row);
  }
  EXPECT_EQ(Ask("SELECT sequenceId, packet FROM rocpd_op ORDER BY id"),
            (Rows{"500|99500", "3|99997", "70000|30000", "1|99999"}));
}

TEST_F(OpTableTest, GivesEachMarkerItsOwnTextAndRange) {
  Add(Kernel(1));
  Add(Marker(1));
  Add(Marker(2));
  EXPECT_EQ(Ask("SELECT id, sequenceId, packet, submit, start, end, correlation_id, roctxId,"
                " description_id FROM rocpd_op WHERE gpuId = -1 ORDER BY id"),
            (Rows{"2|0|0|0|1|1|0|7|101", "3|0|0|0|2|2|0|7|102"}));
  EXPECT_EQ(Ask("SELECT count(*) FROM rtl_launch"), Rows{"2"});
}

TEST_F(OpTableTest, StoresAnUnknownTimeOfSubmissionAsZero) {
  OpRow row = Kernel(1);
  row.submit = 0;
  Add(row);
  EXPECT_EQ(Ask("SELECT submit, end - start FROM rocpd_op"), Rows{"0|3000"});
}

TEST_F(OpTableTest, KeepsImpossibleNumbersOutOfOtherColumns) {
  OpRow row = Kernel(1);
  row.sequence = row.packet = INT64_MAX;
  row.submit = INT64_MIN;
  row.opened = INT64_MIN;
  Add(row);
  row.sequence = row.packet = INT64_MIN;
  row.end = INT64_MAX;
  Add(row);
  EXPECT_EQ(
      Ask("SELECT typeof(sequenceId), typeof(packet), submit, start, typeof(end) FROM rocpd_op"),
      (Rows{"integer|integer|0|1000000000012000|integer",
            "integer|integer|0|1000000000012000|integer"}));
}

TEST_F(OpTableTest, TimesTakeFourBytesHoweverLongTheProgramRuns) {
  constexpr int64_t kKernels = 10000;
  int64_t sum = 0;
  for (int64_t number = 1; number <= kKernels; ++number) {
    OpRow row = Kernel(number);
    row.start = row.opened + number * 1'000'000;  // ten seconds
    row.end = row.start + 3000;
    row.submit = row.start - 7000;
    sum += row.start - row.opened;
    Add(row);
  }
  EXPECT_EQ(Ask("SELECT count(*), sum(start - 1000000000000000), min(end - start), max(start -"
                " submit), min(sequenceId), max(sequenceId), max(packet) FROM rocpd_op"),
            Rows{"10000|" + std::to_string(sum) + "|3000|7000|1|10000|9999"});
  EXPECT_EQ(Ask("SELECT max(start) < 1 << 31, min(start) FROM rtl_op"), Rows{"1|0"});
  EXPECT_EQ(Ask("SELECT count(*) FROM rtl_launch"), Rows{"5"});
}

TEST_F(OpTableTest, ForgetsLaunchesWhenThereAreTooMany) {
  const auto most = static_cast<int64_t>(OpTable::kMaxLaunches);
  for (int64_t i = 0; i <= most; ++i) {
    OpRow row = Kernel(i + 1);
    row.grid[0] = static_cast<uint32_t>(i);
    Add(row);
  }
  OpRow first = Kernel(most + 2);
  first.grid[0] = 0;
  Add(first);
  EXPECT_EQ(Ask("SELECT count(*), count(DISTINCT gridX) FROM rtl_launch"),
            Rows{std::to_string(most + 2) + "|" + std::to_string(most + 1)});
  EXPECT_EQ(Ask("SELECT count(*), sum(gridX), max(sequenceId) FROM rocpd_op"),
            Rows{std::to_string(most + 2) + "|" + std::to_string(most * (most + 1) / 2) + "|" +
                 std::to_string(most + 2)});
}

TEST_F(OpTableTest, AKernelTakesAThirdOfAWholeRow) {
  constexpr int64_t kKernels = 50'000;
  for (int64_t i = 1; i <= kKernels; ++i) Add(Kernel(i));
  EXPECT_EQ(Ask("SELECT count(*) FROM rocpd_op"), Rows{std::to_string(kKernels)});
  EXPECT_LT(std::filesystem::file_size(path_), 33u * kKernels);
}

// As docs/formats/database.md says.
TEST_F(OpTableTest, TheViewCanBecomeATable) {
  for (int64_t i = 1; i <= 3; ++i) Add(Kernel(i));
  Add(Marker(1));
  const Rows before = Ask("SELECT * FROM rocpd_op");
  Database changed;
  Check(changed.Open(path_, path_));
  Check(
      changed.Execute("CREATE TEMP TABLE wide AS SELECT * FROM rocpd_op; DROP VIEW rocpd_op;"
                      "CREATE TABLE rocpd_op AS SELECT * FROM wide;"
                      "ALTER TABLE rocpd_op ADD COLUMN more"));
  changed.Close();
  const Rows after = Ask("SELECT * FROM rocpd_op");
  ASSERT_EQ(after.size(), before.size());
  for (size_t i = 0; i < before.size(); ++i) EXPECT_EQ(after[i], before[i] + "|NULL");
}

}  // namespace
}  // namespace rtl::store
