// SPDX-License-Identifier: MIT
// collector_test_support.h: a collector, its spool, and processes that write into it.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "spool/directory.h"
#include "spool/writer.h"
#include "tests/support/temp_dir.h"
#include "trace/collect/collector.h"
#include "trace/schema/store_test_support.h"

namespace rtl::store {

inline bool WriteMark(spool::Writer& writer, uint64_t time) {
  MarkRecord record;
  record.head = {RecordType::kMark, 0, 1};
  record.time = time;
  writer.CountSubmitted(EventKind::kMarker, 1);
  if (!writer.Write(&record, sizeof record, nullptr, 0)) return false;
  writer.CountRecorded(EventKind::kMarker, 1);
  return true;
}

// Writes `marks` marks, notifies the parent, and then calls `then`.
template <typename Then>
pid_t StartChild(const std::string& spool, uint64_t marks, int* ready, Then then) {
  int channel[2];
  EXPECT_EQ(pipe(channel), 0);
  const pid_t child = fork();
  if (child == 0) {
    static spool::Writer writer;
    spool::WriterOptions options;
    options.directory = spool.c_str();
    if (!writer.Open(options).ok()) _exit(1);
    for (uint64_t i = 1; i <= marks; ++i) {
      if (!WriteMark(writer, i)) _exit(2);
    }
    if (write(channel[1], "x", 1) != 1) _exit(3);
    _exit(then(writer));
  }
  close(channel[1]);
  *ready = channel[0];
  return child;
}

inline void Await(int ready) {
  char byte;
  EXPECT_EQ(read(ready, &byte, 1), 1);
  close(ready);
}

// The same, and returns after the marks are written.
template <typename Then>
pid_t StartChild(const std::string& spool, uint64_t marks, Then then) {
  int ready = -1;
  const pid_t child = StartChild(spool, marks, &ready, then);
  Await(ready);
  return child;
}

inline int Finished(spool::Writer& writer) {
  writer.Finish();
  return 0;
}

inline int Reap(pid_t child) {
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}

inline std::vector<std::string> Stems(const std::string& spool) {
  std::vector<std::string> stems;
  EXPECT_TRUE(spool::ListProcesses(spool, &stems).ok());
  return stems;
}

class CollectorTest : public testing::Test {
 protected:
  CollectorTest() {
    options_.tool_version = "test";
    UseFolder(dir_.path());
  }

  void UseFolder(const std::string& folder) {
    options_.spool = folder + "/spool";
    options_.output = folder + "/trace.db";
    std::filesystem::create_directory(options_.spool);
    std::filesystem::permissions(options_.spool, std::filesystem::perms::owner_all);
  }

  void Open(spool::Writer& writer, uint64_t limit_bytes = spool::WriterOptions().limit_bytes) {
    spool::WriterOptions options;
    options.directory = options_.spool.c_str();
    options.limit_bytes = limit_bytes;
    ASSERT_TRUE(writer.Open(options).ok());
  }

  void Start() {
    const Status started = collector_.Start(options_);
    ASSERT_TRUE(started.ok()) << started.message();
  }
  void Stop(ExitStatus exit = {}) {
    const Status stopped = collector_.Stop(exit, &result_);
    ASSERT_TRUE(stopped.ok()) << stopped.message();
  }
  Rows Ask(const std::string& sql) { return store::Ask(options_.output, sql); }
  std::string Metadata(const std::string& tag) {
    const Rows rows = Ask("SELECT value FROM rocpd_metadata WHERE tag = '" + tag + "'");
    return rows.size() == 1 ? rows[0] : "rows: " + std::to_string(rows.size());
  }
  void ExpectBooksToBalance() {
    for (const ProcessResult& process : result_.processes) {
      for (const KindTotals& kind : process.kinds) {
        EXPECT_EQ(kind.submitted, kind.recorded + kind.lost()) << process.pid;
      }
    }
    for (const KindTotals& kind : result_.kinds)
      EXPECT_EQ(kind.submitted, kind.recorded + kind.lost());
    EXPECT_EQ(Ask("SELECT count(*) FROM rocpd_op"), Rows{std::to_string(result_.rows)});
  }

  test::TempDir dir_;
  CollectOptions options_;
  Collector collector_;
  CollectResult result_;
};

}  // namespace rtl::store
