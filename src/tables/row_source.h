// SPDX-License-Identifier: MIT
// row_source.h: what the sources of the tables share: the batch they fill, and what rows say about
// their process and their name.
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

// The row being made. Columns that were not requested take no value, and those of a row that get none
// are NULL. `Columns` is the table's enumeration.
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
  // NULL if `is_known` is false.
  template <typename Columns, typename Value>
  void SetIf(bool is_known, Columns column, Value value) {
    if (is_known) Set(column, value);
  }
  template <typename Columns>
  void SetReal(Columns column, double value) {
    Set(column, std::bit_cast<uint64_t>(value));
  }
  // A name or a text, as it comes; empty: NULL.
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

  // For a source that has whole columns. Null: not requested.
  ColumnBuilder* Builder(size_t column) { return builders_[column]; }
  void EndRows(size_t count) { rows_ += count; }

  void EndRow() { ++rows_; }
  size_t rows() const { return rows_; }
  bool is_full() const { return rows_ == kBatchRows || (!texts_.empty() && has_full_text()); }
  Batch Finish(const std::vector<size_t>& columns);
  // Counts how often numbers of dictionaries began anew.
  uint32_t generation() const { return generation_; }

 private:
  bool has_full_text() const;

  std::vector<ColumnBuilder*> builders_;  // by column of the table; null: not requested
  std::vector<ColumnBuilder*> texts_;     // those of texts
  size_t rows_ = 0;
  uint32_t generation_ = 0;
};

// The processes of a trace, and which of them are requested.
class Processes {
 public:
  Status Load(query::TraceReader& trace, std::optional<int32_t> rank);
  const std::vector<query::Process>& all() const { return all_; }
  // One that the trace does not have: null.
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
  mutable int32_t host_ = 0;  // its key in the column
  mutable uint32_t host_generation_ = 0;
  std::optional<int32_t> rank_;
};

// What follows from a name.
struct NameFacts {
  int32_t key = 0;  // in the dictionary of the column
  int64_t name_id = 0;
  bool is_wanted = true;          // by the request
  int32_t kind = 0;               // of a kernel: the key in the dictionary of the column
  bool is_communication = false;  // of a kernel
};

// The names of the events of a table, by the id of their text.
class NamesOfTable {
 public:
  // Without a pattern, every name matches.
  void Open(query::TraceReader& trace, const std::optional<std::string>& pattern) {
    trace_ = &trace;
    pattern_ = pattern;
  }
  bool Matches(const std::string& name) const;
  // `make` adds the source's own facts: void(std::string_view name, NameFacts*). Valid until the
  // next call.
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
  // Opens the cursors of a trace, which has no selection. Sources of something else are open.
  virtual Status Open(query::TraceReader& trace, const TableRequest& request,
                      const RowBuilder& row) {
    (void)trace, (void)request, (void)row;
    return Status::Ok();
  }
  // Adds rows until the batch is full, or none are left.
  virtual Status AddRows(RowBuilder& row) = 0;
};

std::unique_ptr<RowSource> MakeKernelSource();
std::unique_ptr<RowSource> MakeCallSource();
std::unique_ptr<RowSource> MakeCopySource();
std::unique_ptr<RowSource> MakeBarrierSource();
std::unique_ptr<RowSource> MakeRangeSource();
std::unique_ptr<RowSource> MakeEventSource();
std::unique_ptr<RowSource> MakeSampleSource();
std::unique_ptr<RowSource> MakeCounterSource();
std::unique_ptr<RowSource> MakeGpuSource();
std::unique_ptr<RowSource> MakeProcessSource();
std::unique_ptr<RowSource> MakeOperatorSource();
std::unique_ptr<RowSource> MakeThreadSource();
std::unique_ptr<RowSource> MakeLossSource();

}  // namespace rtl::tables
