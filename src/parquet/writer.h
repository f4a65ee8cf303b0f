// SPDX-License-Identifier: MIT
// writer.h: writes a Parquet file with one flat table.
//
// Threads    one
// Blocking   file I/O; Commit waits until the file is on the disk
// Memory     one column of a row group, encoded and compressed
// Errors     one line that names the file. Commit gives the complete file its name. Until then it
//            is
//            `.NAME.tmp-PID` in the same folder, a name that engines do not read
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

// Rows in a row group. Smaller groups take more bytes per row; larger ones make it slower to read a
// part.
inline constexpr size_t kGroupRows = 122880;

enum class Type : uint8_t { kInt64, kDouble, kText };
int TypeId(Type type);  // the type's number in the format

struct Column {
  std::string name;
  Type type = Type::kInt64;
};

// A column of one row group.
struct Values {
  // kInt64: the value; kDouble: its bits; kText: its position in `texts`. Empty: all rows are NULL.
  std::span<const int64_t> numbers;
  std::span<const uint8_t> present;  // for each row 0 if it is NULL, else 1; empty: no row is NULL
  // No two are equal.
  std::span<const std::string_view> texts;
};

class Writer {
 public:
  // `columns` in the order of the file.
  static Status Create(const std::string& path, std::vector<Column> columns,
                       std::unique_ptr<Writer>* out);
  ~Writer();  // if Commit was not called, removes the file
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Adds a key and a value to the footer.
  void Describe(std::string key, std::string value);
  // `group`: the values of each column.
  Status WriteGroup(size_t rows, std::span<const Values> group);
  Status Commit();

  int64_t rows() const { return rows_; }
  int64_t bytes() const { return bytes_; }

 private:
  struct Chunk;  // a column of the current row group
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
  // Of the current column. They are members so that their memory is used again.
  std::vector<int64_t> known_;  // the values of rows that are not NULL
  std::string levels_;
  std::string body_;
  std::string compressed_;
  Dictionary dictionary_;
};

}  // namespace rtl::parquet
