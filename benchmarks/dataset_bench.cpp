// SPDX-License-Identifier: MIT
// Writes a table of a dataset anew, by the writer of datasets: rows per second on one core, bytes a row, and the memory
// that it takes beyond the rows themselves.
//
// usage: dataset_bench DATASET TABLE [ROUNDS]
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "dataset/names.h"
#include "dataset/table_writer.h"
#include "parquet/reader.h"
#include "tables/batch.h"

namespace {

using rtl::Status;
using rtl::tables::Batch;
using rtl::tables::ColumnType;
using rtl::tables::ColumnValues;
using rtl::tables::TextList;
namespace parquet = rtl::parquet;

parquet::Type TypeOf(ColumnType type) {
  return type == ColumnType::kInteger ? parquet::Type::kInt64
         : type == ColumnType::kReal  ? parquet::Type::kDouble
                                      : parquet::Type::kText;
}

ColumnValues Values(ColumnType type, const parquet::ReadColumn& read, size_t rows) {
  ColumnValues values;
  values.type = type;
  std::shared_ptr<uint64_t[]> valid(new uint64_t[rows / 64 + 1]());
  for (size_t row = 0; row < rows; ++row) {
    if (read.IsNull(row)) {
      ++values.nulls;
    } else {
      valid[row / 64] |= uint64_t{1} << (row % 64);
    }
  }
  if (values.nulls > 0) values.valid = valid;
  const bool is_text = type == ColumnType::kName || type == ColumnType::kText;
  if (values.nulls == rows || !is_text) {
    std::shared_ptr<int64_t[]> numbers(new int64_t[rows]());
    std::copy(read.numbers.begin(), read.numbers.end(), numbers.get());
    values.values = numbers;
    if (is_text) values.texts = std::make_shared<TextList>();
    return values;
  }
  auto texts = std::make_shared<TextList>();
  if (type == ColumnType::kName) {
    for (const std::string_view text : read.texts) texts->Add(text);
    std::shared_ptr<int32_t[]> keys(new int32_t[rows]());
    for (size_t row = 0; row < rows; ++row) keys[row] = static_cast<int32_t>(read.numbers[row]);
    values.values = keys;
  } else {
    for (size_t row = 0; row < rows; ++row) {
      texts->Add(read.IsNull(row) ? "" : read.texts[static_cast<size_t>(read.numbers[row])]);
    }
  }
  values.texts = texts;
  return values;
}

Status Load(const std::string& path, std::span<const rtl::tables::Column> columns,
            std::vector<Batch>* out) {
  std::unique_ptr<parquet::Reader> reader;
  RTL_TRY(parquet::Reader::Open(path, &reader));
  for (const parquet::RowGroup& group : reader->footer().groups) {
    Batch batch;
    batch.rows = static_cast<size_t>(group.rows);
    for (const rtl::tables::Column& column : columns) {
      parquet::ReadColumn read;
      RTL_TRY(reader->Read(group, column.name, TypeOf(column.type), &read));
      batch.columns.push_back(Values(column.type, read, batch.rows));
    }
    out->push_back(std::move(batch));
  }
  return Status::Ok();
}

double ProcessorSeconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// In KB.
int64_t MostMemory() {
  rusage used;
  (void)getrusage(RUSAGE_SELF, &used);
  return used.ru_maxrss;
}

int64_t MemoryNow() {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  long pages = 0, resident = 0;
  if (file == nullptr || std::fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
  if (file != nullptr) std::fclose(file);
  return resident * 4;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: dataset_bench DATASET TABLE [ROUNDS]\n", stderr);
    return 2;
  }
  const rtl::tables::Table* const known = rtl::tables::FindTable(argv[2]);
  if (known == nullptr) {
    std::fprintf(stderr, "dataset_bench: there is no table %s\n", argv[2]);
    return 2;
  }
  const std::string table = known->name;
  const auto columns = known->columns;
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(argv[1]) + "/" + table, error)) {
    files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  std::vector<Batch> batches;
  for (const std::string& file : files) {
    const Status loaded = Load(file, columns, &batches);
    if (loaded.ok()) continue;
    std::fprintf(stderr, "dataset_bench: %s: %s\n", file.c_str(), loaded.message());
    return 1;
  }
  size_t rows = 0;
  for (const Batch& batch : batches) rows += batch.rows;
  if (rows == 0) {
    std::fprintf(stderr, "dataset_bench: %s/%s has no rows\n", argv[1], table.c_str());
    return 1;
  }
  const std::string folder =
      (std::filesystem::temp_directory_path() / fmt::format("dataset-bench-{}", getpid())).string();
  std::vector<double> speeds;
  int64_t bytes = 0;
  const int64_t before = MemoryNow();
  for (int round = 0; round < (argc > 3 ? std::atoi(argv[3]) : 7); ++round) {
    rtl::dataset::TableWriter writer(
        folder, {table.c_str(), columns},
        {.label = "rank-00000", .rank = "0", .host = "", .world = 1, .realtime_minus_boottime = ""},
        rtl::dataset::OrderOf(known->id));
    const double began = ProcessorSeconds();
    for (const Batch& batch : batches) {
      std::vector<uint32_t> all(batch.rows);
      std::iota(all.begin(), all.end(), 0U);
      Status status = writer.Append(batch, all);
      if (status.ok()) continue;
      std::fprintf(stderr, "dataset_bench: %s\n", status.message());
      return 1;
    }
    const Status ended = writer.EndFile();
    speeds.push_back(static_cast<double>(rows) / (ProcessorSeconds() - began) / 1e6);
    std::vector<rtl::dataset::WrittenFile> files;
    writer.AddFilesTo(&files);
    bytes = 0;
    for (const auto& file : files) bytes += file.bytes;
    if (!ended.ok()) std::fprintf(stderr, "dataset_bench: %s\n", ended.message());
    std::filesystem::remove_all(folder, error);
  }
  std::sort(speeds.begin(), speeds.end());
  std::printf(
      "%s: %zu rows, %.2f bytes each, %.1f million a second of the processor [%.1f .. %.1f], %.0f "
      "MB of memory\n",
      table.c_str(), rows, static_cast<double>(bytes) / static_cast<double>(rows),
      speeds[speeds.size() / 2], speeds.front(), speeds.back(),
      static_cast<double>(MostMemory() - before) / 1024);
  return 0;
}
