// SPDX-License-Identifier: MIT
// writer.h: a Parquet file of one flat table.
//
// Threads    one
// Blocking   file I/O; Commit waits until the file is on the disk
// Memory     one column of a row group, encoded and compressed
// Errors     one line that names the file. The file appears under its name at Commit, complete;
//            until then it is `.NAME.tmp-PID` beside it, a name that engines do not read
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "base/unique_fd.h"
#include "parquet/encodings.h"
#include "parquet/thrift.h"

struct ZSTD_CCtx_s;

namespace rtl::parquet {

// Rows of a row group: fewer take more bytes a row, more take longer to read a part of.
inline constexpr size_t kGroupRows = 122880;

enum class Type : uint8_t { kInt64, kDouble, kText };
int TypeId(Type type);  // its number in the format

struct Column {
  std::string name;
  Type type = Type::kInt64;
};

// A column of one row group.
struct Values {
  // kInt64: the value; kDouble: its bits; kText: its position in `texts`. Empty: all rows are NULL.
  std::span<const int64_t> numbers;
  std::span<const uint8_t> present;  // of each row: 0 is NULL; empty: none is
  // All different.
  std::span<const std::string_view> texts;
};

class Writer {
 public:
  // `columns` in the order of the file.
  static Status Create(const std::string& path, std::vector<Column> columns,
                       std::unique_ptr<Writer>* out);
  ~Writer();  // without Commit: no file is left
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // A pair in the file's footer.
  void Describe(std::string key, std::string value);
  Status WriteGroup(size_t rows, std::span<const Values> group);  // of each column
  Status Commit();

  int64_t rows() const { return rows_; }
  int64_t bytes() const { return bytes_; }

 private:
  struct Chunk;  // a column in a row group
  struct Page;

  Writer() = default;
  Status Put(std::string_view bytes);
  Status PutPage(const Page& page, Chunk* chunk);
  Status PutChunk(const Column& column, const Values& values, Chunk* chunk);
  void PutLevels(const Values& values, Chunk* chunk);
  Status PutNumbers(const Column& column, Chunk* chunk);
  Status PutTexts(const Values& values, Chunk* chunk);
  Status PutPositions(Chunk* chunk);
  void DescribeChunk(const Column& column, const Chunk& chunk, ThriftWriter* out) const;
  std::string Footer() const;

  std::string path_;
  std::string temporary_;
  UniqueFd fd_;
  std::vector<Column> columns_;
  std::vector<std::pair<std::string, std::string>> pairs_;
  ThriftWriter groups_;
  size_t group_count_ = 0;
  int64_t rows_ = 0;
  int64_t bytes_ = 0;
  ZSTD_CCtx_s* compressor_ = nullptr;
  // Of the column that is being written; kept for their memory.
  std::vector<int64_t> known_;  // without NULL
  std::string levels_;
  std::string body_;
  std::string compressed_;
  Dictionary dictionary_;
};

}  // namespace rtl::parquet
