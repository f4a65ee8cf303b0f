// SPDX-License-Identifier: MIT
#include "tables/table_reader.h"

#include <gtest/gtest.h>

#include <map>

#include "tables/columns.h"
#include "tables/name_id.h"
#include "tables/steps.h"
#include "tests/support/temp_dir.h"
#include "trace/read/query_test_support.h"

namespace rtl::tables {
namespace {

// A table, as texts: NULL is "-".
using Rows = std::vector<std::vector<std::string>>;

std::string TextOf(const ColumnValues& column, size_t row) {
  if (column.IsNull(row)) return "-";
  switch (column.type) {
    case ColumnType::kInteger:
      return std::to_string(column.integers()[row]);
    case ColumnType::kReal:
      return std::to_string(column.reals()[row]);
    case ColumnType::kName:
      return std::string((*column.texts)[static_cast<size_t>(column.keys()[row])]);
    case ColumnType::kText:
      return std::string((*column.texts)[row]);
  }
  return "?";
}

Rows Read(const std::string& path, const char* table, const TableRequest& request) {
  const auto trace = query::OpenTrace(path);
  std::unique_ptr<TableReader> reader;
  query::ExpectOk(TableReader::Open(*trace, *FindTable(table), request, &reader));
  Rows rows;
  while (reader != nullptr) {
    Batch batch;
    query::ExpectOk(reader->Next(&batch));
    if (batch.rows == 0) break;
    for (size_t row = 0; row < batch.rows; ++row) {
      std::vector<std::string>& out = rows.emplace_back();
      for (const ColumnValues& column : batch.columns) out.push_back(TextOf(column, row));
    }
  }
  return rows;
}

std::string ErrorOf(const std::string& path, const char* table, const TableRequest& request) {
  const auto trace = query::OpenTrace(path);
  std::unique_ptr<TableReader> reader;
  return TableReader::Open(*trace, *FindTable(table), request, &reader).message();
}

class Tables_ : public testing::Test {
 protected:
  Tables_() : trace_(path_) {
    trace_.Rank(3, 8);
    trace_.Queue(0);
    trace_.Queue(1);
    trace_.Kernel("_Z4gemmPf");
    trace_.Kernel("ncclDevKernel_AllReduce");
  }

  test::TempDir directory_;
  std::string path_ = directory_.path() + "/t.db";
  query::TestTrace trace_;
};

TEST(Columns, HaveNamesThatEveryEngineReads) {
  for (const Table& table : Tables()) {
    std::map<std::string, int> seen;
    EXPECT_LE(table.columns.size(), kMostColumns) << table.name;
    for (const Column& column : table.columns) {
      const std::string name = column.name;
      EXPECT_EQ(seen[name]++, 0) << table.name << "." << name;
      EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string::npos) << name;
      EXPECT_NE(name, "end");
      EXPECT_STRNE(column.text, "") << name;
    }
    EXPECT_EQ(seen.count("rank") + seen.count("host"), 2u) << table.name;
  }
}

TEST(NameIds, AreTheFirstBytesOfTheSha256) {
  EXPECT_EQ(static_cast<uint64_t>(NameId("")), 0xe3b0c44298fc1c14u);
  EXPECT_EQ(static_cast<uint64_t>(NameId("abc")), 0xba7816bf8f01cfeau);
  EXPECT_EQ(
      static_cast<uint64_t>(NameId("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
      0x248d6a61d20638b8u);
}

TEST(StepNumbers, ComeAfterTheWord) {
  EXPECT_EQ(StepNumber("step 7"), 7);
  EXPECT_EQ(StepNumber("ProfilerStep#12"), 12);
  EXPECT_EQ(StepNumber("train_step_3"), 3);
  EXPECT_EQ(StepNumber("Iteration: 0"), 0);
  EXPECT_EQ(StepNumber("stepping stone 4"), std::nullopt);
  EXPECT_EQ(StepNumber("batch 32"), std::nullopt);
  EXPECT_EQ(StepNumber("step"), std::nullopt);
  EXPECT_EQ(StepNumber("step 99999999999999999999"), std::nullopt);
}

TEST_F(Tables_, KernelsHaveWhatWasRecorded) {
  trace_.Push(7, 90, "step 7");
  trace_.Add({.kernel = 1,
              .queue = 1,
              .tid = 7,
              .submit = 100,
              .start = 150,
              .end = 250,
              .correlation = 5});
  trace_.Add({.kernel = 2, .queue = 1, .tid = 7, .submit = 110, .start = 260, .end = 300});
  trace_.Pop(7, 120);
  trace_.Add({.kernel = 2, .queue = 2, .tid = 8, .submit = 130, .start = 270, .end = 280});
  trace_.AddUnsubmitted({.kernel = 1, .queue = 2, .tid = 8, .start = 300, .end = 310});
  trace_.Finish();
  const Rows rows = Read(path_, "kernels",
                         {.columns = {"name", "rank", "tid", "kind", "step", "collective", "start",
                                      "duration", "submit", "correlation", "lds", "graph"}});
  const Rows expected = {
      {"gemm(float*)", "3", "7", "compute", "7", "-", "150", "100", "100", "5", "512", "-"},
      {"ncclDevKernel_AllReduce", "3", "7", "communication", "7", "0", "260", "40", "110", "-",
       "512", "-"},
      {"ncclDevKernel_AllReduce", "3", "8", "communication", "-", "0", "270", "10", "130", "-",
       "512", "-"},
      {"gemm(float*)", "3", "8", "compute", "-", "-", "300", "10", "-", "-", "0", "-"}};
  EXPECT_EQ(rows, expected);
}

TEST_F(Tables_, AreSelected) {
  trace_.Push(7, 90, "step 7");
  trace_.Add({.kernel = 1, .queue = 1, .tid = 7, .start = 95, .end = 100});
  trace_.Pop(7, 120);
  trace_.Add({.kernel = 2, .queue = 1, .tid = 7, .start = 150, .end = 250});
  trace_.Add({.kernel = 1, .queue = 2, .tid = 8, .start = 270, .end = 280});
  trace_.Finish();
  const auto starts = [&](const TableRequest& request) {
    TableRequest with = request;
    with.columns = {"start"};
    return Read(path_, "kernels", with);
  };
  EXPECT_EQ(starts({.name = "gemm*"}), (Rows{{"95"}, {"270"}}));
  EXPECT_EQ(starts({.name = "*Reduce"}), (Rows{{"150"}}));
  EXPECT_EQ(starts({.name = "nothing"}), Rows());
  EXPECT_EQ(starts({.selection = {.range = "step 7"}}), (Rows{{"95"}}));
  EXPECT_EQ(starts({.selection = {.gpu = 1}}), (Rows{{"270"}}));
  EXPECT_EQ(starts({.selection = {.rank = 3}}).size(), 3u);
  EXPECT_NE(ErrorOf(path_, "kernels", {.selection = {.rank = 4}}).find("rank 4"),
            std::string::npos);
  EXPECT_NE(ErrorOf(path_, "kernels", {.columns = {"end"}}).find("no column end"),
            std::string::npos);
  EXPECT_NE(ErrorOf(path_, "kernels", {.columns = {"id", "id"}}).find("twice"), std::string::npos);
  EXPECT_NE(ErrorOf(path_, "losses", {.selection = {.range = "step 7"}}).find("by rank only"),
            std::string::npos);
}

TEST_F(Tables_, OrdinalsOfCollectivesDoNotDependOnTheSelection) {
  for (uint64_t i = 0; i < 4; ++i) {
    trace_.Add({.kernel = 2, .queue = 1, .start = 100 + 10 * i, .end = 105 + 10 * i});
  }
  trace_.Finish();
  const Rows rows =
      Read(path_, "kernels", {.columns = {"collective"}, .selection = {.from = 110, .to = 130}});
  EXPECT_EQ(rows, (Rows{{"2"}, {"3"}})) << "times count from the start of the process, at 10";
}

TEST_F(Tables_, EveryTableOpensWithAllItsColumns) {
  trace_.Add({.kernel = 1, .queue = 1, .start = 95, .end = 100});
  trace_.Counter(1, "SQ_WAVES", 3);
  trace_.Counter(1, "SQ_WAVES", 2.0);
  trace_.Counter(1, "GRBM_COUNT", 7);
  trace_.Mark(7, 96, "here");
  trace_.Name(Named::kThreadInKernel, 7, 97, "loader");
  trace_.Name(Named::kThreadInKernel, 8, 97, "pool");
  trace_.Name(Named::kThread, 8, 98, "by roctx");
  trace_.Name(Named::kThreadInKernel, 8, 99, "pool-1");
  CopyRecord copy = {};
  copy.head = {RecordType::kCopy, 0, 7};
  copy.start = 200;
  copy.end = 230;
  copy.bytes = 64;
  trace_.Copy(copy);
  trace_.Call("hipSetDevice", {1}, {.start = 80, .end = 90, .correlation = 1});
  trace_.Finish();
  for (const Table& table : Tables()) {
    for (const std::vector<std::string>& row : Read(path_, table.name, {})) {
      EXPECT_EQ(row.size(), table.columns.size()) << table.name;
    }
  }
  EXPECT_EQ(Read(path_, "counters", {.columns = {"sequence", "value", "rank"}}).size(), 2u);
  EXPECT_EQ(Read(path_, "counters", {.columns = {"value"}, .name = "SQ_*"}), (Rows{{"5.000000"}}));
  EXPECT_EQ(Read(path_, "ranges", {.columns = {"name", "kind", "start", "duration"}}),
            (Rows{{"here", "mark", "96", "0"}}));
  EXPECT_EQ(Read(path_, "calls", {.columns = {"api", "name", "duration", "result"}}),
            (Rows{{"hip", "hipSetDevice", "10", "0"}}));
  EXPECT_EQ(Read(path_, "copies", {.columns = {"start", "duration", "bytes"}}),
            (Rows{{"200", "30", "64"}}));
  EXPECT_EQ(Read(path_, "gpus", {.columns = {"gpu", "name"}}),
            (Rows{{"0", "gfx906"}, {"1", "gfx906"}}));
  EXPECT_EQ(Read(path_, "processes", {.columns = {"pid", "rank", "world"}}),
            (Rows{{"1000", "3", "8"}}));
  EXPECT_EQ(Read(path_, "threads", {.columns = {"pid", "tid", "name"}}),
            (Rows{{"1000", "7", "loader"}, {"1000", "8", "by roctx"}}));
}

TEST(Batches, KeepTheirRowsApart) {
  ColumnBuilder column(ColumnType::kInteger);
  column.Set(0, 5);
  column.Set(1, 5);
  const ColumnValues equal = column.Finish(2);
  column.Set(1, 6);  // the first row has no value
  column.Set(3, 7);
  const ColumnValues some = column.Finish(5);
  const ColumnValues none = column.Finish(3);
  column.Set(0, 5);
  const ColumnValues one = column.Finish(2);
  EXPECT_EQ(equal.nulls, 0u);
  EXPECT_EQ(equal.integers()[1], 5);
  EXPECT_EQ(some.nulls, 3u);
  EXPECT_TRUE(some.IsNull(0) && some.IsNull(2) && some.IsNull(4));
  EXPECT_EQ(some.integers()[1] * 10 + some.integers()[3], 67);
  EXPECT_EQ(some.integers()[0], 0) << "no memory of others in a missing value";
  EXPECT_EQ(none.nulls, 3u);
  EXPECT_TRUE(none.IsNull(2));
  EXPECT_FALSE(one.IsNull(0));
  EXPECT_TRUE(one.IsNull(1));
}

TEST(Batches, BeginLargeDictionariesAnew) {
  Dictionary names;
  for (int i = 0; i < 65536; ++i) EXPECT_EQ(names.Key("name " + std::to_string(i)), i);
  const auto texts = names.Texts();
  EXPECT_TRUE(names.Trim());
  EXPECT_EQ(names.Key("other"), 0);
  EXPECT_EQ((*texts)[65535], "name 65535");
  EXPECT_FALSE(names.Trim());
}

}  // namespace
}  // namespace rtl::tables
