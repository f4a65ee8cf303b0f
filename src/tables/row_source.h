// SPDX-License-Identifier: MIT
// row_source.h: what the sources of all tables share: the batch that they fill, and the columns
// about a row's process and name.
//
// Threads    that of the trace's reader
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "tables/batch.h"
#include "tables/columns.h"
#include "tables/name_id.h"
#include "tables/table_reader.h"
#include "trace/read/id_cache.h"
#include "trace/read/rows.h"
#include "trace/read/trace_reader.h"

namespace rtl::tables {

// The current row. Values of columns that were not requested are dropped. A requested column
// without a value is NULL. `Columns` is the enumeration of the table's columns.
class RowBuilder {
 public:
  explicit RowBuilder(std::vector<ColumnBuilder*> builders);

  template <typename Columns>
  bool Wants(Columns column) const {
    return builders_[static_cast<size_t>(column)] != nullptr;
  }
  template <typename Columns, typename Value>
  void Set(Columns column, Value value) {
    ColumnBuilder* const builder = builders_[static_cast<size_t>(column)];
    if (builder != nullptr) builder->Set(rows_, static_cast<uint64_t>(value));
  }
  // Sets NULL if `is_known` is false.
  template <typename Columns, typename Value>
  void SetIf(bool is_known, Columns column, Value value) {
    if (is_known) Set(column, value);
  }
  // Sets NULL if there is no value.
  template <typename Columns>
  void SetIf(Columns column, std::optional<int64_t> value) {
    if (value) Set(column, *value);
  }
  template <typename Columns>
  void SetReal(Columns column, double value) {
    Set(column, std::bit_cast<uint64_t>(value));
  }
  // Sets a name or a text. An empty one is NULL.
  template <typename Columns>
  void SetText(Columns column, std::string_view text) {
    ColumnBuilder* const builder = builders_[static_cast<size_t>(column)];
    if (builder == nullptr || text.empty()) return;
    if (builder->type() == ColumnType::kText) return builder->SetText(rows_, text);
    builder->Set(rows_, static_cast<uint64_t>(builder->dictionary().Key(text)));
  }
  template <typename Columns>
  int32_t Key(Columns column, std::string_view text) {
    ColumnBuilder* const builder = builders_[static_cast<size_t>(column)];
    return builder == nullptr ? 0 : builder->dictionary().Key(text);
  }

  // For a source that fills whole columns. Null: the column was not requested.
  ColumnBuilder* Builder(size_t column) { return builders_[column]; }
  void EndRows(size_t count) { rows_ += count; }

  void EndRow() { ++rows_; }
  size_t rows() const { return rows_; }
  bool is_full() const { return rows_ == kBatchRows || (!texts_.empty() && has_full_text()); }
  Batch Finish(const std::vector<size_t>& columns);
  // The number of times that a dictionary was cleared. Keys from before are not valid any more.
  uint32_t generation() const { return generation_; }

 private:
  bool has_full_text() const;

  // By place of the column in the table; null: not requested.
  std::vector<ColumnBuilder*> builders_;
  std::vector<ColumnBuilder*> texts_;  // the builders of columns of type kText
  size_t rows_ = 0;
  uint32_t generation_ = 0;
};

// The processes of a trace, and whether their rows are requested.
class Processes {
 public:
  Status Load(query::TraceReader& trace, std::optional<int32_t> rank);
  const std::vector<query::Process>& all() const { return all_; }
  // Null: the trace does not have this process.
  const query::Process* Find(int64_t id) const {
    if (last_ != nullptr && last_->id == id) return last_;
    return FindOther(id);
  }
  bool Takes(int64_t id) const {
    if (!rank_) return true;
    const query::Process* const process = Find(id);
    return process != nullptr && process->rank == *rank_;
  }

  // Sets the columns that all tables have.
  template <typename Columns>
  void Set(int64_t id, RowBuilder& row) const {
    row.Set(Columns::process, id);
    const query::Process* const process = Find(id);
    if (process == nullptr) return;
    row.Set(Columns::pid, process->pid);
    row.SetIf(process->rank >= 0, Columns::rank, process->rank);
    if (!row.Wants(Columns::host)) return;
    if (host_of_ != process || host_generation_ != row.generation()) {
      host_of_ = process;
      host_generation_ = row.generation();
      host_ = row.Key(Columns::host, process->host);
    }
    row.SetIf(!process->host.empty(), Columns::host, host_);
  }

 private:
  const query::Process* FindOther(int64_t id) const;

  std::vector<query::Process> all_;
  std::unordered_map<int64_t, size_t> place_;
  mutable const query::Process* last_ = nullptr;
  mutable const query::Process* host_of_ = nullptr;
  mutable int32_t host_ = 0;  // key of its host in the column
  mutable uint32_t host_generation_ = 0;
  std::optional<int32_t> rank_;
};

// Facts that follow from a name, so they are found once for each name.
struct NameFacts {
  int32_t key = 0;  // key in the dictionary of the column
  int64_t name_id = 0;
  bool is_wanted = true;          // the request selects this name
  int32_t kind = 0;               // only of a kernel: key in the dictionary of the column
  bool is_communication = false;  // only of a kernel
};

// Finds the facts of a table's names, by the id of their text.
class NamesOfTable {
 public:
  // Without a pattern, every name is selected.
  void Open(query::TraceReader& trace, const std::optional<std::string>& pattern) {
    trace_ = &trace;
    pattern_ = pattern;
  }
  bool Matches(const std::string& name) const;
  // `make` adds the source's own facts: void(std::string_view name, NameFacts*). *out is valid
  // until the next call.
  template <typename Columns, typename Make>
  Status Find(int64_t id, RowBuilder& row, const Make& make, const NameFacts** out) {
    if (generation_ != row.generation()) {
      known_ = {};
      generation_ = row.generation();
    }
    *out = known_.Find(id);
    if (*out != nullptr) return Status::Ok();
    std::string_view text;
    RTL_TRY(trace_->Text(id, &text));
    NameFacts facts{.key = row.Key(Columns::name, text), .name_id = NameId(text)};
    facts.is_wanted = Matches(std::string(text));
    make(text, &facts);
    *out = known_.Add(id, facts);
    return Status::Ok();
  }
  template <typename Columns>
  Status Find(int64_t id, RowBuilder& row, const NameFacts** out) {
    return Find<Columns>(
        id, row, [](std::string_view, NameFacts*) {}, out);
  }
  template <typename Columns>
  static void Set(const NameFacts& name, RowBuilder& row) {
    row.Set(Columns::name, name.key);
    row.Set(Columns::name_id, name.name_id);
  }

 private:
  query::TraceReader* trace_ = nullptr;
  std::optional<std::string> pattern_;
  query::IdCache<NameFacts> known_;
  uint32_t generation_ = 0;
};

class RowSource {
 public:
  virtual ~RowSource() = default;
  // Opens the cursors on a trace without a selection. A source that does not read a trace is open
  // from the start.
  virtual Status Open(query::TraceReader& /*trace*/, const TableRequest& /*request*/,
                      const RowBuilder& /*row*/) {
    return Status::Ok();
  }
  // Adds rows until the batch is full, or none are left.
  virtual Status AddRows(RowBuilder& row) = 0;
};

std::unique_ptr<RowSource> MakeKernelSource();
std::unique_ptr<RowSource> MakeCallSource();
// Of copies, barriers, ranges, operators, events and samples.
std::unique_ptr<RowSource> MakeSpanSource(TableId table);
// Of counters, GPUs, processes, threads and losses.
std::unique_ptr<RowSource> MakeSmallSource(TableId table);

}  // namespace rtl::tables
