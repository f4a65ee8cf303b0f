// SPDX-License-Identifier: MIT
// table_reader.h: reads a table of a trace in batches.
//
// Threads    that of the trace's reader; readers of several tables at once need a TraceReader each
// Blocking   file I/O; kernels, calls and ranges are sorted, see TraceReader
// Memory     one batch, the names, and what the trace's reader needs
// Errors     one line, as TraceReader; a request for a column that the table does not have is
//            rejected
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
struct EarlierParts;  // tables/steps.h

struct TableRequest {
  std::vector<std::string> columns = {};  // in this order; empty: all
  std::optional<std::string> name = {};  // only rows whose name matches this shell pattern: "gemm*"
  query::SelectionRequest selection = {};  // `kernel` selects kernels and their samples only
  // For a part of a trace; the steps in it include those of this part. Null: the trace is whole.
  EarlierParts* earlier = nullptr;
  // The steps of a whole trace. Null: those of its ranges are used.
  const Steps* steps = nullptr;
};

// The source that reads the rows of a table, and the row that it fills.
class RowSource;
class RowBuilder;

class TableReader {
 public:
  // `trace` must have no selection, and must outlive the reader.
  static Status Open(query::TraceReader& trace, const Table& table, const TableRequest& request,
                     std::unique_ptr<TableReader>* out);
  // For rows that do not come from a trace: `source` is open, and applies the selection itself.
  static Status Open(const Table& table, const std::vector<std::string>& columns,
                     std::unique_ptr<RowSource> source, std::unique_ptr<TableReader>* out);
  ~TableReader();

  const Table& table() const { return *table_; }
  // The places in table().columns of the requested columns.
  const std::vector<size_t>& columns() const { return columns_; }
  // After the last row, *out has no rows.
  Status Next(Batch* out);

 private:
  TableReader();
  Status ChooseColumns(const std::vector<std::string>& names);

  const Table* table_ = nullptr;
  std::vector<size_t> columns_;
  std::vector<ColumnBuilder> builders_;  // builders of the requested columns
  std::unique_ptr<RowBuilder> rows_;
  std::unique_ptr<RowSource> source_;
  bool is_at_end_ = false;
};

}  // namespace rtl::tables
