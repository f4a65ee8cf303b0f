// SPDX-License-Identifier: MIT
// collector.h: turns a spool directory into a database while the traced processes still run.
//
// The collector attaches to every process that appears in the directory, copies records from the
// processes' spools into the database, and when a process dies, accounts for missing events. It
// keeps the spool that it has read, up to a limit, until the database is complete. So if the
// database fails, or if the collector is killed, the database can be made again from the spool.
//
// While all processors are busy, the collector leaves them to the program: it reads only when much
// of a spool is unread, when a caller waits, and at the end.
//
// Threads    one of its own between Start and Stop; the public functions belong to one other thread
// Blocking   Start: opens files. Stop: until the database is complete. WaitForProcess: see there
// Memory     constant, except for one entry per distinct string, kernel and queue
// Errors     if the database cannot be written (full disk), collecting ends. Stop tries to make the
//            database once more, when the program needs no room any more. If that fails, too, Stop
//            returns the reason, no file is left under the output's name, and the spool stays. A
//            problem with one process is a warning
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
  std::string spool;  // directory; Stop removes it unless `keep_spool` is set
  // path of the database; replaces the file that has this name when collecting starts
  std::string output;
  std::string tool_version;  // for the metadata
  // the launched command, for the metadata; empty: the command of the first process
  std::string command;
  bool keep_spool = false;  // delete no segment
  // see kKeptBytes; zero: each segment is deleted when it is read
  uint64_t kept_bytes = kKeptBytes;
  // if it becomes true, Stop fails soon, and the spool stays
  const std::atomic<bool>* cancel = nullptr;
  Choice choice = {};  // the events to write
  // For tests. Null: the system is queried.
  bool (*processor_to_spare)() = nullptr;
  // other processes may join (spool/sharing.h); continue the earlier trace of their job
  bool shared = false;
  // Make one database for each process, named after `output` and the pid ("trace.4711.db"),
  // complete as soon as the process has ended. There is no database with the output's own name. Not
  // with `shared`.
  bool split = false;
  // If nonzero, the database is a window of the last events, which are kept in this many bytes of
  // memory. Of a process whose end has left the window, only the sums are in the database. Further
  // windows ("trace.1.db") are written when a trigger or RequestWindow requests one, when another
  // program requests one (asks.h), and when a process dies while others go on. Not with `split` or
  // `keep_spool`.
  size_t ring_bytes = 0;
  std::string mark_trigger = {};  // the argument `mark` of WindowTriggers::Make
  std::vector<RangeTrigger> range_triggers = {};
  // Keep events while `rtl trace --pid` is attached (asks.h), which then gets a database of these
  // events. There is no other database. Only with `ring_bytes`.
  bool attachable = false;
  // If set, there is no database of the whole trace. Instead, the events of each process are passed
  // to this function in parts while the process runs: a part after `part_bytes` of records or after
  // `part_ns`, and one at the end of the process. If all processors are busy, a part is late by
  // `part_ns` at most. After a failure nothing more is read, and the spool stays. Not with `split`,
  // `ring_bytes`, `attachable` or `shared`.
  std::function<Status(const Part& part)> take_part = {};
  // Called after each round over all processes, even if there was no part. May be null.
  std::function<Status()> round_end = {};
  // Called by Stop after the last part, while the spool still exists.
  std::function<Status(const CollectResult& result)> parts_end = {};
  size_t part_bytes = size_t{4} << 20;
  uint64_t part_ns = 60'000'000'000;
  // Called for every further window, on the collecting thread. May be null.
  std::function<void(const std::string& sentence)> say = {};
};

// The totals of one kind of event. In every result: submitted == recorded + sum of losses.
struct KindTotals {
  uint64_t submitted = 0;
  uint64_t recorded = 0;  // rows in the database
  uint64_t losses[kLossCount] = {};

  uint64_t lost() const;
  uint64_t loss(Loss why) const { return losses[static_cast<size_t>(why)]; }
  void Add(const KindTotals& more);
};

// How a process's spool ended.
enum class ProcessEnd : uint8_t {
  kFinished,   // the process finished its spool
  kKilled,     // the process ended without finishing its spool
  kReplaced,   // the process has become another program by exec
  kAbandoned,  // the process still ran at Stop; the rest of its events is not in the trace
};

// The word in rtl_process.ending and in the manifest: "finished", "killed", "exec", "running".
const char* ProcessEndName(ProcessEnd end);

struct Gpu {
  uint32_t gpu = 0;  // ordinal among the GPUs that the process sees
  uint32_t bdf = 0;
  std::string name, uuid;
};

// For each kind, a phrase for events that could not be seen and are in no count; empty: none are
// known.
using NotCountedEvents = std::array<std::string, kEventKindCount>;

struct ProcessResult {
  uint32_t pid = 0;
  uint32_t parent_pid = 0;
  uint64_t start_ticks = 0;             // since boot; identifies the process together with `pid`
  uint64_t stack = 0;                   // changes with every exec; zero: not known
  uint64_t started = 0, ended = 0;      // in BOOTTIME ns
  int64_t realtime_minus_boottime = 0;  // in ns
  int32_t rank = -1, local_rank = -1;   // in the process's job; -1: none
  uint32_t world = 0;                   // zero: not known
  std::string host, boot_id, job;
  std::string command;
  std::string mode, mode_reason, loaded_by, runtime;
  std::string refusal;  // why kernels of the process are not in the trace; empty: they are
  ProcessEnd end = ProcessEnd::kAbandoned;
  std::string output;      // path of the process's database
  uint64_t rows = 0;       // number of rows of rocpd_op
  uint64_t faults = 0;     // number of memory faults of GPUs
  uint64_t in_flight = 0;  // kernels and recorded barriers in flight when the process ended
  std::vector<Gpu> gpus;
  NotCountedEvents not_counted;
  double most_backlog = 0;            // the largest unread share of the spool's limit
  bool fell_behind = false;           // the collector was too slow, see ProcessReader::FallsBehind
  std::vector<std::string> warnings;  // warnings about this process only
  KindTotals kinds[kEventKindCount];

  const KindTotals& kind(EventKind kind) const { return kinds[static_cast<size_t>(kind)]; }
};

// The events of one process between two moments, as a database. A range that is open at the end of
// a part is in the part as an unclosed range, and again in the next part. Ranges around a part's
// kernels may be only in a later part, because other threads wrote them: see `read`.
struct Part {
  std::string database;  // path; the file is deleted after the call
  size_t process = 0;    // the process's number in the order in which processes were found, from 0
  bool is_last = false;  // the last part of the process: its counts are those of the whole process
  // Numbers of calls of Poll. The part has records of call `read`, and all records up to call
  // `whole`. When a later part has a `whole` greater than this part's `read`, all ranges around
  // this part's kernels are known.
  uint64_t read = 0, whole = 0;
  // Kernels of later parts begin after this time (BOOTTIME ns), unless a kernel takes longer than a
  // part.
  uint64_t settled = 0;
  ProcessResult result;
};

// The beginning of the warning that an earlier trace was kept (left_earlier).
inline constexpr char kLeftEarlierWarning[] = "nothing was recorded; the earlier trace";

struct CollectResult {
  std::string output;  // path of the database; empty: each process has its own
  // Nothing was recorded, so the earlier trace with the output's name was kept.
  bool left_earlier = false;
  // Processes that began late did not find the spool, so they are in no count. A warning reports
  // this.
  bool spool_lost = false;
  KindTotals kinds[kEventKindCount];  // the totals of all processes
  std::vector<ProcessResult> processes;
  std::vector<std::string> warnings;  // sentences for the user, with those of all processes
  uint64_t rows = 0;                  // number of rows of rocpd_op
  NotCountedEvents not_counted;       // the phrases of all processes

  const KindTotals& kind(EventKind kind) const { return kinds[static_cast<size_t>(kind)]; }
  // True if kernels of a process could not be counted by hardware counters; a warning says why.
  bool CountingFailed() const;
  // True if kernels ran that are in no count; a warning says which.
  bool HasUncountedKernels() const;
};

// How the launched program ended, for the metadata.
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
  // read. Returns at once if `pid` does not exist and has left nothing. `has_left`: returns true if
  // the process lives and writes no more, although its spool is not finished.
  void WaitForProcess(uint32_t pid, const std::function<bool()>& has_left = nullptr);

  // Returns when every process has been read to its end, and no other process can join any more.
  // Only for shared spools.
  void WaitForAll();

  // Reads the rest, completes the database under its final name, releases every process, and
  // removes the spool. Processes that still run are abandoned with a warning. Called once.
  Status Stop(const ExitStatus& exit, CollectResult* result);

  // Returns the kernels that are now in flight in living processes. Waits for the collecting
  // thread, at most five seconds. Any thread.
  Status InFlight(std::vector<InFlightRow>* rows);

  // With a ring: requests a window, which is written soon and has `why` as its reason. Any thread.
  void RequestWindow(const std::string& why);

  // Rows written so far; with a ring, the number of events in the window. Any thread.
  uint64_t rows() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rtl::store
