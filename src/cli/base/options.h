// SPDX-License-Identifier: MIT
// options.h: the options of all verbs as plain values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "analysis/compare.h"
#include "analysis/operator_times.h"
#include "analysis/summary.h"
#include "selftest/selftest.h"
#include "trace/collect/window_triggers.h"
#include "trace/read/selection.h"
#include "trace/write/choice.h"

namespace rtl::cli {

// Selects the kernels to count. Empty: all.
struct CounterKernels {
  std::string include, exclude;  // regular expressions
  std::string launches;          // "1-2,5"
};

struct TraceOptions {
  std::string output = "trace.db";
  std::string mode;                     // empty: the value of RTL_MODE
  std::string events;                   // empty: the value of RTL_EVENTS
  std::vector<std::string> counters;    // --pmc
  uint64_t counter_group_interval = 0;  // 0: all --pmc are counted together; else each is a group
  std::string counter_file;             // file with more definitions
  CounterKernels counter_kernels;
  uint64_t pc_sampling_us = 0;   // 0: program counters are not sampled
  uint32_t python_hz = 0;        // 0: the stacks of Python are not sampled
  bool on_vgpu = false;          // --vgpu
  std::optional<uint32_t> gpus;  // --vgpu=N
  bool summary = true;           // set to false by --no-summary
  bool force = false;            // replace files that are no traces
  bool keep_spool = false;
  bool lossless = false;
  bool allow_fallback = false;  // mode clr may fall back to mode hip
  bool keep_going = false;      // run the program even if counters or samples are not available
  bool barriers = false;
  bool paused = false;    // begin paused
  uint64_t delay_ns = 0;  // ns from the start in which nothing is recorded
  // ns after which nothing is recorded; 0: no limit. Used for attaching, too.
  uint64_t duration_ns = 0;
  std::string while_range;             // only while a range of this name is open; empty: always
  store::Choice choice;                // which of the recorded events are written
  bool split = false;                  // a database for every process
  std::optional<double> min_coverage;  // percent of the kernels that must be recorded
  uint64_t hang_timeout_ns = 0;        // 0: none
  size_t ring_bytes = 0;               // 0: every event is kept, and not only a window
  std::string dump_on_mark;            // regular expression; empty: none
  std::vector<store::RangeTrigger> dump_on_ranges;
  std::string dataset;                   // folder; empty: a database is written
  bool only_summaries = false;           // the dataset has no rows of events
  uint64_t segment_ns = 60'000'000'000;  // the least time that a segment of the dataset covers
  std::string pftrace;                   // empty: none; a name with .json: Chrome's JSON
  std::string process;                   // pid of a running program; empty: `command` is started
  std::vector<std::string> command;
};

struct CollectCommand {
  std::string spool;
  std::string output;
  uint32_t pid = 0;  // 0: any
  bool keep_spool = false;
  bool force = false;
  bool attachable = false;  // the process waits for rtl trace --pid
};

struct DumpOptions {
  std::string process;  // pid, or a spool
  std::string output;   // empty: a file in the trace's folder
  bool force = false;
};

struct CountersOptions {
  enum class Action : uint8_t { kList, kInfo, kCheck };
  Action action = Action::kList;
  std::vector<std::string> words;  // parts of a name, or names
  std::string gpu;   // "gfx90a"; empty: the kinds of this machine's GPUs, or all kinds
  std::string file;  // file with more definitions
  bool json = false;
};

enum class TableFormat : uint8_t { kText, kCsv, kJson };

struct SummaryOptions {
  std::string file = "trace.db";
  std::optional<uint32_t> rows;  // 0: all
  analysis::SummaryOrder order = analysis::SummaryOrder::kTotal;
  TableFormat format = TableFormat::kText;
  std::string table = "kernels";             // value of --table
  bool launch = false;                       // launches instead of totals
  bool counters = false;                     // hardware counters instead of totals
  std::optional<analysis::TimesBy> by = {};  // time by operator, … instead of totals
  std::string categories = {};               // a file of rules; empty: the built-in ones
  query::SelectionRequest selection;
};

// A limit on the slowdown of a subject.
struct DiffLimit {
  analysis::Subject subject = analysis::Subject::kKernel;
  double percent = 0;
};

struct DiffOptions {
  std::vector<std::string> before;  // at least one file
  std::vector<std::string> after;   // at least one file
  std::optional<uint32_t> rows;     // 0: all
  TableFormat format = TableFormat::kText;
  std::vector<DiffLimit> limits;
  query::SelectionRequest selection;
};

struct AnalyzeOptions {
  std::string file = "trace.db";
  std::optional<uint32_t> rows;  // rows of each GPU's causes; 0: all
  TableFormat format = TableFormat::kText;
  std::string table = "causes";  // value of --table
  bool sql = false;
  std::string categories = {};  // a file of rules; empty: the built-in ones
  query::SelectionRequest selection;
};

struct HotOptions {
  std::string file = "trace.db";
  std::string kernel;  // regular expression; empty: all
  uint32_t rows = 10;  // rows of each kernel; 0: all
  bool instructions = false;
  TableFormat format = TableFormat::kText;
};

struct ReportOptions {
  std::string file = "trace.db";
  std::string output;  // never empty
  bool force = false;  // replace a file that is no page
  query::SelectionRequest selection;
};

struct InfoOptions {
  std::string file = "trace.db";
  bool json = false;
  bool in_flight = false;  // print only the kernels in flight
};

enum class ConvertTo : uint8_t {
  kPftrace,
  kChrome,
  kDatabase,
  kRpd,
  kParquet,
  kFolded,
  kSpeedscope,
  kCsv,
  kJson,
  kRocpd,
  kOtf2
};
// Whether the format has several files for each process. Their names begin with the output's name.
inline bool IsForEachProcess(ConvertTo to) { return to >= ConvertTo::kCsv; }

struct ConvertOptions {
  std::vector<std::string> files = {"trace.db"};  // several only for parquet
  ConvertTo to = ConvertTo::kPftrace;
  std::string output;      // never empty
  std::string steps = {};  // name of the ranges that are steps, only for chrome; empty: none
  query::SelectionRequest selection = {};  // only for timelines and rocprofv3's files
  bool force = false;                      // replace a file of another kind
  bool summaries = false;                  // only for parquet: write no rows of events

  const std::string& file() const { return files.front(); }
};

struct MergeOptions {
  std::vector<std::string> files;
  std::string output;
  bool force = false;
};

struct ImportOptions {
  std::vector<std::string> files;
  std::string output;
  bool force = false;
};

struct FleetOptions {
  std::string question;  // empty: the questions are listed
  std::string sql;       // value of the question `sql`
  std::vector<std::string> folders;
  std::string from;  // "events", "summaries"; empty: what the question itself uses
  std::map<std::string, std::string> values = {};  // values of the question's parameters
  std::string format = {};                         // "table", "csv", "json", "parquet"
  std::string output = {};                         // empty: standard output
  std::string engine = {};
  std::string memory = "3GB";
  uint32_t threads = 0;  // 0: as many as the machine has
  bool print_sql = false;
};

struct DoctorOptions {
  bool on_vgpu = false;
  std::optional<uint32_t> gpus;
  bool variables = false;  // only list the environment variables
  bool probe = false;      // this process is the program that doctor traces
  bool quiet = false;      // the probe prints nothing
};

using SelftestOptions = selftest::Options;

// The verb has nothing more to do: print `text` and exit with `code` (help, version, wrong
// arguments).
struct Finished {
  int code = 0;
  std::string text;  // to standard output when `code` is 0, else to standard error
};

using Command = std::variant<Finished, TraceOptions, CollectCommand, DumpOptions, SummaryOptions,
                             DiffOptions, AnalyzeOptions, ReportOptions, InfoOptions,
                             ConvertOptions, DoctorOptions, CountersOptions, MergeOptions,
                             HotOptions, ImportOptions, SelftestOptions, FleetOptions>;

inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitLimit = 3;  // rtl diff --fail-if

}  // namespace rtl::cli
