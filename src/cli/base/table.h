// SPDX-License-Identifier: MIT
// table.h: writes a table with aligned columns. The last column is text of any length. If the
// terminal is narrow, columns are dropped, and long texts get their own line. Also what reports
// share: the rows to show, texts in CSV, and counts in words.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
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
  Shorten shorten = Shorten::kMiddle;  // only for the last column
  // If columns do not fit, the one with the greatest value is dropped first. 0: never dropped.
  uint8_t drop = 0;
};

// A column of numbers. `drop`: Column::drop.
inline Column Right(const char* title, uint8_t drop) {
  return {title, Align::kRight, Shorten::kMiddle, drop};
}

// The default number of rows in each table.
inline constexpr uint32_t kUsualRows = 20;

// The rows to show. `most`: the requested number; zero: all.
template <typename Rows>
auto FirstRows(size_t most, const Rows& rows) {
  return std::span(rows).first(most == 0 ? rows.size() : std::min(most, rows.size()));
}

// The line after a table that does not show all rows. `how`: what prints all.
std::string MoreRows(size_t most, size_t all, const std::string& how = "-n 0 prints all");

// A part of the whole, from 0 to 1. Zero: there is no whole.
inline double Share(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// "1 kernel", "2,000 kernels". `many`: the plural if it is not `one` with an s.
std::string Counted(uint64_t count, const std::string& one, const std::string& many = "");

// A text as one value of a CSV row: in quotes, with its own quotes doubled.
std::string CsvText(const std::string& text);

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void AddRow(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.empty(); }

  // Every line is indented. `width`: characters in a line; 0: no limit, except for long texts.
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
// Shortens the name of a function: drops its arguments first, then anonymous namespaces, and then
// shortens the rest as ShortenMiddle does.
std::string ShortenFunction(std::string_view name, size_t width);

// From now on the titles of tables on a terminal are bold, unless NO_COLOR or TERM forbids it.
void ChooseColours();

// The number of columns of the terminal at a descriptor. 0: it is no terminal.
size_t TerminalWidth(int fd);

}  // namespace rtl::cli
