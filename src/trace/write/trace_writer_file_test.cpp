// SPDX-License-Identifier: MIT
// The file that the writer leaves, and the files that it must leave alone.
#include <gtest/gtest.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>

#include "tests/support/database_rows.h"
#include "tests/support/small_disk.h"
#include "trace/schema/schema.h"
#include "trace/write/trace_writer.h"
#include "trace/write/trace_writer_test_support.h"

namespace rtl::store {
namespace {

using test::TraceBuilder;

TEST_F(TraceWriterTest, LeavesOneValidFile) {
  TraceBuilder trace;
  const uint32_t queue = trace.Queue(trace.Gpu("gfx906"));
  const uint32_t kernel = trace.Kernel("k");
  for (uint64_t i = 0; i < 3 * btree::TableBuilder::kBatchRows + 17; ++i) {
    trace.Dispatch(queue, kernel, {.start = 1000 + 10 * i, .end = 1005 + 10 * i});
  }
  Write(trace);
  EXPECT_EQ(Ask("PRAGMA integrity_check"), Rows{"ok"});
  EXPECT_EQ(Ask("PRAGMA journal_mode"), Rows{"delete"});
  const std::string n = std::to_string(3 * btree::TableBuilder::kBatchRows + 17);
  EXPECT_EQ(Ask("SELECT count(*), min(id), max(id), count(DISTINCT start) FROM rocpd_op"),
            Rows{n + "|1|" + n + "|" + n});
  EXPECT_EQ(dir_.Count(), 1u) << "no journal, no temporary file";
}

TEST_F(TraceWriterTest, OperatorsLieBesideOtherRows) {
  constexpr uint64_t kOperators = 3 * btree::TableBuilder::kBatchRows + 17;
  TraceWriter writer;
  ASSERT_TRUE(writer.Create(path_).ok());
  size_t process = 0;
  writer.AddProcess({}, &process);
  for (uint64_t i = 0; i < kOperators; ++i) {
    const std::string name = "op" + std::to_string(i % 7), inputs = "[" + std::to_string(i) + "]";
    const OperatorSpan span = {.thread = 5,
                               .name = name,
                               .inputs = i % 2 == 0 ? std::string_view(inputs) : std::string_view(),
                               .start = 1000 + 10 * i,
                               .end = 1005 + 10 * i};
    ASSERT_TRUE(writer.AddOperator(process, span).ok());
  }
  ASSERT_TRUE(writer.EndProcess(process, {}, 0, {}).ok());
  std::string written;
  ASSERT_TRUE(writer.Commit(&written).ok());
  EXPECT_EQ(Ask("PRAGMA integrity_check"), Rows{"ok"});
  const std::string n = std::to_string(kOperators);
  EXPECT_EQ(Ask("SELECT count(*), count(DISTINCT id), max(id), count(DISTINCT start),"
                " count(inputs_id), sum(duration), count(DISTINCT name_id) FROM rtl_operator"),
            Rows{n + "|" + n + "|" + n + "|" + n + "|" + std::to_string(kOperators / 2 + 1) + "|" +
                 std::to_string(5 * kOperators) + "|7"});
  EXPECT_EQ(Ask("SELECT s.string, i.string FROM rtl_operator o JOIN rocpd_string s ON"
                " s.id = o.name_id JOIN rocpd_string i ON i.id = o.inputs_id WHERE o.id = 15"),
            Rows{"op0|[14]"});
}

TEST_F(TraceWriterTest, ReplacesAnOlderDatabaseAndItsLeftovers) {
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
    std::ofstream(path_ + suffix) << "old";
  }
  Write(TraceBuilder::ThreeKernelsOnTwoQueues());
  EXPECT_EQ(Ask("SELECT count(*) FROM rocpd_op"), Rows{"4"});
  EXPECT_EQ(dir_.Count(), 1u);
}

TEST_F(TraceWriterTest, TakesPermissionsFromTheUmask) {
  const mode_t before = umask(027);
  Write(TraceBuilder());
  umask(before);
  struct stat info;
  ASSERT_EQ(stat(path_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
}

TEST_F(TraceWriterTest, LeavesNoFileWhenItIsDropped) {
  {
    TraceWriter writer;
    ASSERT_TRUE(writer.Create(path_).ok());
    EXPECT_EQ(dir_.Count(), 1u);
  }
  EXPECT_EQ(dir_.Count(), 0u);
}

TEST_F(TraceWriterTest, FollowsNoLinks) {
  const std::string victim = dir_.File("victim");
  std::ofstream(victim) << "somebody's letter";
  // Links stand under the temporary name and under the output's own name.
  const std::string temporary = path_ + ".tmp-" + std::to_string(getpid()) + "-0";
  ASSERT_EQ(symlink(victim.c_str(), temporary.c_str()), 0);
  ASSERT_EQ(symlink(victim.c_str(), path_.c_str()), 0);
  TraceWriter writer;
  ASSERT_TRUE(writer.Create(path_).ok());
  std::string written;
  ASSERT_TRUE(writer.Commit(&written).ok());
  EXPECT_EQ(written, path_);
  EXPECT_FALSE(std::filesystem::is_symlink(path_));
  EXPECT_EQ(std::filesystem::file_size(victim), strlen("somebody's letter"));
}

TEST_F(TraceWriterTest, RefusesAnImpossibleOutput) {
  const std::string nowhere = dir_.File("none/trace.db");
  for (const std::string& output : {dir_.path(), nowhere, std::string("/dev/null")}) {
    TraceWriter writer;
    const Status created = writer.Create(output);
    EXPECT_FALSE(created.ok());
    EXPECT_NE(std::string(created.message()).find("cannot write " + output), std::string::npos)
        << created.message();
  }
  EXPECT_EQ(dir_.Count(), 0u);
}

// Fills a database until it fails; returns the reason.
std::string FillUntilFailure(const std::string& output) {
  TraceWriter writer;
  Status status = writer.Create(output);
  size_t process = 0;
  if (status.ok()) writer.AddProcess(spool::ProcessInfo(), &process);
  DispatchRecord record;
  record.head = {RecordType::kDispatch, sizeof(DispatchRecord) / 8, 1};
  for (uint64_t i = 0; status.ok() && i < 2'000'000; ++i) {
    record.start = i;
    record.end = i + 1;
    status = writer.Add(process, {&record.head, sizeof record, {}});
  }
  std::string written;
  if (status.ok()) status = writer.Commit(&written);
  return status.message();
}

std::vector<std::string> PragmaOf(const std::string& path, const char* pragma) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  std::vector<std::string> rows = test::RowsOf(database, std::string("PRAGMA ") + pragma);
  sqlite3_close(database);
  return rows;
}

// Small pages for a small file: each table takes a page at least.
TEST_F(TraceWriterTest, ManyRowsMakeItsPagesLarge) {
  TraceWriter small;
  ASSERT_TRUE(small.Create(path_).ok());
  std::string written;
  ASSERT_TRUE(small.Commit(&written).ok());
  EXPECT_EQ(PragmaOf(path_, "page_size"), std::vector<std::string>{"1:512|"});
  EXPECT_LE(std::filesystem::file_size(path_), 64u << 10);

  TraceWriter large;
  const int64_t before = sqlite3_memory_used();
  ASSERT_TRUE(large.Create(path_, {.cache_bytes = 1 << 20}).ok());
  size_t process = 0;
  large.AddProcess(spool::ProcessInfo(), &process);
  MarkRecord record;
  record.head = {RecordType::kMark, sizeof(MarkRecord) / 8, 1};
  for (uint64_t i = 0; i < 200'000; ++i) {
    record.time = i;
    ASSERT_TRUE(large.Add(process, {&record.head, sizeof record, "mark"}).ok());
  }
  EXPECT_LT(sqlite3_memory_used() - before, 4 << 20) << "pages are written when there are many";
  ASSERT_TRUE(large.Commit(&written).ok());
  EXPECT_EQ(PragmaOf(path_, "page_size"), std::vector<std::string>{"1:16384|"});
  EXPECT_EQ(PragmaOf(path_, "integrity_check"), std::vector<std::string>{"3:ok|"});
  EXPECT_GT(std::filesystem::file_size(path_), 4u << 20);
}

TEST_F(TraceWriterTest, NamesTheFileWhenTheDiskIsFull) {
  const test::SmallDisk disk(dir_.path(), "size=8m");
  if (!disk.mounted()) GTEST_SKIP() << "needs the right to mount a tmpfs";
  std::ofstream(path_) << "older";
  EXPECT_EQ(FillUntilFailure(path_), "cannot write " + path_ + ": the disk is full");
  EXPECT_EQ(dir_.Count(), 1u) << "the older file, and no temporary one";
}

TEST_F(TraceWriterTest, NamesTheFileWhenItMayNotGrow) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit = {8 << 20, 8 << 20};
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(1);
    const std::string reason = FillUntilFailure(path_);
    if (reason.find("cannot write " + path_) != 0) _exit(2);
    _exit(reason.find("File too large") != std::string::npos ? 0 : 3);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(dir_.Count(), 0u);
}

}  // namespace
}  // namespace rtl::store
