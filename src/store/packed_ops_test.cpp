// SPDX-License-Identifier: MIT
#include "store/packed_ops.h"

#include <gtest/gtest.h>

#include "store/op_batch.h"
#include "store/schema.h"
#include "store/store_test_support.h"
#include "tests/support/temp_dir.h"

namespace rtl::store {
namespace {

// The same rows in a packed trace and in one of rows: ids 1 to 20000, and from 30001 on.
class PackedOps : public testing::Test {
 protected:
  static constexpr int64_t kRows = 30'000;

  void SetUp() override {
    for (const bool packed : {false, true}) Write(packed);
  }
  void Check(const Status& status) { ASSERT_TRUE(status.ok()) << status.message(); }
  std::string Path(bool packed) { return dir_.File(packed ? "packed.db" : "rows.db"); }

  void Write(bool packed) {
    Database database;
    Check(database.Open(Path(packed), "test"));
    Check(database.BeginBuilding(1 << 20));
    Check(CreateSchema(&database, packed));
    EXPECT_EQ(IsPacked(database.handle()), packed);
    OpBatch batch;
    Check(batch.Prepare(database));
    for (int64_t i = 0; i < kRows; ++i) {
      NarrowOp row = {i % 7, i * 11 % 5000, i % 3, i % 100, i % 2, -i, i / 2};
      if (i % 5 == 0) row.waited = NarrowOp::kNull;
      if (i % 6 == 0) row.sequence = NarrowOp::kNull;
      Check(batch.Add(1 + i + (i < 20'000 ? 0 : 10'000), row, 1'000'000, i == 25'000));
    }
    Check(batch.Flush());
    batch.Finalize();
    Check(database.Execute("COMMIT"));
  }

  // Rows as text, or SQLite's error.
  static std::string Answer(const std::string& path, const std::string& sql) {
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READWRITE, nullptr), SQLITE_OK);
    EXPECT_EQ(AddPackedOps(database), SQLITE_OK);
    (void)sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    std::string text;
    char* error = nullptr;
    (void)sqlite3_exec(
        database, sql.c_str(),
        [](void* out, int columns, char** values, char**) {
          for (int i = 0; i < columns; ++i) {
            *static_cast<std::string*>(out) += values[i] == nullptr ? "NULL" : values[i];
            *static_cast<std::string*>(out) += i + 1 < columns ? "|" : "\n";
          }
          return 0;
        },
        &text, &error);
    if (error != nullptr) text += std::string("error: ") + error;
    sqlite3_free(error);
    EXPECT_EQ(sqlite3_close(database), SQLITE_OK);
    return text;
  }
  std::string Answer(const std::string& sql) { return Answer(Path(true), sql); }

  test::TempDir dir_;
};

TEST_F(PackedOps, AnswersEveryQueryAsATableWould) {
  for (const char* sql : {
           "SELECT * FROM rtl_op",
           "SELECT id, rowid, launch FROM rtl_op WHERE id = 1",
           "SELECT * FROM rtl_op WHERE id = 8192 OR id = 8193",
           "SELECT * FROM rtl_op WHERE id = 20000",
           "SELECT * FROM rtl_op WHERE id = 20001",
           "SELECT * FROM rtl_op WHERE id = 30001",
           "SELECT * FROM rtl_op WHERE id IN (0, -5, 40000, 40001, 17000, 3, 17000)",
           "SELECT * FROM rtl_op WHERE id > 8190 AND id <= 8200",
           "SELECT * FROM rtl_op WHERE id >= 19995 AND id < 30005",
           "SELECT count(*) FROM rtl_op WHERE id > 39000",
           "SELECT count(*) FROM rtl_op WHERE id < 2 OR id > 40000",
           "SELECT * FROM rtl_op WHERE id BETWEEN 500 AND 400",
           "SELECT * FROM rtl_op WHERE id > 39990.5",
           "SELECT * FROM rtl_op WHERE id < '5'",
           "SELECT * FROM rtl_op WHERE id IS NULL",
           "SELECT * FROM rtl_op ORDER BY id DESC LIMIT 3",
           "SELECT * FROM rtl_op ORDER BY id LIMIT 3 OFFSET 8191",
           "SELECT max(id), min(id), count(waited), sum(sequence), total(packet) FROM rtl_op",
           "SELECT launch, count(*), sum(start) FROM rtl_op GROUP BY launch ORDER BY launch",
           "SELECT a.id, b.id FROM rtl_op a JOIN rtl_op b ON b.id = a.id + 8192 WHERE a.launch = 3"
           " AND a.id < 1000",
           "SELECT id, start, \"end\", submit FROM rocpd_op WHERE id % 4999 = 0",
       }) {
    const std::string rows = Answer(Path(false), sql);
    EXPECT_TRUE(Answer(sql) == rows) << sql;
    EXPECT_EQ(rows.find("error"), std::string::npos) << sql << ": " << rows;
  }
}

TEST_F(PackedOps, DescribesTheContentsOfItsBlocks) {
  EXPECT_EQ(Answer("SELECT id, rows, markers FROM rtl_op_block"),
            "1|8192|0\n8193|8192|0\n16385|3616|0\n30001|8192|1\n38193|1808|0\n");
  EXPECT_EQ(
      Answer(
          "SELECT count(*) FROM rtl_op_block b WHERE first_start <>"
          " (SELECT min(1000000 + start) FROM rtl_op o WHERE o.id >= b.id AND o.id < b.id + b.rows)"
          " OR last_submit <> (SELECT max(1000000 + start - coalesce(waited, 0)) FROM rtl_op o"
          " WHERE o.id >= b.id AND o.id < b.id + b.rows)"),
      "0\n");
}

TEST_F(PackedOps, CannotBeWrittenTo) {
  EXPECT_EQ(Answer("DELETE FROM rtl_op WHERE id = 1"), "error: table rtl_op may not be modified");
}

TEST_F(PackedOps, NamesTheErrorInABlock) {
  EXPECT_EQ(Answer("UPDATE rtl_op_block SET rows = 5 WHERE id = 8193"), "");
  EXPECT_EQ(Answer("SELECT launch FROM rtl_op WHERE id = 5"), "4\n");
  EXPECT_EQ(Answer("SELECT count(*) FROM rtl_op").find("error: a block of packed rows is broken: "),
            0u);
  EXPECT_EQ(Answer("UPDATE rtl_op_block SET id = -3 WHERE id = 1"), "");
  EXPECT_EQ(Answer("SELECT count(*) FROM rtl_op"),
            "error: a block of packed rows is broken: "
            "impossible ids");
}

TEST_F(PackedOps, StopsAProgramWithoutTheModule) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(Path(true).c_str(), &database), SQLITE_OK);
  EXPECT_NE(sqlite3_exec(database, "SELECT * FROM rocpd_op", nullptr, nullptr, nullptr), SQLITE_OK);
  EXPECT_STREQ(sqlite3_errmsg(database), "no such module: rtl_packed");
  EXPECT_EQ(sqlite3_exec(database, "SELECT * FROM rtl_launch", nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(database);
}

}  // namespace
}  // namespace rtl::store
