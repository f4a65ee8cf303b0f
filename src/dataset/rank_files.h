// SPDX-License-Identifier: MIT
// rank_files.h: all files of one rank, of which the rows come in parts.
//
// Threads    one
// Blocking   file I/O
// Errors     one line; then nothing more may be added
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
  ~RankFiles();

  const Owner& owner() const { return owner_; }
  // The rank stays as in the claim, whatever the process says.
  void Describe(const store::ProcessResult& process);
  Status AddPart(std::unique_ptr<query::TraceReader> trace, const store::Part& part);
  // Of a process without parts.
  Status AddLosses(const store::ProcessResult& process);
  // Between parts, however long none comes: reads the clocks when a minute has passed, and completes
  // the files that are open when they are `least_ns` old and hold a row group, or are very old.
  Status Tick(uint64_t least_ns);
  // Completes all files. Nothing may be added afterwards.
  Status Finish();
  // Every process has ended, and none goes on as another program.
  bool IsOver() const;
  bool is_finished() const { return is_finished_; }
  std::vector<WrittenFile> files() const;
  bool has_parts() const { return !processes_.empty(); }
  bool Holds(const store::ProcessResult& process) const;

 private:
  struct Process {
    int64_t number = 0;  // in this rank, from 1
    store::ProcessResult result;
    bool is_over = false;  // its last part has come
    tables::EarlierParts earlier;
    // Parts whose rows need ranges of later ones, oldest first.
    struct Held {
      std::unique_ptr<query::TraceReader> trace;
      uint64_t read = 0, settled = 0;              // as of store::Part
      uint64_t number = 0;                         // of the process's parts
      uint64_t came = 0;                           // BOOTTIME ns
      uint64_t first_submit = 0, last_submit = 0;  // of its kernels; 0: it has none
      bool is_whole = false;                       // all parts that its rows need have come
    };
    std::deque<Held> held;
    uint64_t parts = 0;
    // Where no range numbers a step. The kernels, by submission and name, of parts that are not whole.
    tables::RepeatedSteps repeated;
    bool is_repeated = false;  // steps were found so, and ranges no longer count
    std::vector<std::pair<uint64_t, int64_t>> sequence;
    // The numbers that earlier parts have used, by table and kind of event.
    std::map<std::pair<tables::TableId, std::string>, int64_t> ids, next_ids;
    // For kernels that may have begun before them, and for the ranges of their steps.
    struct Waiting {
      SummaryKernel kernel;
      uint64_t submit = 0;
      uint64_t part = 0;  // as Held::number
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
  std::vector<WrittenFile> finished_;            // of the writers that Finish has dropped
  bool is_finished_ = false;
};

}  // namespace rtl::dataset
