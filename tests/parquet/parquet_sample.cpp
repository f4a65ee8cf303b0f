// SPDX-License-Identifier: MIT
// Writes a table of awkward values as a Parquet file, and as text that readers_test.py compares with
// what other readers read. usage: parquet_sample SEED FILE.parquet FILE.tsv
#include <algorithm>
#include <bit>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "parquet/writer.h"

namespace {

using rtl::parquet::Type;

struct Data {
  std::vector<int64_t> numbers;
  std::vector<uint8_t> present;
  std::vector<std::string> texts;
  std::vector<std::string_view> views;
};

class Sample {
 public:
  explicit Sample(uint64_t seed) : random_(seed) {}

  // One of the ways in which real columns behave.
  Data Make(Type type, size_t rows) {
    Data data;
    const uint64_t way = random_() % 8;
    int64_t last = static_cast<int64_t>(random_());
    if (type == Type::kText) {
      const size_t count = way < 4 ? 1 + random_() % 30 : 1 + rows;
      for (size_t i = 0; i < count; ++i) data.texts.push_back(std::to_string(i) + Text());
      data.views.assign(data.texts.begin(), data.texts.end());
    }
    const uint64_t nulls = random_() % 4;  // none, few, many, all
    for (size_t i = 0; i < rows; ++i) {
      if (type == Type::kText) {
        data.numbers.push_back(static_cast<int64_t>(random_() % data.texts.size()));
      } else if (type == Type::kDouble) {
        const double value = way < 4 ? static_cast<double>(random_() % 9) / 4 - 1
                                     : static_cast<double>(static_cast<int64_t>(random_())) / 3e9;
        data.numbers.push_back(std::bit_cast<int64_t>(value));
      } else {
        data.numbers.push_back(last = Number(way, last));
      }
      data.present.push_back(nulls == 0   ? 1
                             : nulls == 1 ? random_() % 50 != 0
                             : nulls == 2 ? random_() % 3 == 0
                                          : 0);
    }
    if (nulls == 0) data.present.clear();
    return data;
  }

  size_t Rows() {
    const uint64_t way = random_() % 4;
    return way == 0 ? 1 + random_() % 10 : way == 1 ? 128 + random_() % 3 : 1 + random_() % 3000;
  }

 private:
  int64_t Number(uint64_t way, int64_t last) {
    const int64_t extremes[] = {std::numeric_limits<int64_t>::min(),
                                std::numeric_limits<int64_t>::max(), 0, -1};
    switch (way) {
      case 0:
        return 4711;
      case 1:
        return static_cast<int64_t>(random_() % 5) - 2;
      case 2:
        return random_() % 100 < 90 ? last : static_cast<int64_t>(random_() % 300);
      case 3:
        return static_cast<int64_t>(static_cast<uint64_t>(last) + random_() % 5000);
      case 4:
        return extremes[random_() % 4];
      case 5:
        return static_cast<int64_t>(random_());
      case 6:
        return static_cast<int64_t>(random_() >> random_() % 64);
      default:
        return static_cast<int64_t>(static_cast<uint64_t>(last) - random_() % 7);
    }
  }
  std::string Text() {
    const char* const parts[] = {"void gemm<float, 4>(float*)", "", "é", "漢字", "'", ","};
    return parts[random_() % 6];
  }

  std::mt19937_64 random_;
};

int Fail(const rtl::Status& status) {
  std::fprintf(stderr, "parquet_sample: %s\n", status.message());
  return 1;
}

void PrintCell(const Data& data, Type type, size_t row, FILE* to) {
  if (!data.present.empty() && data.present[row] == 0) {
    std::fputs("NULL", to);
  } else if (type == Type::kText) {
    std::fprintf(to, "'%s", data.texts[static_cast<size_t>(data.numbers[row])].c_str());
  } else if (type == Type::kDouble) {
    std::fprintf(to, "%a", std::bit_cast<double>(data.numbers[row]));
  } else {
    std::fprintf(to, "%lld", static_cast<long long>(data.numbers[row]));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const uint64_t seed = std::stoull(argv[1]);
  std::mt19937_64 random(seed);
  Sample sample(seed);
  std::vector<rtl::parquet::Column> columns;
  for (int i = 0; i < 12; ++i) {
    const Type type = i % 4 == 3 ? Type::kText : i % 6 == 2 ? Type::kDouble : Type::kInt64;
    columns.push_back({"c" + std::to_string(i), type});
  }
  std::unique_ptr<rtl::parquet::Writer> writer;
  rtl::Status status = rtl::parquet::Writer::Create(argv[2], columns, &writer);
  if (!status.ok()) return Fail(status);
  FILE* const text = std::fopen(argv[3], "w");
  if (text == nullptr) return 1;
  const uint64_t groups = random() % 4;
  for (uint64_t group = 0; group < groups; ++group) {
    const size_t rows = sample.Rows();
    std::vector<Data> data;
    for (const auto& column : columns) data.push_back(sample.Make(column.type, rows));
    std::vector<rtl::parquet::Values> values;
    for (const Data& column : data) {
      const bool is_null = !column.present.empty() &&
                           std::count(column.present.begin(), column.present.end(), 1) == 0;
      values.push_back({column.numbers, column.present, column.views});
      if (is_null) values.back().numbers = {};
    }
    status = writer->WriteGroup(rows, values);
    if (!status.ok()) return Fail(status);
    for (size_t row = 0; row < rows; ++row) {
      for (size_t i = 0; i < columns.size(); ++i) {
        if (i > 0) std::fputc('\t', text);
        PrintCell(data[i], columns[i].type, row, text);
      }
      std::fputc('\n', text);
    }
  }
  writer->Describe("seed", argv[1]);
  status = writer->Commit();
  if (!status.ok()) return Fail(status);
  return std::fclose(text) == 0 ? 0 : 1;
}
