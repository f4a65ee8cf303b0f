// SPDX-License-Identifier: MIT
#include "trace/read/texts.h"

#include <gtest/gtest.h>

#include "trace/read/query_test_support.h"

namespace rtl::query {
namespace {

class SomeTexts : public testing::Test {
 protected:
  void Make(const std::string& rows) {
    ExecuteSql(path_, "CREATE TABLE rocpd_string (id INTEGER PRIMARY KEY, string TEXT);" + rows);
    ExpectOk(database_.Open(path_));
    ExpectOk(texts_.Prepare(database_));
  }
  std::string Find(int64_t id) {
    std::string_view text;
    ExpectOk(texts_.Find(id, &text));
    return std::string(text);
  }

  test::TempDir directory_;
  std::string path_ = directory_.File("some.db");
  TraceDatabase database_;
  Texts texts_;
};

TEST_F(SomeTexts, AreFoundByTheirIdsInAnyOrder) {
  Make("INSERT INTO rocpd_string VALUES (1, 'gemm'), (2, 'copy'), (-3, 'odd')");
  EXPECT_EQ(Find(2), "copy");
  EXPECT_EQ(Find(1), "gemm");
  EXPECT_EQ(Find(2), "copy");
  EXPECT_EQ(Find(-3), "odd");
  EXPECT_EQ(Find(4), "") << "no such text";
  EXPECT_EQ(Find(4), "");
}

TEST_F(SomeTexts, AreKeptUpToALimit) {
  constexpr int64_t kTexts = 40;
  constexpr size_t kBytes = 1u << 20;
  Make(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)"
      " INSERT INTO rocpd_string SELECT i, printf('%.*c', 1048576, char(64 + i)) FROM n");
  for (int64_t id = 1; id <= kTexts; ++id) {
    EXPECT_EQ(Find(id), std::string(kBytes, static_cast<char>('@' + id)));
    EXPECT_LE(texts_.bytes(), Texts::kMostBytes + kBytes);
    EXPECT_GE(texts_.bytes(), kBytes);
  }
  EXPECT_EQ(Find(1), std::string(kBytes, 'A')) << "read again";
}

}  // namespace
}  // namespace rtl::query
