// SPDX-License-Identifier: MIT
#include "trace/read/row_sorter.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <random>
#include <vector>

#include "tests/support/small_disk.h"
#include "tests/support/temp_dir.h"

namespace rtl::query {
namespace {

struct TestRow {
  SortKey key;
  int64_t value = 0;
};

class VectorSource {
 public:
  using Row = TestRow;

  VectorSource() = default;
  explicit VectorSource(const std::vector<TestRow>* rows) : rows_(rows) {}
  void StopAt(size_t row) { stop_at_ = row; }
  void CancelBy(const bool* cancel) { cancel_ = cancel; }
  Status CheckCancel() const {
    return cancel_ != nullptr && *cancel_ ? Status::Error("cancelled") : Status::Ok();
  }
  void Rewind() { next_ = 0; }
  Status Next(TestRow* row, bool* has_row) {
    if (steps_++ == stop_at_) return Status::Error("stopped");
    *has_row = next_ < rows_->size();
    if (*has_row) *row = (*rows_)[next_++];
    return Status::Ok();
  }

 private:
  const std::vector<TestRow>* rows_ = nullptr;
  size_t next_ = 0;
  size_t steps_ = 0;
  size_t stop_at_ = SIZE_MAX;
  const bool* cancel_ = nullptr;
};

constexpr SortLimits kFewRows = {.block = 16, .run = 100, .merged = 300};

class RowSorterTest : public testing::Test {
 protected:
  void Add(int64_t time, int64_t then = 0) {
    const auto id = static_cast<int64_t>(rows_.size() + 1);
    rows_.push_back({{time, then, id}, id * 10});
  }
  // The order is that of SQL's ORDER BY: rows with equal keys keep the order of their ids.
  void ExpectInOrder(size_t runs) {
    RowSorter<VectorSource> sorter(kFewRows);
    ASSERT_TRUE(sorter.Open(VectorSource(&rows_), "trace.db").ok());
    EXPECT_EQ(sorter.runs(), runs);
    std::vector<TestRow> expected = rows_;
    std::stable_sort(expected.begin(), expected.end(), [](const TestRow& a, const TestRow& b) {
      return std::pair(a.key.time, a.key.then) < std::pair(b.key.time, b.key.then);
    });
    for (const TestRow& each : expected) {
      TestRow row;
      bool has_row = false;
      ASSERT_TRUE(sorter.Next(&row, &has_row).ok());
      ASSERT_TRUE(has_row);
      ASSERT_EQ(row.key, each.key);
      ASSERT_EQ(row.value, each.value);
    }
    TestRow row;
    for (int time = 0; time < 2; ++time) {
      bool has_row = true;
      EXPECT_TRUE(sorter.Next(&row, &has_row).ok());
      EXPECT_FALSE(has_row);
    }
  }

  std::vector<TestRow> rows_;
};

TEST_F(RowSorterTest, HandsOutNothingOfNothing) {
  ExpectInOrder(0);
  RowSorter<VectorSource> unopened;
  TestRow row;
  bool has_row = true;
  EXPECT_TRUE(unopened.Next(&row, &has_row).ok());
  EXPECT_FALSE(has_row);
}

TEST_F(RowSorterTest, SortsFewRowsInMemory) {
  for (const int64_t time : {5, 3, 9, 3, -1, 3}) Add(time, -time);
  ExpectInOrder(0);
}

TEST_F(RowSorterTest, HandsOnRowsThatAreInOrder) {
  for (int64_t i = 0; i < 5000; ++i) Add(i / 3);
  ExpectInOrder(0);
}

TEST_F(RowSorterTest, NeedsNoFileForLocalDisorder) {
  std::mt19937_64 dice(3);
  for (int64_t i = 0; i < 5000; ++i) Add(i / 2 + static_cast<int64_t>(dice() % 8));
  ExpectInOrder(0);
}

TEST_F(RowSorterTest, NeedsNoFileForFewLateRows) {
  std::mt19937_64 dice(4);
  for (int64_t i = 0; i < 5000; ++i) {
    Add(dice() % 60 == 0 ? static_cast<int64_t>(dice() % 5000) % (i + 1) : i);
  }
  ExpectInOrder(0);
}

TEST_F(RowSorterTest, SortsWhatComesAfterARowOfALaterTime) {
  for (int64_t i = 0; i < 5000; ++i) Add(i == 40 ? 9999 : i);
  ExpectInOrder(50);
}

TEST_F(RowSorterTest, SortsRowsThatComeInReverse) {
  for (int64_t i = 0; i < 5000; ++i) Add(5000 - i);
  ExpectInOrder(50);
}

TEST_F(RowSorterTest, SortsRowsInAnyOrder) {
  std::mt19937_64 dice(5);
  for (int64_t i = 0; i < 30000; ++i) {
    Add(static_cast<int64_t>(dice() % 900), -static_cast<int64_t>(dice() % 3));
  }
  ExpectInOrder(300);
}

TEST_F(RowSorterTest, SortsOrdersOfEveryKind) {
  std::mt19937_64 dice(6);
  for (int round = 0; round < 400; ++round) {
    rows_.clear();
    const int64_t count = static_cast<int64_t>(dice() % 200);
    const uint64_t width = 1 + dice() % 60;
    for (int64_t i = 0; i < count; ++i) {
      Add(i * static_cast<int64_t>(dice() % 2) + static_cast<int64_t>(dice() % width));
    }
    size_t runs = 0;
    RowSorter<VectorSource> sorter(kFewRows);
    ASSERT_TRUE(sorter.Open(VectorSource(&rows_), "trace.db").ok());
    runs = sorter.runs();
    ExpectInOrder(runs);
  }
}

class RowSorterFile : public RowSorterTest {
 protected:
  RowSorterFile() {
    setenv("SQLITE_TMPDIR", directory_.path().c_str(), 1);
    for (int64_t i = 0; i < 5000; ++i) Add(5000 - i);
  }
  ~RowSorterFile() override { unsetenv("SQLITE_TMPDIR"); }

  test::TempDir directory_;
};

TEST_F(RowSorterFile, HasNoName) {
  RowSorter<VectorSource> sorter(kFewRows);
  ASSERT_TRUE(sorter.Open(VectorSource(&rows_), "trace.db").ok());
  EXPECT_GT(sorter.runs(), 0u);
  EXPECT_EQ(directory_.Count(), 0u);
}

TEST_F(RowSorterFile, MayNotFitOnItsDisk) {
  const test::SmallDisk disk(directory_.path(), "size=64k");
  if (!disk.mounted()) GTEST_SKIP() << "no right to mount";
  RowSorter<VectorSource> sorter(kFewRows);
  EXPECT_STREQ(sorter.Open(VectorSource(&rows_), "trace.db").message(),
               "trace.db: no room for temporary files while sorting; set TMPDIR");
}

TEST_F(RowSorterTest, ReturnsTheErrorsOfItsSource) {
  std::mt19937_64 dice(8);
  for (int64_t i = 0; i < 1000; ++i) Add(i + static_cast<int64_t>(dice() % 8));
  for (const size_t stop : {size_t{0}, size_t{500}, size_t{1500}}) {
    VectorSource source(&rows_);
    source.StopAt(stop);
    RowSorter<VectorSource> sorter(kFewRows);
    Status status = sorter.Open(source, "trace.db");
    TestRow row;
    for (bool has_row = true; status.ok() && has_row;) status = sorter.Next(&row, &has_row);
    EXPECT_STREQ(status.message(), "stopped");
  }
}

TEST_F(RowSorterTest, StopsWhileItHandsOutLateRows) {
  for (int64_t i = 0; i < 5000; ++i) Add(5000 - i);
  bool cancel = false;
  VectorSource source(&rows_);
  source.CancelBy(&cancel);
  RowSorter<VectorSource> sorter(kFewRows);
  ASSERT_TRUE(sorter.Open(source, "trace.db").ok());
  TestRow row;
  bool has_row = false;
  ASSERT_TRUE(sorter.Next(&row, &has_row).ok());
  cancel = true;
  Status status = Status::Ok();
  while (status.ok() && has_row) status = sorter.Next(&row, &has_row);
  EXPECT_STREQ(status.message(), "cancelled");
}

}  // namespace
}  // namespace rtl::query
