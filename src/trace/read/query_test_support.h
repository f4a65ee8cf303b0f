// SPDX-License-Identifier: MIT
// query_test_support.h: traces for the tests of the reader, and ways to damage them.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <memory>
#include <string>
#include <string_view>

#include "tests/support/temp_dir.h"
#include "tests/support/trace_builder.h"
#include "trace/read/trace_reader.h"

namespace rtl::query {

inline void ExpectOk(const Status& status) { EXPECT_TRUE(status.ok()) << status.message(); }

// Runs SQL on a database, to change or damage a trace.
inline void ExecuteSql(const std::string& path, const std::string& sql) {
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
  char* message = nullptr;
  EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK) << message;
  sqlite3_free(message);
  EXPECT_EQ(sqlite3_close(db), SQLITE_OK);
}

inline std::unique_ptr<TraceReader> OpenTrace(const std::string& path) {
  std::unique_ptr<TraceReader> reader;
  ExpectOk(TraceReader::Open(path, &reader));
  return reader;
}

// For two processes: each is shown one of the two GPUs, as with ROCR_VISIBLE_DEVICES.
inline constexpr char kEachRankSeesItsGpu[] =
    "DELETE FROM rtl_agent WHERE is_gpu AND gpu != process_id - 1";

// A trace of processes 1000, 1001, … with two GPUs each. Queues and kernels are numbered from 1
// within their process; HSA's number of queue n is n + 16.
class TestTrace {
 public:
  struct Dispatch {
    uint32_t kernel = 1;
    uint32_t queue = 1;
    uint32_t tid = 0;
    uint64_t submit = 0;  // 0: when it started
    uint64_t start = 0;
    uint64_t end = 0;
    uint64_t correlation = 0;
    uint32_t grid = 1000;
  };

  explicit TestTrace(const std::string& path) : path_(path) { AddGpus(); }

  void NextProcess() {
    builder_.NextProcess();
    AddGpus();
  }
  void Rank(int32_t rank, uint32_t world) { builder_.Rank(rank, world, "job"); }
  void Queue(uint32_t gpu) { builder_.Queue(gpu + 1); }
  void Kernel(std::string_view symbol) { builder_.Kernel(symbol); }
  void Add(const Dispatch& dispatch) {
    builder_.Dispatch(dispatch.queue, dispatch.kernel,
                      {.start = dispatch.start,
                       .end = dispatch.end,
                       .thread = dispatch.tid,
                       .submitted = dispatch.submit != 0 ? dispatch.submit : dispatch.start,
                       .correlation = dispatch.correlation,
                       .grid = {dispatch.grid, 1, 1},
                       .group_segment = 512,
                       .private_segment = 16});
  }
  // Without a time of submission.
  void AddUnsubmitted(const Dispatch& dispatch) {
    builder_.Dispatch(dispatch.queue, dispatch.kernel,
                      {.start = dispatch.start,
                       .end = dispatch.end,
                       .thread = dispatch.tid,
                       .unsubmitted = true,
                       .correlation = dispatch.correlation});
  }
  // hipSetDevice(1).
  void SetDevice(const test::CallOptions& options) {
    builder_.Call(test::TraceBuilder::CallNumber("hipSetDevice"), {1}, options);
  }
  void Call(std::string_view name, std::initializer_list<uint64_t> slots,
            const test::CallOptions& options) {
    builder_.Call(test::TraceBuilder::CallNumber(name), slots, options);
  }
  // hipGraphLaunch(0x10, 0x20).
  void GraphLaunch(const test::CallOptions& options) {
    builder_.Call(test::TraceBuilder::CallNumber("hipGraphLaunch"), {0x10, 0x20}, options);
  }
  void Barrier(const BarrierRecord& barrier) { builder_.Barrier(barrier); }
  void Copy(const CopyRecord& copy) { builder_.Copy(copy); }
  void Counter(uint64_t dispatch, std::string_view name, double value, uint32_t flags = 0) {
    builder_.Counter(dispatch, name, value, flags);
  }
  void Name(Named what, uint64_t target, uint64_t time, std::string_view text) {
    builder_.Name(what, target, time, text);
  }
  void Mark(uint32_t tid, uint64_t time, std::string_view text) { builder_.Mark(tid, time, text); }
  void Push(uint32_t tid, uint64_t time, std::string_view text) { builder_.Push(tid, time, text); }
  void Pop(uint32_t tid, uint64_t time) { builder_.Pop(tid, time); }
  void Start(uint32_t tid, uint64_t time, uint64_t range, std::string_view text) {
    builder_.Start(tid, time, range, text);
  }
  void Stop(uint32_t tid, uint64_t time, uint64_t range) { builder_.Stop(tid, time, range); }

  test::TraceBuilder& builder() { return builder_; }

  void Finish() { ExpectOk(builder_.WriteDatabase(path_)); }

 private:
  void AddGpus() {
    builder_.Gpu("gfx906");
    builder_.Gpu("gfx906");
  }

  std::string path_;
  test::TraceBuilder builder_;
};

}  // namespace rtl::query
