// SPDX-License-Identifier: MIT
// rank_files.h: writes all files of one rank, whose rows come in parts.
//
// Threads    one
// Blocking   file I/O
// Errors     one line; after an error nothing more may be added
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analysis/kernel_category.h"
#include "base/status.h"
#include "dataset/claim.h"
#include "dataset/names.h"
#include "dataset/summaries.h"
#include "dataset/table_writer.h"
#include "tables/steps.h"
#include "tables/table_reader.h"
#include "trace/collect/collector.h"
#include "trace/read/trace_reader.h"

namespace rtl::dataset {

class RankFiles {
 public:
  RankFiles(std::string folder, Owner owner, Claim claim, bool only_summaries);

  const Owner& owner() const { return owner_; }
  // Sets the facts of the owner. Its rank stays that of the claim, even if the process has another.
  void Describe(const store::ProcessResult& process);
  Status AddPart(std::unique_ptr<query::TraceReader> trace, const store::Part& part);
  // Adds a process that has no parts.
  Status AddLosses(const store::ProcessResult& process);
  // Call it between parts, also when none comes for long. Reads the clocks once a minute. Completes
  // the open files if they are at least `least_ns` old and hold a row group, or if they are very
  // old.
  Status Tick(uint64_t least_ns);
  // Completes all files. Nothing may be added afterwards.
  Status Finish();
  // True if every process has ended and none is continued by another program.
  bool IsOver() const;
  bool is_finished() const { return is_finished_; }
  void AddFilesTo(std::vector<WrittenFile>* files) const;
  bool has_parts() const { return !processes_.empty(); }
  bool Holds(const store::ProcessResult& process) const;

 private:
  struct Process {
    int64_t number = 0;  // number in this rank, from 1
    store::ProcessResult result;
    bool is_over = false;  // its last part has come
    tables::EarlierParts earlier;
    // Parts that wait for later ones, because those may have ranges that their rows need. The
    // oldest is first.
    struct Held {
      std::unique_ptr<query::TraceReader> trace;
      uint64_t read = 0, settled = 0;              // store::Part::read and settled
      uint64_t number = 0;                         // ordinal among the parts of the process
      uint64_t came = 0;                           // time of arrival, BOOTTIME ns
      uint64_t first_submit = 0, last_submit = 0;  // of the part's kernels; 0: there are none
      bool is_whole = false;  // no later part can have ranges that its rows need
    };
    std::deque<Held> held;
    uint64_t parts = 0;
    // The search for repeated steps, used if no range numbers a step. `sequence` has the kernels,
    // as pairs of submission and name, that are not yet passed to it.
    tables::RepeatedSteps repeated;
    bool is_repeated = false;  // steps were found as repetitions; ranges no longer count
    std::vector<std::pair<uint64_t, int64_t>> sequence;
    // The highest ids that earlier parts have used, by table and kind of event.
    std::map<std::pair<tables::TableId, std::string>, int64_t> ids, next_ids;
    // Kernels that are not yet summed: kernels that began earlier, or the ranges of their steps,
    // may still come.
    struct Waiting {
      SummaryKernel kernel;
      uint64_t submit = 0;
      uint64_t part = 0;  // Held::number
    };
    std::vector<Waiting> waiting;
    std::unique_ptr<Summaries> summaries;
  };

  Process& Find(const store::Part& part);
  TableWriter& Writer(tables::TableId table);
  Status AddTable(query::TraceReader& trace, const tables::Table& table, bool is_last,
                  Process* process);
  void Renumber(const tables::Table& table, Process* process, tables::Batch* batch) const;
  Status AddHeld(bool is_last, Process* process);
  Status AddWhole(Process* process);
  static void FindSteps(uint64_t until, Process* process);
  Status TakeSpans(Process::Held* part, Process* process);
  Status AddSums(bool is_last, Process* process);
  Status AddClock();
  Status EndFiles();
  size_t MostPending() const;

  std::string folder_;
  Owner owner_;
  Claim claim_;
  bool only_summaries_;
  std::map<tables::TableId, TableWriter> writers_;
  std::unique_ptr<SummaryFiles> sums_;
  std::unique_ptr<TableWriter> name_writer_, clock_writer_;
  Names names_;
  analysis::KernelCategories categories_;
  std::map<size_t, Process> processes_;          // by Part::process
  uint64_t segment_began_ = 0, clock_read_ = 0;  // BOOTTIME ns
  std::string end_;                              // the value of kEndKey
  std::vector<WrittenFile> finished_;            // files of the writers that Finish has dropped
  bool is_finished_ = false;
};

}  // namespace rtl::dataset
