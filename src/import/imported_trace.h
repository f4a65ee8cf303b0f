// SPDX-License-Identifier: MIT
// imported_trace.h: the database that is made of foreign traces. A reader of a format hands over
// what it finds by names and numbers of its own; this class gives it the model's records.
//
//   reader of a format ── Kernel, Copy, Call, Range, … ── ImportedTrace ── records ── TraceWriter
//
// What a foreign trace lost is not known: the completeness report says so (store::kSourceTag).
//
// Threads    one
// Blocking   file I/O
// Memory     an entry per device, stream, name and thread, 8 bytes per call and kernel, and the
//            ranges of the process
// Errors     those of TraceWriter
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/status.h"
#include "model/records.h"
#include "trace/write/trace_writer.h"

namespace rtl::import {

// Times are nanoseconds of the trace's own clock. `correlation`: the foreign number of the call
// that submitted the work; zero: none.
struct ImportedKernel {
  std::string_view name;
  uint64_t device = 0, stream = 0, correlation = 0;
  int64_t start = 0, end = 0;
  uint32_t grid[3] = {};  // work-items
  uint32_t workgroup[3] = {};
  uint32_t group_segment = 0, registers = 0;
};

struct ImportedCopy {
  CopyKind kind = CopyKind::kUnknown;
  uint64_t device = 0, correlation = 0, bytes = 0;
  int64_t start = 0, end = 0;
};

struct ImportedCall {
  std::string_view name;
  std::string_view thread;
  uint64_t correlation = 0;
  int64_t start = 0, end = 0;
};

struct ImportedRange {
  std::string name;
  std::string thread;
  int64_t start = 0, end = 0;
};

// An operator of a framework, or a Python function.
struct ImportedOperator {
  store::OperatorKind kind = store::OperatorKind::kOperator;
  std::string_view name, inputs;
  std::string_view thread;
  int64_t start = 0, end = 0;
};

// What becomes of the events of a file.
struct ImportReport {
  uint64_t kernels = 0, copies = 0, calls = 0, ranges = 0, operators = 0, functions = 0;
  // Events that have no row, by the reason: "a time that goes backwards".
  std::map<std::string, uint64_t> unused;
};

// Facts of a process, for rtl_process. Those that are not known stay empty.
struct ImportedProcess {
  std::string format;   // "torch.profiler"
  std::string file;     // the foreign trace
  std::string command;  // or the name of the process
  std::string host;
  uint32_t pid = 0;
  int32_t rank = -1;
  uint32_t world = 0;
  int64_t realtime_minus_clock = 0;  // of the trace's own clock
};

class ImportedTrace {
 public:
  Status Create(const std::string& output) { return writer_.Create(output); }

  // What follows belongs to this process, which the reader of its format describes meanwhile. Its
  // rank is part of every row: the one that is known at the first event counts.
  void BeginProcess(const ImportedProcess* process);
  int32_t rank_of_rows() const { return info_.rank; }
  void NameDevice(uint64_t device, std::string_view name);
  void NameThread(std::string_view thread, std::string_view name);
  Status Add(const ImportedKernel& kernel);
  Status Add(const ImportedCopy& copy);
  Status Add(const ImportedCall& call);
  Status Add(const ImportedOperator& one);
  void Add(ImportedRange range);
  // An event without a row.
  void Leave(const std::string& why) { ++report_.unused[why]; }
  Status EndProcess();

  // The report of the process that ended last, or is open.
  const ImportReport& report() const { return report_; }
  Status Commit(const std::string& tool_version, const std::string& command, std::string* written);

 private:
  struct Stream {
    uint64_t device, stream;
    bool operator<(const Stream& other) const {
      return device != other.device ? device < other.device : stream < other.stream;
    }
  };

  void BeginRows();
  template <typename Record>
  Status Write(Record record, std::string_view text = {});
  Status AgentOf(uint64_t device, uint32_t* agent);
  Status QueueOf(uint64_t device, uint64_t stream, uint32_t* queue);
  Status KernelOf(uint32_t agent, const ImportedKernel& kernel, uint32_t* number);
  Status ThreadOf(std::string_view thread, uint32_t* number);
  Status ApiOf(std::string_view name, uint32_t* api);
  uint64_t Linked(uint64_t correlation);
  bool Sound(int64_t start, int64_t end);
  Status WriteRanges();
  Status WriteNames();
  void CountUnlinked();

  store::TraceWriter writer_;
  const ImportedProcess* process_ = nullptr;  // the open one
  bool begun_ = false;                        // it has rows
  size_t number_ = 0;
  spool::ProcessInfo info_;
  ImportReport report_;
  std::vector<ImportedProcess> processes_;
  int64_t first_ = 0, last_ = 0;  // times of the process
  bool has_time_ = false;
  int64_t trace_first_ = INT64_MAX, trace_last_ = 0;
  uint64_t totals_[kEventKindCount] = {};

  std::map<uint64_t, uint32_t> agents_;  // by device
  std::map<uint64_t, std::string> device_names_;
  std::map<Stream, uint32_t> queues_;
  std::map<std::pair<uint32_t, std::string>, uint32_t> kernels_;
  std::map<std::string, uint32_t, std::less<>> threads_, apis_;
  std::map<std::string, std::string, std::less<>> thread_names_;
  std::unordered_set<uint64_t> calls_;  // foreign correlations of calls
  std::vector<uint64_t> wanted_;        // those of kernels and copies
  std::vector<ImportedRange> ranges_;
  uint64_t dispatches_ = 0, copies_ = 0;
  uint64_t own_correlation_ = 0;  // the last given to a call that has none of its own
};

}  // namespace rtl::import
