// SPDX-License-Identifier: MIT
#include "fleet/result_file.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <deque>
#include <memory>
#include <unordered_map>

#include "fleet/quoted.h"
#include "parquet/writer.h"

namespace rtl::fleet {
namespace {

template <typename Number>
bool Parse(const std::string& text, Number* out) {
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), *out);
  return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
}

// The narrowest type that fits all values of a column.
parquet::Type TypeOf(const Result& result, size_t column) {
  if (IsText(result.columns[column])) return parquet::Type::kText;
  auto type = parquet::Type::kInt64;
  bool has_any = false;
  for (const auto& row : result.rows) {
    const std::string& cell = row[column];
    if (cell.empty()) continue;
    has_any = true;
    int64_t integer = 0;
    double real = 0;
    if (Parse(cell, &integer)) continue;
    // JSON has no infinity.
    if (!Parse(cell, &real) || !std::isfinite(real)) return parquet::Type::kText;
    type = parquet::Type::kDouble;
  }
  return has_any ? type : parquet::Type::kText;
}

// The values of a column in the form of parquet::Writer.
struct ColumnData {
  std::vector<int64_t> numbers;
  std::vector<uint8_t> present;
  std::deque<std::string> texts;
  std::vector<std::string_view> views;
  std::unordered_map<std::string, int64_t> places;

  void Add(const std::string& cell, parquet::Type type) {
    present.push_back(cell.empty() ? 0 : 1);
    numbers.push_back(0);
    if (cell.empty()) return;
    if (type == parquet::Type::kInt64) {
      Parse(cell, &numbers.back());
    } else if (type == parquet::Type::kDouble) {
      double value = 0;
      Parse(cell, &value);
      numbers.back() = std::bit_cast<int64_t>(value);
    } else {
      const auto [place, is_new] = places.try_emplace(cell, static_cast<int64_t>(texts.size()));
      if (is_new) views.emplace_back(texts.emplace_back(cell));
      numbers.back() = place->second;
    }
  }
};

}  // namespace

bool IsText(std::string_view column) {
  static constexpr std::string_view kTexts[] = {
      "host",  "kernel", "name",    "what",        "state",      "kind",    "boot_id", "source",
      "files", "until",  "verdict", "name_before", "name_after", "most_by", "against"};
  return std::ranges::find(kTexts, column) != std::end(kTexts);
}

std::string AsCsv(const Result& result) {
  std::string text;
  const auto add = [&](const std::vector<std::string>& cells) {
    for (size_t i = 0; i < cells.size(); ++i) text += (i == 0 ? "" : ",") + CsvCell(cells[i]);
    text += '\n';
  };
  add(result.columns);
  for (const auto& row : result.rows) add(row);
  return text;
}

std::string AsJson(const Result& result) {
  std::vector<parquet::Type> types;
  for (size_t i = 0; i < result.columns.size(); ++i) types.push_back(TypeOf(result, i));
  std::string text = "[";
  for (const auto& row : result.rows) {
    text += &row == &result.rows.front() ? "\n{" : ",\n{";
    for (size_t i = 0; i < row.size(); ++i) {
      text += (i == 0 ? "" : ", ") + JsonText(result.columns[i]) + ": ";
      text += row[i].empty()                     ? "null"
              : types[i] == parquet::Type::kText ? JsonText(row[i])
                                                 : row[i];
    }
    text += "}";
  }
  return text + "\n]\n";
}

Status WriteParquet(const Result& result, const std::string& path) {
  std::vector<parquet::Column> columns;
  for (size_t i = 0; i < result.columns.size(); ++i) {
    columns.push_back({result.columns[i], TypeOf(result, i)});
  }
  std::unique_ptr<parquet::Writer> writer;
  RTL_TRY(parquet::Writer::Create(path, columns, &writer));
  for (size_t first = 0; first < result.rows.size(); first += parquet::kGroupRows) {
    const size_t count = std::min(parquet::kGroupRows, result.rows.size() - first);
    std::vector<ColumnData> data(columns.size());
    std::vector<parquet::Values> values;
    for (size_t i = 0; i < columns.size(); ++i) {
      for (size_t row = first; row < first + count; ++row) {
        data[i].Add(result.rows[row][i], columns[i].type);
      }
      values.push_back({data[i].numbers, data[i].present, data[i].views});
    }
    RTL_TRY(writer->WriteGroup(count, values));
  }
  return writer->Commit();
}

}  // namespace rtl::fleet
