// SPDX-License-Identifier: MIT
#include "import/csv.h"

#include <strings.h>

#include <algorithm>
#include <charconv>

namespace rtl::import {
namespace {

constexpr size_t kMostColumns = 256;
constexpr size_t kLongestCell = size_t{1} << 20;

}  // namespace

Status CsvTable::Open(const std::string& path) {
  path_ = path;
  RTL_TRY(input_.Open(path));
  input_.SkipByteOrderMark();
  FindSeparator();
  size_t cells = 0;
  RTL_TRY(ReadRow(&columns_, &cells));
  columns_.resize(cells);
  return Status::Ok();
}

void CsvTable::NameColumns(std::span<const std::string_view> names) {
  for (std::string& column : columns_) {
    const auto known = std::find_if(names.begin(), names.end(), [&](std::string_view name) {
      return name.size() == column.size() &&
             strncasecmp(name.data(), column.data(), name.size()) == 0;
    });
    if (known != names.end()) {
      column = *known;
    } else {
      unknown_.push_back(column);
    }
  }
}

// A spreadsheet separates cells by semicolons or tabs if its language writes commas in numbers.
void CsvTable::FindSeparator() {
  const std::string_view window = input_.Window();
  const std::string_view header = window.substr(0, window.find('\n'));
  for (const char other : {';', '\t'}) {
    if (std::count(header.begin(), header.end(), other) >
        std::count(header.begin(), header.end(), separator_)) {
      separator_ = other;
    }
  }
}

// *cells: the number of cells; zero after the last row. A cell in quotes may contain commas, line
// ends, and quotes that are doubled. Spaces before a cell are dropped.
Status CsvTable::ReadRow(std::vector<std::string>* row, size_t* cells) {
  *cells = 0;
  ++number_;
  input_.Mark();
  std::string* cell = nullptr;
  bool quoted = false;
  for (;;) {
    const size_t before = input_.Tell();
    const char next = input_.Consume();
    const bool at_end = next == '\0' && input_.Tell() == before;
    if (at_end) {
      RTL_TRY(input_.status());
      if (quoted) {
        return Status::Error("%s: row %llu ends inside of quotes", path_.c_str(),
                             static_cast<unsigned long long>(number_));
      }
      return Status::Ok();
    }
    if (cell == nullptr) {
      if (next == '\n' || next == '\r') continue;  // an empty line
      if (*cells == kMostColumns) {
        return Status::Error("%s: row %llu has more than %zu columns", path_.c_str(),
                             static_cast<unsigned long long>(number_), kMostColumns);
      }
      if (*cells == row->size()) row->emplace_back();
      cell = &(*row)[(*cells)++];
      cell->clear();
    }
    if (quoted) {
      if (next != '"') {
        *cell += next;
      } else if (input_.Peek() == '"') {
        *cell += input_.Consume();
      } else {
        quoted = false;
      }
    } else if (next == '"') {
      quoted = true;
    } else if (next == separator_) {
      if (*cells == kMostColumns) continue;
      if (*cells == row->size()) row->emplace_back();
      cell = &(*row)[(*cells)++];
      cell->clear();
    } else if (next == '\n') {
      return Status::Ok();
    } else if (next != '\r' && (next != ' ' || !cell->empty())) {
      *cell += next;
    }
    if (cell->size() > kLongestCell) {
      return Status::Error("%s: has a value that is too long for a trace", path_.c_str());
    }
  }
}

Status CsvTable::Next(bool* more) {
  RTL_TRY(ReadRow(&row_, &cells_));
  *more = cells_ != 0;
  if (*more && cells_ != columns_.size()) {
    return Status::Error("%s: row %llu has %zu columns, not %zu", path_.c_str(),
                         static_cast<unsigned long long>(number_), cells_, columns_.size());
  }
  return Status::Ok();
}

bool CsvTable::Has(std::string_view column) const {
  return std::find(columns_.begin(), columns_.end(), column) != columns_.end();
}

std::string_view CsvTable::Text(std::string_view column) const {
  for (size_t i = 0; i < columns_.size() && i < cells_; ++i) {
    if (columns_[i] == column) return row_[i];
  }
  return {};
}

uint64_t CsvTable::Number(std::string_view column) const {
  const std::string_view text = Text(column);
  uint64_t value = 0;
  (void)std::from_chars(text.data(), text.data() + text.size(), value);  // otherwise 0
  return value;
}

int64_t CsvTable::Time(std::string_view column) const {
  const std::string_view text = Text(column);
  int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  // A spreadsheet may have rewritten the time as 1.72E+14, which loses its last digits. Such a time
  // is rejected.
  return read.ec == std::errc() && read.ptr == end ? value : -1;
}

}  // namespace rtl::import
