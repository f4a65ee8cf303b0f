// SPDX-License-Identifier: MIT
#include "trace/read/calls_by_number.h"

#include <gtest/gtest.h>

#include "trace/read/query_test_support.h"

namespace rtl::query {
namespace {

class SomeCalls : public testing::Test {
 protected:
  // What these functions read of a trace, whatever its version: two calls of process 1, of which
  // the first works on a stream, and one of process 2.
  SomeCalls() {
    ExecuteSql(path_,
               "CREATE TABLE rocpd_api (id INTEGER PRIMARY KEY, correlation_id, stream, start);"
               "CREATE TABLE rocpd_api_ops (api_id, op_id);"
               "INSERT INTO rocpd_api VALUES (4, 4, 32, 500), (9, 9, NULL, 700),"
               " ((1 << 40) + 5, 5, 48, 900)");
  }
  void Open() { ExpectOk(database_.Open(path_)); }

  test::TempDir directory_;
  std::string path_ = directory_.File("some.db");
  TraceDatabase database_;
  CallsByNumber calls_{&database_};
};

TEST_F(SomeCalls, HaveALastNumber) {
  Open();
  uint64_t number = 0;
  ExpectOk(calls_.Last(&number));
  EXPECT_EQ(number, (uint64_t{1} << 40) + 5);
  ExpectOk(calls_.LastCorrelation(&number));
  EXPECT_EQ(number, 9u);
}

TEST_F(SomeCalls, HaveNoLastNumberWhereThereAreNone) {
  ExecuteSql(path_, "DELETE FROM rocpd_api");
  Open();
  uint64_t number = 1;
  ExpectOk(calls_.Last(&number));
  EXPECT_EQ(number, 0u);
  number = 1;
  ExpectOk(calls_.LastCorrelation(&number));
  EXPECT_EQ(number, 0u);
}

TEST_F(SomeCalls, HaveTheirStreams) {
  Open();
  StreamUse use;
  bool found = false;
  ExpectOk(calls_.StreamOf(2, 5, &use, &found));
  ASSERT_TRUE(found);
  EXPECT_EQ(use.handle, 48u);
  EXPECT_EQ(use.time, 900u);
  ExpectOk(calls_.StreamOf(1, 9, &use, &found));
  EXPECT_FALSE(found) << "it works on none";
  ExpectOk(calls_.StreamOf(1, 5, &use, &found));
  EXPECT_FALSE(found) << "of another process";
  ExpectOk(calls_.StreamOf(1, 4, &use, &found));
  ASSERT_TRUE(found);
  EXPECT_EQ(use.handle, 32u);
}

TEST_F(SomeCalls, AreCountedWithTheirWork) {
  constexpr int64_t kFar = int64_t{1} << 39;  // no file has room for a byte for each number below
  ExecuteSql(path_,
             "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)"
             " INSERT INTO rocpd_api_ops SELECT 4, i FROM n;"
             "INSERT INTO rocpd_api_ops VALUES (9, 301), (-1, 302), ((1 << 40) + 5, 303),"
             " (1 << 39, 304), (1 << 39, 305)");
  Open();
  WorkOfCalls work;
  ExpectOk(calls_.Works(&work));
  EXPECT_EQ(work.Of(4), 300u);
  EXPECT_EQ(work.Of(9), 1u);
  EXPECT_EQ(work.Of(5), 0u);
  EXPECT_EQ(work.Of((int64_t{1} << 40) + 5), 1u);
  EXPECT_EQ(work.many.at(kFar), 2u);
}

}  // namespace
}  // namespace rtl::query
