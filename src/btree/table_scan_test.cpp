// SPDX-License-Identifier: MIT
#include "btree/table_scan.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "btree/format.h"
#include "tests/support/temp_dir.h"

namespace rtl::btree {
namespace {

// A row: its id, and its values, of which some are NULL.
using ScannedRow = std::vector<std::optional<int64_t>>;

class TableScanTest : public testing::Test {
 protected:
  ~TableScanTest() override { Close(); }

  void Execute(const std::string& sql) {
    if (db_ == nullptr) {
      ASSERT_EQ(sqlite3_open(path_.c_str(), &db_), SQLITE_OK);
      Execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY");
    }
    char* message = nullptr;
    EXPECT_EQ(sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK) << message;
    sqlite3_free(message);
  }
  void Close() {
    EXPECT_EQ(sqlite3_close(db_), SQLITE_OK);
    db_ = nullptr;
  }

  // SQLite's own reading.
  std::vector<ScannedRow> Select(const std::string& sql) {
    std::vector<ScannedRow> rows;
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(db_, sql.c_str(), -1, &statement, nullptr), SQLITE_OK);
    while (sqlite3_step(statement) == SQLITE_ROW) {
      ScannedRow& row = rows.emplace_back();
      for (int i = 0; i < sqlite3_column_count(statement); ++i) {
        const bool is_null = sqlite3_column_type(statement, i) == SQLITE_NULL;
        const int64_t value = sqlite3_column_int64(statement, i);
        row.push_back(is_null ? std::nullopt : std::optional(value));
      }
    }
    EXPECT_EQ(sqlite3_finalize(statement), SQLITE_OK);
    return rows;
  }
  uint32_t RootOf(const std::string& table) {
    return static_cast<uint32_t>(
        Select("SELECT rootpage FROM sqlite_master WHERE name = '" + table + "'")[0][0].value());
  }

  // What the scan reads, until its end or its error.
  std::vector<ScannedRow> Scan(uint32_t root, std::vector<size_t> positions,
                               std::string* error = nullptr) {
    std::vector<ScannedRow> rows;
    DatabaseFile file;
    TableScan scan;
    Status status = file.Open(path_);
    if (status.ok()) status = scan.Open(file, root, positions);
    for (bool has_row = true; status.ok() && has_row;) {
      status = scan.Next(&has_row);
      if (!status.ok() || !has_row) break;
      ScannedRow& row = rows.emplace_back();
      row.push_back(scan.row_id());
      for (size_t i = 0; i < positions.size(); ++i) {
        row.push_back(scan.IsNull(i) ? std::nullopt : std::optional(scan.Int(i)));
        EXPECT_TRUE(row.back().has_value() || scan.Int(i) == 0);
      }
    }
    if (error != nullptr) {
      *error = status.message();
    } else {
      EXPECT_TRUE(status.ok()) << status.message();
    }
    return rows;
  }
  std::string ErrorOf(uint32_t root, const std::vector<size_t>& positions) {
    std::string error;
    (void)Scan(root, positions, &error);
    return error;
  }

  std::string Bytes() {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void Write(const std::string& bytes) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
  }
  // Of page `page`, at `offset`.
  void Overwrite(size_t page_bytes, uint32_t page, size_t offset, const std::string& bytes) {
    std::string all = Bytes();
    all.replace((page - 1) * page_bytes + offset, bytes.size(), bytes);
    Write(all);
  }

  test::TempDir directory_;
  std::string path_ = directory_.File("table.db");
  sqlite3* db_ = nullptr;
};

// Values of every width, positive and negative.
int64_t AnyValue(std::mt19937_64* dice) {
  const int bits = static_cast<int>((*dice)() % 65);
  const uint64_t value = bits == 0 ? 0 : (*dice)() >> (64 - bits);
  return static_cast<int64_t>((*dice)() % 2 == 0 ? value : ~value);
}

void Fill(sqlite3* db, size_t rows, std::mt19937_64* dice) {
  sqlite3_stmt* insert = nullptr;
  ASSERT_EQ(sqlite3_exec(db, "BEGIN", nullptr, nullptr, nullptr), SQLITE_OK);
  ASSERT_EQ(sqlite3_prepare_v2(db, "INSERT OR REPLACE INTO t VALUES (?, ?, ?, ?, ?)", -1, &insert,
                               nullptr),
            SQLITE_OK);
  for (size_t i = 0; i < rows; ++i) {
    const int64_t id = (*dice)() % 3 == 0 ? AnyValue(dice) : static_cast<int64_t>(i * 3);
    sqlite3_bind_int64(insert, 1, id);
    for (int column = 2; column <= 5; ++column) {
      if ((*dice)() % 8 == 0) {
        sqlite3_bind_null(insert, column);
      } else {
        sqlite3_bind_int64(insert, column, AnyValue(dice));
      }
    }
    EXPECT_EQ(sqlite3_step(insert), SQLITE_DONE);
    sqlite3_reset(insert);
  }
  EXPECT_EQ(sqlite3_finalize(insert), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(db, "COMMIT", nullptr, nullptr, nullptr), SQLITE_OK);
}

TEST_F(TableScanTest, ReadsWhatSqliteReadsWithEverySizeOfPages) {
  std::mt19937_64 dice(7);
  for (uint32_t page_bytes = 512; page_bytes <= 65536; page_bytes *= 2) {
    SCOPED_TRACE(page_bytes);
    path_ = directory_.File(std::to_string(page_bytes) + ".db");
    Execute("PRAGMA page_size = " + std::to_string(page_bytes));
    Execute("CREATE TABLE other (x); CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c, d)");
    Fill(db_, 6000, &dice);
    const std::string all = "SELECT id, a, c, d FROM t ORDER BY id";
    const std::vector<ScannedRow> rows = Scan(RootOf("t"), {1, 3, 4});
    EXPECT_GT(rows.size(), 3000u);
    EXPECT_EQ(rows, Select(all));
    Execute("DELETE FROM t WHERE abs(a % 5) < 3; DELETE FROM t WHERE id BETWEEN 300 AND 9000");
    EXPECT_EQ(Scan(RootOf("t"), {1, 3, 4}), Select(all));
    EXPECT_EQ(Scan(RootOf("t"), {4, 1}), Select("SELECT id, d, a FROM t ORDER BY id"));
    Execute("DELETE FROM t");
    EXPECT_EQ(Scan(RootOf("t"), {1}), std::vector<ScannedRow>());
    Close();
  }
}

// More kinds of rows than are remembered, with headers of all lengths, real numbers and texts
// between.
TEST_F(TableScanTest, ReadsRowsOfManyKinds) {
  std::mt19937_64 dice(13);
  std::string columns;
  for (int i = 0; i < 20; ++i) columns += ", c" + std::to_string(i);
  Execute("PRAGMA page_size = 8192; CREATE TABLE t (id INTEGER PRIMARY KEY" + columns + ")");
  std::string sql = "BEGIN;";
  for (int row = 1; row <= 2000; ++row) {
    sql += "INSERT INTO t VALUES (" + std::to_string(row);
    const auto used = static_cast<int>(dice() % 21);
    for (int i = 0; i < 20; ++i) {
      const uint64_t kind = i >= used ? 0 : dice() % 12;
      const bool is_read = i % 3 == 0;
      if (kind == 0) {
        sql += ", NULL";
      } else if (kind == 1) {
        sql += ", " + std::to_string(dice() % 1000) + ".5";
      } else if (kind == 2 && !is_read) {
        sql += ", zeroblob(" + std::to_string(dice() % 70) + ")";
      } else {
        sql += ", " + std::to_string(AnyValue(&dice) >> 1);
      }
    }
    sql += ");";
  }
  Execute(sql + "COMMIT");
  EXPECT_EQ(Scan(RootOf("t"), {1, 4, 7, 10, 13, 16, 19}),
            Select("SELECT id, c0, c3, c6, c9, c12, c15, c18 FROM t ORDER BY id"));
}

TEST_F(TableScanTest, LeavesOutReservedBytes) {
  Execute("PRAGMA page_size = 1024");
  int reserved = 32;
  ASSERT_EQ(sqlite3_file_control(db_, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved), SQLITE_OK);
  Execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c, d)");
  std::mt19937_64 dice(9);
  Fill(db_, 3000, &dice);
  EXPECT_EQ(static_cast<uint8_t>(Bytes()[kReservedOffset]), 32);
  EXPECT_EQ(Scan(RootOf("t"), {1, 4}), Select("SELECT id, a, d FROM t ORDER BY id"));
}

TEST_F(TableScanTest, ReadsAgainAfterARewind) {
  Execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 10), (2, 20)");
  DatabaseFile file;
  ASSERT_TRUE(file.Open(path_).ok());
  TableScan scan;
  const size_t positions[] = {1};
  ASSERT_TRUE(scan.Open(file, RootOf("t"), positions).ok());
  bool has_row = false;
  for (int time = 0; time < 3; ++time) {
    EXPECT_TRUE(scan.Next(&has_row).ok());
    EXPECT_EQ(scan.Int(0), 10);
    if (time == 1) {
      EXPECT_TRUE(scan.Next(&has_row).ok());
      EXPECT_TRUE(scan.Next(&has_row).ok());
      EXPECT_FALSE(has_row);
      EXPECT_TRUE(scan.Next(&has_row).ok());
      EXPECT_FALSE(has_row) << "after the end there is nothing";
    }
    scan.Rewind();
  }
}

TEST_F(TableScanTest, HasNullWhereARowIsShorterAndIgnoresOtherColumns) {
  Execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 10), (2, 20)");
  Execute("ALTER TABLE t ADD COLUMN b; ALTER TABLE t ADD COLUMN text");
  Execute("INSERT INTO t VALUES (3, 30, 300, 'a text')");
  EXPECT_EQ(Scan(RootOf("t"), {2, 1}),
            (std::vector<ScannedRow>{{1, std::nullopt, 10}, {2, std::nullopt, 20}, {3, 300, 30}}));
}

TEST_F(TableScanTest, CutsRealNumbersAsSqlite) {
  Execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a REAL)");
  Execute(
      "INSERT INTO t VALUES (1, 1.75), (2, -1.75), (3, 9e300), (4, -9e300), (5, 7.0),"
      " (6, 9223372036854775807), (7, -9223372036854775808), (8, 1e18 + 0.5)");
  EXPECT_EQ(Scan(RootOf("t"), {1}), Select("SELECT id, a FROM t ORDER BY id"));
}

TEST_F(TableScanTest, RefusesTextsBytesAndRowsLongerThanAPage) {
  Execute("PRAGMA page_size = 512; CREATE TABLE t (id INTEGER PRIMARY KEY, a, b)");
  Execute("INSERT INTO t VALUES (7, 'x', x'00')");
  const std::string page = std::to_string(RootOf("t"));
  EXPECT_EQ(ErrorOf(RootOf("t"), {1}),
            "row 7 of page " + page + " has a text where a number belongs");
  EXPECT_EQ(ErrorOf(RootOf("t"), {2}),
            "row 7 of page " + page + " has bytes where a number belongs");
  EXPECT_EQ(ErrorOf(RootOf("t"), {0}), "") << "only the columns that are read matter";
  Execute("UPDATE t SET a = 1, b = zeroblob(460)");
  EXPECT_EQ(Scan(RootOf("t"), {1}), (std::vector<ScannedRow>{{7, 1}}));
  Execute("UPDATE t SET b = zeroblob(500)");
  EXPECT_EQ(ErrorOf(RootOf("t"), {1}),
            "row 7 of page " + page + " is longer than a page, which is not supported");
}

TEST_F(TableScanTest, RefusesOtherPages) {
  Execute("PRAGMA page_size = 512; CREATE TABLE t (id INTEGER PRIMARY KEY, a)");
  Execute("CREATE INDEX i ON t (a); CREATE TABLE w (a PRIMARY KEY) WITHOUT ROWID");
  const auto no_table = [](uint32_t page) {
    return "damaged: page " + std::to_string(page) + " is no page of a table";
  };
  EXPECT_EQ(ErrorOf(RootOf("i"), {1}), no_table(RootOf("i")));
  EXPECT_EQ(ErrorOf(RootOf("w"), {1}), no_table(RootOf("w")));
  EXPECT_EQ(ErrorOf(0, {1}), "damaged: no page 0 among its 4 pages");
  EXPECT_EQ(ErrorOf(99, {1}), "damaged: no page 99 among its 4 pages");
}

TEST_F(TableScanTest, RefusesHeadersThatAreNone) {
  EXPECT_EQ(ErrorOf(1, {1}), "cannot be opened: No such file or directory");
  Write("SQLite format 3");
  EXPECT_EQ(ErrorOf(1, {1}), "truncated in its header");
  Write(std::string(200, '\0'));
  EXPECT_EQ(ErrorOf(1, {1}), "damaged: pages of 0 bytes");
  std::string header(200, '\0');
  header[kPageSizeOffset] = 2;  // 512
  header[kReservedOffset] = 33;
  Write(header);
  EXPECT_EQ(ErrorOf(1, {1}), "damaged: pages with 479 usable bytes");
  header[kReservedOffset] = 32;
  Write(header);
  EXPECT_EQ(ErrorOf(1, {1}), "damaged: no page 1 among its 0 pages");
}

class DamagedTable : public TableScanTest {
 protected:
  static constexpr size_t kPageBytes = 512;

  // A root with two levels below it.
  void SetUp() override {
    Execute("PRAGMA page_size = 512; CREATE TABLE t (id INTEGER PRIMARY KEY, a, b)");
    Execute(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)"
        " INSERT INTO t SELECT i, i * 1000003, i % 3 FROM n");
    root_ = RootOf("t");
    Close();
    whole_ = Bytes();
  }
  uint8_t ByteOf(uint32_t page, size_t offset) {
    return static_cast<uint8_t>(whole_[(page - 1) * kPageBytes + offset]);
  }
  uint32_t Child(uint32_t page) {
    return GetBig(reinterpret_cast<const uint8_t*>(whole_.data()) + (page - 1) * kPageBytes +
                      kRightChildOffset,
                  4);
  }
  // Where the first cell of a page lies.
  size_t FirstCell(uint32_t page) {
    const size_t at = ByteOf(page, 0) == kLeafPage ? kLeafHeaderBytes : kInteriorHeaderBytes;
    return static_cast<size_t>(ByteOf(page, at) << 8 | ByteOf(page, at + 1));
  }
  std::string Big(uint32_t value, size_t bytes) {
    std::string text(bytes, '\0');
    PutBig(reinterpret_cast<uint8_t*>(text.data()), value, bytes);
    return text;
  }
  // The error after this change, of which the words must be a part.
  void ExpectError(uint32_t page, size_t offset, const std::string& bytes,
                   const std::string& words) {
    Write(whole_);
    Overwrite(kPageBytes, page, offset, bytes);
    EXPECT_NE(ErrorOf(root_, {1}).find(words), std::string::npos) << ErrorOf(root_, {1});
  }

  uint32_t root_ = 0;
  std::string whole_;
};

TEST_F(DamagedTable, EndsWithAnErrorForEachKindOfDamage) {
  ASSERT_EQ(ByteOf(root_, 0), kInteriorPage);
  const uint32_t inner = Child(root_);
  ASSERT_EQ(ByteOf(inner, 0), kInteriorPage);
  const uint32_t leaf = Child(inner);
  ASSERT_EQ(ByteOf(leaf, 0), kLeafPage);
  ExpectError(root_, FirstCell(root_), Big(root_, 4), "is too deep");
  ExpectError(inner, kRightChildOffset, Big(0, 4), "no page 0 among");
  ExpectError(inner, kRightChildOffset, Big(1u << 31, 4), "no page 2147483648 among");
  ExpectError(root_, kInteriorHeaderBytes, Big(511, 2), "is outside");
  ExpectError(leaf, kCellCountOffset, Big(65535, 2), "has 65535 cells");
  ExpectError(leaf, kLeafHeaderBytes, Big(3, 2), "is outside");
  ExpectError(leaf, kLeafHeaderBytes, Big(600, 2), "is outside");
  const size_t cell = FirstCell(leaf);
  ExpectError(leaf, cell, "\x7f", "is outside");  // the first row is at the page's end
  ExpectError(leaf, cell, "\xff\xff\xff\xff\xff\xff\xff\xff\xff", "longer than a page");
  ExpectError(leaf, cell + 3, "\x7f", "has no header");
  ExpectError(leaf, cell + 4, "\xff\x7f", "a value of");
  ExpectError(leaf, cell + 5, "\x0b", "has an unknown value");
}

// The rows before it have the same header, by which this one would be read.
TEST_F(DamagedTable, EndsWithAnErrorAtARowThatIsShorterThanItsHeaderSays) {
  const uint32_t leaf = Child(Child(root_));
  const auto at = [&](size_t cell) {
    const size_t place = kLeafHeaderBytes + 2 * cell;
    return static_cast<size_t>(ByteOf(leaf, place) << 8 | ByteOf(leaf, place + 1));
  };
  ASSERT_EQ(whole_.substr((leaf - 1) * kPageBytes + at(0) + 3, 4),
            whole_.substr((leaf - 1) * kPageBytes + at(3) + 3, 4))
      << "two rows with the same types";
  ExpectError(leaf, at(3), Big(4, 1), "a value of");
  ExpectError(leaf, at(3), Big(0, 1), "has no header");
}

TEST_F(DamagedTable, IsTruncatedInTheFirstPageThatIsMissing) {
  const std::string less = whole_.substr(0, whole_.size() - 2 * kPageBytes - 100);
  Write(less);
  EXPECT_NE(ErrorOf(root_, {1}).find("no page"), std::string::npos) << ErrorOf(root_, {1});
  Write(whole_);
  DatabaseFile file;
  ASSERT_TRUE(file.Open(path_).ok());
  TableScan scan;
  const size_t positions[] = {1};
  ASSERT_TRUE(scan.Open(file, root_, positions).ok());
  Write(less);  // it had more pages when it was opened
  Status status = Status::Ok();
  size_t rows = 0;
  for (bool has_row = true; status.ok() && has_row; ++rows) status = scan.Next(&has_row);
  EXPECT_NE(std::string(status.message()).find("truncated in page"), std::string::npos)
      << status.message();
  EXPECT_GT(rows, 20u) << "the pages before it are read";
}

TEST_F(DamagedTable, ReadsNoMorePagesThanTheFileHas) {
  // All children of one inner page are another one: no circle, and no deep table.
  std::string all = whole_;
  const auto page_at = [&](uint32_t page) {
    return reinterpret_cast<uint8_t*>(all.data()) + (page - 1) * kPageBytes;
  };
  uint8_t* const one = page_at(GetBig(page_at(root_) + FirstCell(root_), 4));
  for (uint32_t cell = 0; cell < GetBig(one + kCellCountOffset, 2); ++cell) {
    PutBig(one + GetBig(one + kInteriorHeaderBytes + 2 * cell, 2), Child(root_), 4);
  }
  Write(all);
  EXPECT_NE(ErrorOf(root_, {1}).find("is in its table more than once"), std::string::npos);
}

TEST_F(DamagedTable, NeverCrashesWithRandomBytes) {
  std::mt19937_64 dice(11);
  size_t errors = 0;
  for (int round = 0; round < 300; ++round) {
    std::string damaged = whole_;
    for (size_t i = 0; i < 1 + dice() % 8; ++i) {
      damaged[kPageBytes + dice() % (damaged.size() - kPageBytes)] = static_cast<char>(dice());
    }
    if (round % 10 == 0) damaged.resize(damaged.size() - dice() % 5000);
    Write(damaged);
    std::string error;
    EXPECT_LE(Scan(root_, {1, 2}, &error).size(), damaged.size());
    EXPECT_EQ(error.find('\n'), std::string::npos);
    errors += error.empty() ? 0 : 1;
  }
  EXPECT_GT(errors, 20u);
}

}  // namespace
}  // namespace rtl::btree
