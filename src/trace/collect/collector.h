// SPDX-License-Identifier: MIT
// collector.h: turns a spool directory into a database while the traced processes still run.
//
// It attaches to every process that appears in the directory, copies records from their spools into
// the database, and accounts for what is missing when a process dies. It keeps what it has read, up
// to a limit, until the database is complete: a database that fails, or whose collector is killed,
// is made again from the spool.
//
// While all processors are busy, the collector leaves them to the program: it reads only when a
// spool has grown, when a caller waits, and at the end.
//
// Threads    one of its own between Start and Stop; the public functions belong to one other thread
// Blocking   Start: opens files. Stop: until the database is complete. WaitForProcess: see there
// Memory     constant, except for one entry per distinct string, kernel and queue
// Errors     a database that cannot be written (full disk) ends collecting. Stop makes it once more,
//            when the program needs no room any more, then returns the reason; no file is left under
//            the output's name, and the spool stays. Trouble with one process is a warning
#pragma once

#include <stdint.h>

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "model/losses.h"
#include "trace/collect/window_triggers.h"
#include "trace/write/choice.h"
#include "trace/write/in_flight_row.h"

namespace rtl::store {

// Until the database is complete, this much of the spool is kept after it has been read.
inline constexpr uint64_t kKeptBytes = uint64_t{256} << 20;

struct CollectResult;
struct Part;

struct CollectOptions {
  std::string spool;         // directory; removed by Stop unless `keep_spool`
  std::string output;        // database; replaces the file that lies there when collecting starts
  std::string tool_version;  // for the metadata
  std::string command;       // the launched command, for the metadata; empty: the first process's
  bool keep_spool = false;   // leave every segment where it is
  uint64_t kept_bytes = kKeptBytes;  // see above; zero: each segment goes when it has been read
  const std::atomic<bool>* cancel = nullptr;  // true: Stop fails soon, and the spool stays
  Choice choice = {};                         // the events to write
  // For tests; null: ask the system.
  bool (*processor_to_spare)() = nullptr;
  bool shared = false;  // processes may join (spool/sharing.h); continue the trace of their job
  // One database for each process, named after `output` and its pid ("trace.4711.db") and complete
  // as soon as the process has ended; none under the output's own name. Not with `shared`.
  bool split = false;
  // Not zero: the database is a window of the last events, which are kept in this many bytes of
  // memory. A process whose end has left the window has only its sums there. Further windows
  // ("trace.1.db") are written when `triggers` or RequestWindow call for one, when another program
  // requests one (asks.h), and when a process dies while others go on. Not with `split`,
  // `keep_spool`.
  size_t ring_bytes = 0;
  std::string mark_trigger = {};  // as of WindowTriggers::Make
  std::vector<RangeTrigger> range_triggers = {};
  // Events are kept while `rtl trace --pid` is attached (asks.h), which gets a database of them;
  // there is no other. With `ring_bytes`.
  bool attachable = false;
  // Not null: there is no database of the whole. The events of each process come in parts, while it
  // runs: a part when `part_bytes` of records or `part_ns` have come together, and one at its end. A
  // busy machine is left to the program for `part_ns` at most.
  // After a failure nothing more is read, and the spool stays. Not with `split`, `ring_bytes`,
  // `attachable`, `shared`.
  std::function<Status(const Part& part)> take_part = {};
  // Called after each round over all processes, also when no part has come. May be null.
  std::function<Status()> round_end = {};
  // Called by Stop after the last part, while the spool is still there.
  std::function<Status(const CollectResult& result)> parts_end = {};
  size_t part_bytes = size_t{4} << 20;
  uint64_t part_ns = 60'000'000'000;
  // Called for every further window, on the collecting thread. May be null.
  std::function<void(const std::string& sentence)> say = {};
};

// The totals of one kind of event. In every result: seen == recorded + sum of losses.
struct KindTotals {
  uint64_t seen = 0;
  uint64_t recorded = 0;  // rows in the database
  uint64_t losses[kLossCount] = {};

  uint64_t lost() const;
  uint64_t loss(Loss why) const { return losses[static_cast<size_t>(why)]; }
  void Add(const KindTotals& more);
};

// The end of a process's spool.
enum class ProcessEnd : uint8_t {
  kFinished,   // the process finished its spool
  kKilled,     // it ended without finishing its spool
  kReplaced,   // by exec: it has become another program
  kAbandoned,  // still running at Stop: the rest of its events is not in the trace
};

// As in rtl_process.ending and in the manifest: "finished", "killed", "exec", "running".
const char* ProcessEndName(ProcessEnd end);

struct Gpu {
  uint32_t gpu = 0;  // ordinal among those that the process sees
  uint32_t bdf = 0;
  std::string name, uuid;
};

// Events, by kind, that could not be seen and are in no number; empty: none are known.
using UnseenEvents = std::array<std::string, kEventKindCount>;

struct ProcessResult {
  uint32_t pid = 0;
  uint32_t parent_pid = 0;
  uint64_t start_ticks = 0;             // since boot: with `pid`, an identity
  uint64_t stack = 0;                   // another one after exec; zero: not known
  uint64_t started = 0, ended = 0;      // BOOTTIME ns
  int64_t realtime_minus_boottime = 0;  // ns
  int32_t rank = -1, local_rank = -1;   // in its job; -1: none
  uint32_t world = 0;                   // zero: not known
  std::string host, boot_id, job;
  std::string command;
  std::string mode, mode_reason, loaded_by, runtime;
  std::string refusal;  // why its kernels are not in the trace; empty: they are
  ProcessEnd end = ProcessEnd::kAbandoned;
  std::string output;      // its database
  uint64_t rows = 0;       // of rocpd_op
  uint64_t faults = 0;     // of GPUs
  uint64_t in_flight = 0;  // kernels and recorded barriers, when it ended
  std::vector<Gpu> gpus;
  UnseenEvents unseen;
  double most_backlog = 0;            // the largest unread part of its spool's limit
  bool fell_behind = false;           // the collector: see ProcessReader::FallsBehind
  std::vector<std::string> warnings;  // of this process alone
  KindTotals kinds[kEventKindCount];

  const KindTotals& kind(EventKind kind) const { return kinds[static_cast<size_t>(kind)]; }
};

// The events of one process between two moments, as a database. Ranges that are open at its end are
// in it as unclosed ones, and again in the next part. Ranges around its kernels may be in a later part
// only, since other threads wrote them: see `read`.
struct Part {
  std::string database;  // loses its name after the call
  size_t process = 0;    // the process's ordinal, from 0, as they were found
  bool is_last = false;  // its counts are those of the whole process
  // Counts calls of Poll: it has records of this one, and all records up to `whole`. When a part comes
  // with a `whole` greater than `read`, all ranges around the kernels of this one are known.
  uint64_t read = 0, whole = 0;
  // Kernels of later parts begin after this (BOOTTIME ns), unless one takes longer than a part.
  uint64_t settled = 0;
  ProcessResult result;
};

// The begin of the warning about an earlier trace that stays (left_earlier).
inline constexpr char kLeftEarlierWarning[] = "nothing was recorded; the earlier trace";

struct CollectResult {
  std::string output;  // path of the database; empty: see the processes
  // Nothing was recorded, and the trace that lies under the output's name stays.
  bool left_earlier = false;
  // Processes that began late did not find the spool: they are in no number. A warning says so.
  bool spool_lost = false;
  KindTotals kinds[kEventKindCount];  // all processes together
  std::vector<ProcessResult> processes;
  std::vector<std::string> warnings;  // sentences for the user, those of the processes included
  uint64_t rows = 0;                  // of rocpd_op
  UnseenEvents unseen;                // of any process

  const KindTotals& kind(EventKind kind) const { return kinds[static_cast<size_t>(kind)]; }
  // A process could not count kernels; a warning says why.
  bool CountingFailed() const;
  // Kernels ran that are in no number; a warning says which.
  bool HasUncountedKernels() const;
};

// The end of the launched program, for the metadata.
struct ExitStatus {
  enum class How : uint8_t { kUnknown, kExited, kSignalled };
  How how = How::kUnknown;
  int number = 0;  // exit code, or signal
};

class Collector {
 public:
  Collector();
  ~Collector();  // without Stop: the database is dropped, the spool stays
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;

  Status Start(const CollectOptions& options);

  // Returns when the process `pid` has finished its spool or is gone, and all its records have been
  // read; at once when `pid` does not exist and has left nothing. `has_left`: true if the process
  // lives and writes no more, although its spool was not finished.
  void WaitForProcess(uint32_t pid, const std::function<bool()>& has_left = nullptr);

  // Returns when every process has been read to its end, and no other can join any more. For
  // shared spools.
  void WaitForAll();

  // Reads the rest, completes the database under its final name, releases every process, removes
  // the spool. Processes that still run are abandoned with a warning. Call it once.
  Status Stop(const ExitStatus& exit, CollectResult* result);

  // The kernels in flight now in living processes; waits for the collecting thread, at most five
  // seconds. Any thread.
  Status InFlight(std::vector<InFlightRow>* rows);

  // With a ring: soon writes a window and names `why` as its reason. Any thread.
  void RequestWindow(const std::string& why);

  // Rows written so far; with a ring, events in the window. Any thread.
  uint64_t rows() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rtl::store
