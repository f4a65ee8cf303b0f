// SPDX-License-Identifier: MIT
// imported_trace.h: writes the database that foreign traces become. The reader of a format calls it
// with the names and numbers of the foreign trace, and this class makes the model's records of
// them.
//
//   reader of a format ── Kernel, Copy, Call, Range, … ── ImportedTrace ── records ── TraceWriter
//
// It is not known what a foreign trace lost. The completeness report says so (store::kSourceTag).
//
// Threads    one
// Blocking   file I/O
// Memory     an entry per device, stream, name, thread and call, 8 bytes per kernel, the ranges of
//            each process, and the kernels and copies that come before their calls in the file
// Errors     those of TraceWriter
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "model/event_kinds.h"
#include "model/records.h"
#include "trace/write/trace_writer.h"

namespace rtl::import {

// Times are nanoseconds of the trace's own clock. `correlation`: the foreign number of the call
// that submitted the work; zero: none.
struct ImportedKernel {
  std::string_view name;
  uint64_t device = 0, stream = 0, correlation = 0;
  int64_t start = 0, end = 0;
  int64_t submitted = 0;  // zero: not known
  uint32_t thread = 0;    // the thread that submitted it; zero: not known
  uint32_t grid[3] = {};  // work-items
  uint32_t workgroup[3] = {};
  uint32_t group_segment = 0, private_segment = 0, registers = 0, scalar_registers = 0;
};

// The number of a device that is not a GPU, or not known.
inline constexpr uint64_t kNoDevice = UINT64_MAX;

struct ImportedCopy {
  CopyKind kind = CopyKind::kUnknown;
  uint64_t correlation = 0, bytes = 0;
  uint64_t source = kNoDevice, target = kNoDevice;  // GPUs
  int64_t start = 0, end = 0;
  int64_t submitted = 0;  // zero: not known
  uint32_t thread = 0;    // the thread that made the call; zero: not known
};

struct ImportedCall {
  std::string_view name;
  std::string_view thread;
  std::string_view arguments = {};  // as text: "ptr=0x7f00, size=4"
  std::optional<int32_t> result = {};
  bool is_compiler = false;  // EventKind::kCompilerCall
  uint64_t correlation = 0;
  int64_t start = 0, end = 0;
};

// An event of a span kind (model/event_kinds.h): a call of HSA or RCCL, an allocation. `name`: its
// operation. Only a call has arguments and a result.
struct ImportedSpan : ImportedCall {
  EventKind kind = EventKind::kAllocation;
  std::span<const uint64_t> values = {};  // other kinds: the values of the kind's fields
  uint64_t device = kNoDevice;            // the agent among the values; kNoDevice if it is no GPU
};

struct ImportedMark {
  std::string_view name;
  std::string_view thread;
  int64_t time = 0;
};

struct ImportedRange {
  std::string name;
  std::string thread;
  int64_t start = 0, end = 0;
  // The range was started and stopped; otherwise it was pushed and popped.
  bool is_start_stop = false;
};

// An operator of a framework, or a Python function.
struct ImportedOperator {
  bool is_function = false;
  std::string_view name, inputs;
  std::string_view thread;
  int64_t start = 0, end = 0;
};

// How many events of a file became rows, and why others did not.
struct ImportReport {
  uint64_t kernels = 0, copies = 0, calls = 0, ranges = 0, operators = 0, functions = 0;
  uint64_t spans = 0;  // calls of other interfaces than HIP, and allocations
  uint64_t early = 0;  // kernels and copies that begin before their call, because the clocks differ
  // Number of events without a row, by reason: "a time that goes backwards".
  std::map<std::string, uint64_t> unused;

  void Add(const ImportReport& other);
};

struct ImportedDevice {
  std::string name;     // "gfx942"
  std::string product;  // "AMD Instinct MI300X"
  std::string uuid;     // empty: the trace does not identify the chip
  uint32_t compute_units = 0;
};

// The facts of a process, for rtl_process. A fact that is not known stays empty.
struct ImportedProcess {
  std::string format;   // "torch.profiler"
  std::string file;     // the foreign trace
  std::string command;  // the command line, or the name of the process
  std::string host;
  uint32_t pid = 0;
  int32_t rank = -1;
  uint32_t world = 0;
  int64_t realtime_minus_clock = 0;  // time of day minus the trace's own clock
};

// Several processes can be open at once. Every function refers to the process that was chosen last.
class ImportedTrace {
 public:
  ImportedTrace();
  ~ImportedTrace();
  Status Create(const std::string& output) { return writer_.Create(output); }

  // Opens a process and chooses it.
  size_t BeginProcess(const ImportedProcess& facts);
  void Choose(size_t process) { now_ = processes_[process].get(); }
  // The facts of the chosen process. Its reader may change them until EndProcess. Rank and pid are
  // part of every row, so rows have the values that were known at the first event.
  ImportedProcess& facts();
  int32_t rank_of_rows() const;
  uint32_t pid_of_rows() const;
  void NameDevice(uint64_t device, ImportedDevice about);
  void NameThread(std::string_view thread, std::string_view name);
  Status Add(const ImportedKernel& kernel);
  Status Add(const ImportedCopy& copy);
  Status Add(const ImportedCall& call);
  Status Add(const ImportedSpan& span);
  Status Add(const ImportedMark& mark);
  Status Add(const ImportedOperator& one);
  Status Add(ImportedRange range);
  // Counts an event that has no row.
  void Leave(std::string_view why, uint64_t events = 1);
  // Leaves an event, which is no error.
  Status Skip(std::string_view why) {
    Leave(why);
    return Status::Ok();
  }
  // Chooses the process, ends it, and adds its report to `report`.
  Status EndProcess(size_t process);

  // The sum over the processes that have ended. The caller clears it before each file.
  ImportReport& report() { return report_; }
  Status Commit(const std::string& tool_version, const std::string& command, std::string* written);

 private:
  struct Process;

  void BeginRows();
  template <typename Record>
  Status Write(Record record, std::string_view text = {});
  Status AgentOf(uint64_t device, uint32_t* agent);
  Status QueueOf(uint64_t device, uint64_t stream, uint32_t* queue);
  Status KernelOf(uint32_t agent, const ImportedKernel& kernel, uint32_t* number);
  Status ThreadOf(std::string_view thread, uint32_t* number);
  Status ApiOf(std::string_view name, uint32_t* api);
  bool OperationOf(EventKind kind, std::string_view name, uint16_t* operation);
  uint64_t Linked(uint64_t correlation);
  uint64_t Submitted(int64_t submitted, int64_t start);
  template <typename Record>
  bool SubmitByCall(Record* record);
  Status WriteHeld();
  bool Sound(int64_t start, int64_t end);
  Status WriteRanges();
  Status WriteNames();
  void CountUnlinked();

  store::TraceWriter writer_;
  std::vector<std::unique_ptr<Process>> processes_;
  Process* now_ = nullptr;  // the process chosen last
  ImportReport report_;
  std::vector<ImportedProcess> ended_;
  int64_t trace_first_ = INT64_MAX, trace_last_ = 0;
  uint64_t totals_[kEventKindCount] = {};
  std::string text_;              // text of the current record
  std::vector<uint64_t> record_;  // the current record with its text
  std::unordered_map<std::string_view, uint16_t> operations_[kEventKindCount];  // number by name
};

}  // namespace rtl::import
