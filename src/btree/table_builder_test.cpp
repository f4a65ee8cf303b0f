// SPDX-License-Identifier: MIT
#include "btree/table_builder.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <array>
#include <map>
#include <random>
#include <string>

#include "btree/format.h"
#include "tests/support/temp_dir.h"

namespace rtl::btree {
namespace {

using Row = std::array<int64_t, 3>;
using Rows = std::map<int64_t, Row>;

// A database of one table `t` with three columns, and of another that SQLite writes in between.
class TableBuilderTest : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    path_ = dir_.File("t.db");
    ASSERT_EQ(sqlite3_open(path_.c_str(), &db_), SQLITE_OK);
    Execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = " +
            std::to_string(GetParam()));
    Execute(
        "CREATE TABLE other (id INTEGER PRIMARY KEY, text TEXT UNIQUE);"
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c)");
    ASSERT_TRUE(file_.Open(path_, "t.db").ok());
    root_ = static_cast<uint32_t>(Number("SELECT rootpage FROM sqlite_schema WHERE name = 't'"));
    Adopt();
  }
  void TearDown() override { sqlite3_close(db_); }

  void Execute(const std::string& sql) {
    char* error = nullptr;
    ASSERT_EQ(sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, &error), SQLITE_OK) << error;
  }
  std::string Text(const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(db_, sql.c_str(), -1, &statement, nullptr), SQLITE_OK)
        << sqlite3_errmsg(db_);
    std::string text;
    if (sqlite3_step(statement) == SQLITE_ROW)
      text = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    return text;
  }
  int64_t Number(const std::string& sql) { return std::stoll(Text(sql)); }
  Rows Read() {
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(db_, "SELECT * FROM t ORDER BY id", -1, &statement, nullptr),
              SQLITE_OK);
    Rows rows;
    while (sqlite3_step(statement) == SQLITE_ROW) {
      Row& row = rows[sqlite3_column_int64(statement, 0)];
      for (int i = 0; i < 3; ++i) {
        const bool null = sqlite3_column_type(statement, 1 + i) == SQLITE_NULL;
        row[static_cast<size_t>(i)] = null ? kNull : sqlite3_column_int64(statement, 1 + i);
      }
    }
    sqlite3_finalize(statement);
    return rows;
  }
  // What SQLite writes while the table is being built.
  void WriteOther() {
    Execute(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 50) "
        "INSERT INTO other (text) SELECT 'text ' || random() || i FROM n");
  }
  void Adopt() {
    ASSERT_TRUE(file_.Begin().ok());
    file_.Forget();
    ASSERT_TRUE(builder_.Adopt(&file_, root_).ok());
    ASSERT_TRUE(file_.End().ok());
  }
  void Write(bool finish, std::vector<int64_t>* twice = nullptr) {
    ASSERT_TRUE(file_.Begin().ok());
    const Status written = finish ? builder_.Finish(&file_, twice) : builder_.Write(&file_, twice);
    ASSERT_TRUE(written.ok()) << written.message();
    ASSERT_TRUE(file_.End(finish).ok());
  }
  void Check(const Rows& rows) {
    EXPECT_EQ(Text("PRAGMA integrity_check"), "ok");
    EXPECT_EQ(Read(), rows);
  }
  static Row MakeRow(int64_t id) { return {id * 3, kNull, id & 1}; }

  test::TempDir dir_;
  std::string path_;
  sqlite3* db_ = nullptr;
  PageFile file_;
  TableBuilder builder_{3};
  uint32_t root_ = 0;
};

INSTANTIATE_TEST_SUITE_P(PageBytes, TableBuilderTest, testing::Values(512, 4096, 16384, 65536));

TEST_P(TableBuilderTest, AnEmptyTableStaysEmpty) {
  Write(true);
  Check({});
}

TEST_P(TableBuilderTest, AFewRowsFitTheRoot) {
  Rows rows;
  for (const int64_t id : {3, 1, 2}) {
    rows[id] = MakeRow(id);
    builder_.Add(id, {id * 3, kNull, id & 1});
  }
  Write(true);
  Check(rows);
  EXPECT_EQ(Number("PRAGMA freelist_count"), 1);  // the leaf that became the root
}

TEST_P(TableBuilderTest, EveryWidthOfNumbersIsKept) {
  Rows rows;
  int64_t id = -5;
  for (int bit = 0; bit < 64; ++bit) {
    for (const int64_t less : {-1, 0, 1}) {
      const auto number = static_cast<int64_t>((uint64_t{1} << bit) + static_cast<uint64_t>(less));
      const auto other = static_cast<int64_t>(-static_cast<uint64_t>(number));
      rows[id] = {number, other, bit};
      builder_.Add(id++, {number, other, bit});
    }
  }
  for (const int64_t far : {INT64_MAX, INT64_MIN}) {
    rows[far] = {1, 2, 3};
    builder_.Add(far, {1, 2, 3});
  }
  Write(true);
  Check(rows);
}

TEST_P(TableBuilderTest, RowsComeInAnyOrderBetweenWritesOfSqlite) {
  std::mt19937_64 random(GetParam());
  Rows rows;
  for (int batch = 0; batch < 12; ++batch) {
    for (int i = 0; i < 3000; ++i) {
      // Mostly in order, of two processes, and some that are late.
      const int64_t process = static_cast<int64_t>(random() % 2) << 40;
      const int64_t late = random() % 50 == 0 ? static_cast<int64_t>(random() % 30000) : 0;
      const int64_t id = std::max<int64_t>(process + batch * 3000 + i - late, 1);
      const Row row = {static_cast<int64_t>(random() >> (random() % 64)), kNull, i};
      if (!rows.emplace(id, row).second) continue;
      builder_.Add(id, {row[0], row[1], row[2]});
    }
    WriteOther();
    Write(false);
  }
  Write(true);
  Check(rows);
  // All but a few pages are nearly full.
  const int64_t pages = Number("PRAGMA page_count");
  EXPECT_LT(pages * GetParam(), static_cast<int64_t>(rows.size()) * 26 * 3 / 2 + 200'000);
}

TEST_P(TableBuilderTest, GoesOnAfterSqliteHasChangedTheTable) {
  Rows rows;
  for (int64_t id = 1; id <= 5000; ++id) {
    rows[id * 2] = MakeRow(id);
    builder_.Add(id * 2, {id * 3, kNull, id & 1});
  }
  Write(true);
  Execute("DELETE FROM t WHERE id BETWEEN 200 AND 4000; INSERT INTO t VALUES (301, 1, 2, 3)");
  rows.erase(rows.lower_bound(200), rows.upper_bound(4000));
  rows[301] = {1, 2, 3};
  Execute("VACUUM");
  Check(rows);
  Adopt();
  Write(true);
  Check(rows);
  Adopt();
  for (int64_t id = 9001; id <= 12000; ++id) {
    if (!rows.emplace(id, MakeRow(id)).second) continue;
    builder_.Add(id, {id * 3, kNull, id & 1});
  }
  Write(true);
  Check(rows);
}

TEST_P(TableBuilderTest, OfRowsWithOneIdTheFirstStays) {
  Rows rows;
  for (int64_t id = 1; id <= 1000; ++id) {
    rows[id] = MakeRow(id);
    builder_.Add(id, {id * 3, kNull, id & 1});
  }
  builder_.Add(500, {7, 7, 7});
  builder_.Add(500, {8, 8, 8});
  std::vector<int64_t> twice;
  Write(false, &twice);
  EXPECT_EQ(twice, (std::vector<int64_t>{500, 500}));
  builder_.Add(77, {9, 9, 9});
  builder_.Add(2000, {9, 9, 9});
  rows[2000] = {9, 9, 9};
  Write(true, &twice);
  EXPECT_EQ(twice, (std::vector<int64_t>{500, 500, 77}));
  Check(rows);
}

TEST_P(TableBuilderTest, FindsRowsBeforeTheyAreInTheTable) {
  for (int64_t id = 1; id <= 9000; ++id) {
    builder_.Add(id * 2, {id * 3, kNull, id & 1});
    if (id == 8000) Write(false);
  }
  for (const int64_t id : {2, 1234, 15998, 18000}) {
    Row row = {};
    bool found = false;
    ASSERT_TRUE(builder_.Find(file_, id, row, &found).ok());
    EXPECT_TRUE(found) << id;
    EXPECT_EQ(row, MakeRow(id / 2));
  }
  for (const int64_t id : {0, 1235, 19000}) {
    Row row = {};
    bool found = true;
    ASSERT_TRUE(builder_.Find(file_, id, row, &found).ok());
    EXPECT_FALSE(found) << id;
  }
}

TEST_P(TableBuilderTest, NeverTakesThePageWithTheByteThatSqliteLocks) {
  ASSERT_TRUE(file_.Begin().ok());
  const auto lock = static_cast<uint32_t>(0x40000000 / GetParam() + 1);
  uint32_t page = 0;
  while (page < lock) page = file_.Take();
  EXPECT_EQ(page, lock + 1);
}

TEST_P(TableBuilderTest, ADamagedTreeIsRefused) {
  for (int64_t id = 1; id <= 20000; ++id) builder_.Add(id, {id, id, id});
  Write(true);
  std::vector<uint8_t> page(static_cast<size_t>(GetParam()));
  ASSERT_TRUE(file_.Begin().ok());
  ASSERT_TRUE(file_.Read(root_, page.data()).ok());
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) {
    std::vector<uint8_t> damaged = page;
    for (int n = 0; n < 3; ++n) damaged[random() % 40] = static_cast<uint8_t>(random());
    ASSERT_TRUE(file_.Write(root_, damaged.data()).ok());
    TableBuilder other(3);
    const Status adopted = other.Adopt(&file_, root_);
    if (!adopted.ok()) {
      EXPECT_STREQ(adopted.message(), "cannot write t.db: the trace in it is damaged");
    }
  }
  // Its own child.
  PutBig(&page[8], root_, 4);
  ASSERT_TRUE(file_.Write(root_, page.data()).ok());
  TableBuilder other(3);
  EXPECT_FALSE(other.Adopt(&file_, root_).ok());
}

}  // namespace
}  // namespace rtl::btree
