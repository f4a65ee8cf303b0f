// SPDX-License-Identifier: MIT
#include "trace/read/trace_database.h"

#include <gtest/gtest.h>

#include "trace/read/error.h"
#include "trace/read/query_test_support.h"

namespace rtl::query {
namespace {

class ADatabase : public testing::Test {
 protected:
  void Make(const std::string& sql) {
    ExecuteSql(path_, sql);
    ExpectOk(database_.Open(path_));
  }

  test::TempDir directory_;
  std::string path_ = directory_.File("some.db");
  TraceDatabase database_;
};

TEST_F(ADatabase, KnowsItsTablesViewsAndColumns) {
  Make("CREATE TABLE wheel (id INTEGER, width INTEGER); CREATE VIEW wide AS SELECT id FROM wheel");
  for (const auto& [name, expected] :
       {std::pair("wheel", true), std::pair("wide", true), std::pair("axle", false)}) {
    bool is_there = !expected;
    ExpectOk(database_.HasTable(name, &is_there));
    EXPECT_EQ(is_there, expected) << name;
  }
  bool is_there = false;
  ExpectOk(database_.HasColumn("wheel", "width", &is_there));
  EXPECT_TRUE(is_there);
  ExpectOk(database_.HasColumn("wheel", "weight", &is_there));
  EXPECT_FALSE(is_there);
  ExpectOk(database_.HasColumn("axle", "width", &is_there));
  EXPECT_FALSE(is_there);
}

TEST_F(ADatabase, GivesOneNumberOrZero) {
  Make("CREATE TABLE wheel (id INTEGER); INSERT INTO wheel VALUES (7), (3)");
  uint64_t number = 1;
  ExpectOk(database_.Number("SELECT max(id) FROM wheel", &number));
  EXPECT_EQ(number, 7u);
  ExpectOk(database_.Number("SELECT max(id) FROM wheel WHERE id > 7", &number));
  EXPECT_EQ(number, 0u) << "NULL";
  number = 1;
  ExpectOk(database_.Number("SELECT id FROM wheel WHERE id > 7", &number));
  EXPECT_EQ(number, 0u) << "no row";
}

TEST_F(ADatabase, HandsOverEachRowInOrder) {
  Make("CREATE TABLE wheel (id INTEGER); INSERT INTO wheel VALUES (7), (3)");
  std::vector<int64_t> ids;
  ExpectOk(database_.ReadRows("SELECT id FROM wheel ORDER BY id",
                              [&](const Statement& row) { ids.push_back(row.Int(0)); }));
  EXPECT_EQ(ids, (std::vector<int64_t>{3, 7}));
}

TEST_F(ADatabase, IsNamedInErrorsAsItIsShown) {
  Make("CREATE TABLE wheel (id INTEGER)");
  database_.ShowAs("other.json");
  EXPECT_EQ(database_.shown(), "other.json");
  EXPECT_EQ(database_.file().path, path_);
  uint64_t number = 0;
  const Status status = database_.Number("SELECT id FROM axle", &number);
  EXPECT_EQ(std::string(status.message()).substr(0, 12), "other.json: ");
}

TEST_F(ADatabase, StopsReadingOnCancellation) {
  Make("CREATE TABLE wheel (id INTEGER)");
  constexpr char kLong[] =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)"
      " SELECT count(*) FROM n";
  std::atomic<bool> cancel{true};
  database_.SetCancel(&cancel);
  uint64_t number = 0;
  EXPECT_TRUE(WasCancelled(database_.Number(kLong, &number)));
  database_.SetCancel(nullptr);
  ExpectOk(database_.Number(kLong, &number));
  EXPECT_EQ(number, 1'000'000u);
}

}  // namespace
}  // namespace rtl::query
