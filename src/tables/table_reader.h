// SPDX-License-Identifier: MIT
// table_reader.h: hands out a table of a trace in batches.
//
// Threads    that of the trace's reader; readers of several tables at once need a TraceReader each
// Blocking   file I/O; kernels, calls and ranges are sorted, see TraceReader
// Memory     one batch, the names, and what the trace's reader needs
// Errors     one line, as TraceReader; a request for what the table does not have is refused
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "tables/batch.h"
#include "tables/columns.h"
#include "trace/read/selection.h"
#include "trace/read/trace_reader.h"

namespace rtl::tables {

class Steps;          // tables/steps.h
struct EarlierParts;  // the same

struct TableRequest {
  std::vector<std::string> columns = {};   // in this order; empty: all
  std::optional<std::string> name = {};    // only rows with such a name, as in a shell: "gemm*"
  query::SelectionRequest selection = {};  // `kernel` selects kernels and their samples only
  // Of a trace in parts; its steps include those of this part. Null: the trace is whole.
  EarlierParts* earlier = nullptr;
  // The steps of a whole trace. Null: those of its ranges.
  const Steps* steps = nullptr;
};

// The rows of one table, which a reader puts into a batch.
class RowSource;
class RowBuilder;

class TableReader {
 public:
  // `trace` has no selection, and outlives the reader.
  static Status Open(query::TraceReader& trace, const Table& table, const TableRequest& request,
                     std::unique_ptr<TableReader>* out);
  // Rows that come from elsewhere: `source` is open, and has selected them.
  static Status Open(const Table& table, const std::vector<std::string>& columns,
                     std::unique_ptr<RowSource> source, std::unique_ptr<TableReader>* out);
  ~TableReader();

  const Table& table() const { return *table_; }
  // The positions in table().columns of those that were requested.
  const std::vector<size_t>& columns() const { return columns_; }
  // A batch without rows comes after the last.
  Status Next(Batch* out);

 private:
  TableReader();
  Status ChooseColumns(const std::vector<std::string>& names);

  const Table* table_ = nullptr;
  std::vector<size_t> columns_;
  std::vector<ColumnBuilder> builders_;  // of columns_
  std::unique_ptr<RowBuilder> rows_;
  std::unique_ptr<RowSource> source_;
  bool is_at_end_ = false;
};

}  // namespace rtl::tables
