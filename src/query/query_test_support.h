// SPDX-License-Identifier: MIT
// query_test_support.h: traces for tests, written by the store from records as a program would have
// left them.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/losses.h"
#include "model/records.h"
#include "query/trace_reader.h"
#include "store/schema.h"
#include "store/trace_writer.h"
#include "tests/support/temp_dir.h"

namespace rtl::query {

inline void ExpectOk(const Status& status) { EXPECT_TRUE(status.ok()) << status.message(); }

// One process of a trace: agent 1 is GPU 0, agent 2 is GPU 1; queues and kernels as announced.
class TestTrace {
 public:
  explicit TestTrace(const std::string& path) { ExpectOk(writer_.Create(path)); }

  void Process(uint32_t pid, const std::string& executable = "/usr/bin/app",
               const std::string& command = "app --fast") {
    EndProcess();
    spool::ProcessInfo info;
    info.pid = pid;
    info.parent_pid = 1;
    info.opened = 1000;
    std::strncpy(info.host, "host", sizeof(info.host) - 1);
    std::strncpy(info.executable, executable.c_str(), sizeof(info.executable) - 1);
    std::strncpy(info.command, command.c_str(), sizeof(info.command) - 1);
    std::strncpy(info.mode, "standard", sizeof(info.mode) - 1);
    std::strncpy(info.door, "HSA_TOOLS_LIB", sizeof(info.door) - 1);
    std::strncpy(info.runtime, "HSA 1.1", sizeof(info.runtime) - 1);
    writer_.AddProcess(info, &process_);
    info_ = info;
    open_ = true;
    for (uint32_t gpu = 0; gpu < 2; ++gpu) {
      AgentRecord agent;
      agent.head.type = RecordType::kAgent;
      agent.agent = gpu + 1;
      agent.is_gpu = 1;
      agent.gpu = gpu;
      agent.bdf = 0x300 + gpu;
      agent.compute_units = 60;
      agent.timestamp_hz = 25'000'000;
      std::strncpy(agent.name, "gfx906", sizeof(agent.name) - 1);
      std::strncpy(agent.product, "Vega 20", sizeof(agent.product) - 1);
      Add(agent);
    }
  }

  void Queue(uint32_t queue, uint32_t gpu, uint64_t hsa_id) {
    QueueRecord record;
    record.head.type = RecordType::kQueue;
    record.queue = queue;
    record.agent = gpu + 1;
    record.hsa_id = hsa_id;
    record.created = 500;
    record.size = 16384;
    Add(record);
  }

  void Kernel(uint32_t kernel, std::string_view symbol) {
    KernelRecord record;
    record.head.type = RecordType::kKernel;
    record.kernel = kernel;
    record.agent = 1;
    record.code_object = 1;
    record.kernarg_segment = 24;
    record.vgprs = 32;
    record.sgprs = 48;
    record.text_bytes = static_cast<uint32_t>(symbol.size());
    Add(record, symbol);
  }

  struct Dispatch {
    uint32_t kernel = 1;
    uint32_t queue = 1;
    uint32_t tid = 0;
    uint64_t submit = 0;
    uint64_t start = 0;
    uint64_t end = 0;
  };
  void Add(const Dispatch& dispatch) {
    DispatchRecord record;
    record.head.type = RecordType::kDispatch;
    record.head.thread = dispatch.tid;
    record.dispatch = ++dispatches_;
    record.kernel = dispatch.kernel;
    record.queue = dispatch.queue;
    record.submitted = dispatch.submit;
    record.start = dispatch.start;
    record.end = dispatch.end;
    record.packet = dispatches_ + 100;
    record.group_segment = 512;
    record.private_segment = 16;
    for (uint32_t axis = 0; axis < 3; ++axis) {
      record.grid[axis] = axis == 0 ? 1000 : 1;
      record.workgroup[axis] = axis == 0 ? 64 : 1;
    }
    Add(record);
  }

  void Mark(uint32_t tid, uint64_t time, std::string_view text) {
    MarkRecord record;
    record.head = {RecordType::kMark, 0, tid};
    record.time = time;
    Add(record, text);
  }
  void Push(uint32_t tid, uint64_t time, std::string_view text) {
    Begin(RecordType::kRangePush, tid, time, 0, text);
  }
  void Pop(uint32_t tid, uint64_t time) { End(RecordType::kRangePop, tid, time, 0); }
  void Start(uint32_t tid, uint64_t time, uint64_t range, std::string_view text) {
    Begin(RecordType::kRangeStart, tid, time, range, text);
  }
  void Stop(uint32_t tid, uint64_t time, uint64_t range) {
    End(RecordType::kRangeStop, tid, time, range);
  }

  // Replaces what Finish would write.
  void Metadata(const std::string& tag, const std::string& value) { metadata_[tag] = value; }

  void Finish() {
    EndProcess();
    metadata_.emplace("schema_version", std::to_string(store::kSchemaVersion));
    metadata_.emplace("rtl_version", "0.1.0");
    metadata_.emplace("started", "1000");
    metadata_.emplace("realtime_minus_boottime", "1700000000000000000");
    for (const auto& [tag, value] : metadata_) ExpectOk(writer_.AddMetadata(tag, value));
    ExpectOk(writer_.Commit());
  }

 private:
  template <typename Record>
  void Add(const Record& record, std::string_view text = {}) {
    ExpectOk(writer_.Add(process_, {&record.head, sizeof(record), text}));
  }
  void Begin(RecordType type, uint32_t tid, uint64_t time, uint64_t range, std::string_view text) {
    RangeBeginRecord record;
    record.head = {type, 0, tid};
    record.time = time;
    record.range = range;
    Add(record, text);
  }
  void End(RecordType type, uint32_t tid, uint64_t time, uint64_t range) {
    RangeEndRecord record;
    record.head = {type, 0, tid};
    record.time = time;
    record.range = range;
    Add(record);
  }
  void EndProcess() {
    if (open_) ExpectOk(writer_.EndProcess(process_, info_, 100'000));
    open_ = false;
  }

  store::TraceWriter writer_;
  size_t process_ = 0;
  spool::ProcessInfo info_;
  bool open_ = false;
  uint64_t dispatches_ = 0;
  std::map<std::string, std::string> metadata_;
};

// Runs SQL on a database: to damage a trace, or to make something that is none.
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

}  // namespace rtl::query
