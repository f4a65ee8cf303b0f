// SPDX-License-Identifier: MIT
// csv.h: reads a table of comma-separated values row by row; the first row names the columns.
//
// Threads    one
// Blocking   file I/O
// Memory     one row
// Errors     one line with the file and the row; the file's content is not trusted
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "import/text_input.h"

namespace rtl::import {

class CsvTable {
 public:
  Status Open(const std::string& path);
  // Renames the columns that differ from `names` in case only. unknown(): columns that are not in
  // `names`.
  void NameColumns(std::span<const std::string_view> names);
  const std::vector<std::string>& unknown() const { return unknown_; }
  // *more: false after the last row.
  Status Next(bool* more);

  bool Has(std::string_view column) const;
  // A cell of the current row. Empty, or zero, if the table has no such column.
  std::string_view Text(std::string_view column) const;
  uint64_t Number(std::string_view column) const;
  // A cell with a time. -1: no such column, or the cell is no whole number.
  int64_t Time(std::string_view column) const;

 private:
  Status ReadRow(std::vector<std::string>* row, size_t* cells);

  void FindSeparator();

  std::string path_;
  TextInput input_;
  char separator_ = ',';
  std::vector<std::string> columns_, unknown_;
  std::vector<std::string> row_;
  size_t cells_ = 0;  // cells of the current row in row_
  uint64_t number_ = 0;
};

}  // namespace rtl::import
