// SPDX-License-Identifier: MIT
// table_writer.h: writes one table of one rank as Parquet files, DIR/TABLE/LABEL-NNNNNN.parquet.
//
// Threads    one
// Blocking   file I/O
// Memory     the rows of a row group: 8 bytes a value; a column whose values are all NULL takes
//            none
// Errors     one line that names the file
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/status.h"
#include "dataset/columns.h"
#include "parquet/writer.h"
#include "tables/batch.h"
#include "tables/columns.h"

namespace rtl::dataset {

// The version of the columns. It changes when columns change their meaning; then datasets of
// different versions cannot be read together.
inline constexpr char kSchema[] = "2";

// Keys of the pairs in a file's footer.
inline constexpr char kSchemaKey[] = "rtl.schema";
inline constexpr char kRankKey[] = "rtl.rank";    // empty: none
inline constexpr char kWorldKey[] = "rtl.world";  // 0: not known
inline constexpr char kHostKey[] = "rtl.host";
inline constexpr char kShiftKey[] = "rtl.realtime_minus_boottime";  // empty: not known
// In the file of processes only: a line for every other file of the rank, "kernels/NAME ROWS".
inline constexpr char kFilesKey[] = "rtl.files";
// In the file of processes only: "1" if the rank has the sums of steps but no rows of events.
inline constexpr char kSummariesKey[] = "rtl.only_summaries";
// In the file of processes only: "killed", "exec" or "running" if a process of the rank ended in
// that way.
inline constexpr char kEndKey[] = "rtl.end";

// The rank or process to which files belong.
struct Owner {
  std::string label;  // begin of the files' names: "rank-00017"
  std::string rank;   // empty: none
  std::string host;
  uint32_t world = 0;
  std::string realtime_minus_boottime;  // empty: not known
};

// "rank-00017"; without a rank "none-HOST-PID", where characters that file names may not have are
// replaced.
std::string LabelOf(int32_t rank, std::string_view host, uint32_t pid);

// The owner of a rank's files; negative: none. The caller adds its host.
Owner OwnerOf(const std::string& label, int32_t rank);

// Makes the folder if it does not exist.
Status MakeFolder(const std::string& path);

// Inline, so that a library needs nothing of this module but this function.
inline parquet::Type TypeOf(tables::ColumnType type) {
  if (type == tables::ColumnType::kInteger) return parquet::Type::kInt64;
  return type == tables::ColumnType::kReal ? parquet::Type::kDouble : parquet::Type::kText;
}

struct WrittenFile {
  std::string name;  // "kernels/rank-00017-000003.parquet"
  int64_t rows = 0;
  int64_t bytes = 0;
};

class TableWriter {
 public:
  // Inside a row group, rows are sorted by the columns `order`.
  TableWriter(std::string folder, const Table& table, const Owner& owner,
              const std::vector<std::string_view>& order = {});

  // Sets a value of the current row. A column without a value is NULL.
  void Set(size_t column, int64_t value) { Put(&buffers_[column], rows_, value); }
  void SetText(size_t column, std::string_view text);
  Status EndRow() {
    ++rows_;
    return rows_ < parquet::kGroupRows ? Status::Ok() : WriteGroup();
  }
  // Adds these rows of a batch, which has the columns of the table.
  Status Append(const tables::Batch& batch, std::span<const uint32_t> rows);

  void Describe(std::string key, std::string value);
  // Completes the open file. `even_empty`: writes a file although there are no rows.
  Status EndFile(bool even_empty = false);
  // Adds the complete files to `files`.
  void AddFilesTo(std::vector<WrittenFile>* files) const {
    files->insert(files->end(), files_.begin(), files_.end());
  }
  // Number of rows that are in no complete file.
  size_t pending_rows() const { return rows_ + groups_ * parquet::kGroupRows; }

 private:
  // A column of the rows that are not yet in a row group.
  struct Buffer {
    std::vector<int64_t> numbers;  // up to the last row with a value; empty: all are NULL
    std::vector<uint8_t> present;  // whether a row has a value; empty: all in `numbers` have
    std::unordered_map<std::string_view, int64_t> positions;  // place of a text in `texts`
    std::deque<std::string> texts;
    size_t text_bytes = 0;
    // The dictionary of the last batch, and the place in `texts` for each of its entries; -1: not
    // yet known.
    std::shared_ptr<const tables::TextList> known_texts;
    std::vector<int64_t> known;
  };

  static void Put(Buffer* buffer, size_t row, int64_t value) {
    if (buffer->numbers.size() != row || buffer->numbers.capacity() == row) [[unlikely]] {
      MakeRoom(buffer, row);
    }
    buffer->numbers.push_back(value);
    if (!buffer->present.empty()) buffer->present.push_back(1);
  }
  static void MakeRoom(Buffer* buffer, size_t row);
  static int64_t PositionOf(Buffer* buffer, std::string_view text);
  void AppendColumn(const tables::ColumnValues& values, std::span<const uint32_t> rows,
                    Buffer* buffer) const;
  void Sort();
  Status Open();
  Status WriteGroup();
  void Clear();

  std::string folder_;
  std::string table_;
  std::string label_;
  std::vector<parquet::Column> columns_;
  std::vector<size_t> order_;
  std::vector<std::pair<std::string, std::string>> pairs_;
  std::vector<Buffer> buffers_;
  size_t rows_ = 0;    // rows in the buffers
  size_t groups_ = 0;  // row groups in the open file
  std::unique_ptr<parquet::Writer> file_;
  std::vector<WrittenFile> files_;
};

}  // namespace rtl::dataset
