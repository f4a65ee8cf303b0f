// SPDX-License-Identifier: MIT
// table.h: aligned columns; the last one is text of any length. On a narrow terminal columns are
// dropped, and long texts get their own line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace/read/printable.h"

namespace rtl::cli {

enum class Align : uint8_t { kLeft, kRight };

enum class Shorten : uint8_t { kMiddle, kFunction };

struct Column {
  std::string title;
  Align align = Align::kRight;
  Shorten shorten = Shorten::kMiddle;  // of the last column
  // Of columns that do not fit, the one with the greatest value is dropped first; 0: it stays.
  uint8_t drop = 0;
};

// A column of numbers. Of those that do not fit, the one with the greatest `drop` is dropped first.
inline Column Right(const char* title, uint8_t drop) {
  return {title, Align::kRight, Shorten::kMiddle, drop};
}

// A text as one value of a CSV row: in quotes, with its own quotes doubled.
std::string CsvText(const std::string& text);

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void AddRow(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.empty(); }

  // Every line is indented. `width`: characters of a line; 0: no limit but that of long texts.
  std::string Render(size_t width) const;

 private:
  std::vector<size_t> Kept(const std::vector<size_t>& widths, size_t width) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

using query::DisplayWidth;
using query::kLongText;
using query::Printable;
using query::ShortenMiddle;
using query::Shown;
// As ShortenMiddle, for the name of a function: removes first its arguments, then anonymous namespaces.
std::string ShortenFunction(std::string_view name, size_t width);

// From now on the titles of tables on a terminal are bold, unless NO_COLOR or TERM forbids it.
void ChooseColours();

// Columns of the terminal at a descriptor; 0 when it is none.
size_t TerminalWidth(int fd);

}  // namespace rtl::cli
