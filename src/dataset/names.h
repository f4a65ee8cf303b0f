// SPDX-License-Identifier: MIT
// names.h: collects the names of a rank's events for the table names; and orders and lists tables.
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

// The value of kFilesKey.
std::string ListOf(const std::vector<WrittenFile>& files);

}  // namespace rtl::dataset
