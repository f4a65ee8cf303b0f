// SPDX-License-Identifier: MIT
// names.h: what both ways to write a rank's files share: the names of its events for the table
// names, rows of clocks, the order of rows, and the list of files.
//
// Threads    one
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dataset/summaries.h"
#include "dataset/table_writer.h"
#include "tables/batch.h"
#include "tables/columns.h"
#include "trace/read/rows.h"

namespace rtl::dataset {

struct KnownName {
  int64_t name_id = 0;
  std::string kind;  // only for kernels
  bool is_written = false;
};
using Names = std::map<std::string, KnownName, std::less<>>;

// The columns by which rows of the table are ordered inside a row group.
std::vector<std::string_view> OrderOf(tables::TableId table);

// The value of kernels.kind.
KernelKind KindOf(std::string_view text);

// Adds the names in these rows to `names`. Does nothing if the table has no names.
void TakeNames(const tables::Table& table, const tables::Batch& batch,
               const std::vector<uint32_t>& rows, Names* names);

// A row for each name that has none yet.
Status WriteNewNames(const Owner& owner, Names* names, TableWriter* table);

// Sets the columns of the table clocks that a reading has, and ends the row.
Status WriteClock(const query::ClockRow& reading, TableWriter* row);

// The value of kFilesKey.
std::string ListOf(const std::vector<WrittenFile>& files);

}  // namespace rtl::dataset
