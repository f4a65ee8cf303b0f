// SPDX-License-Identifier: MIT
// reader.h: reads the values of a Parquet file that writer.h wrote. The file is not trusted.
//
// Threads    one
// Blocking   file I/O
// Memory     the footer, and one column of a row group at a time
// Errors     a description without the file's name: "its footer is damaged"
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/unique_fd.h"
#include "parquet/footer.h"
#include "parquet/writer.h"

struct ZSTD_DCtx_s;

namespace rtl::parquet {

// A column of one row group.
struct ReadColumn {
  // kInt64: the value; kDouble: its bits; kText: its position in `texts`. The number of a row that
  // is NULL has no meaning. Empty: all rows are NULL.
  std::vector<int64_t> numbers;
  std::vector<uint8_t> present;  // for each row 0 if it is NULL, else 1; empty: no row is NULL
  std::vector<std::string_view> texts;
  std::string text_bytes;  // owns the bytes of `texts`

  bool IsNull(size_t row) const {
    return numbers.empty() || (!present.empty() && present[row] == 0);
  }
};

class Reader {
 public:
  static Status Open(const std::string& path, std::unique_ptr<Reader>* out);
  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  const Footer& footer() const { return footer_; }
  // Reads the column `name` of a row group. The column must have this type.
  Status Read(const RowGroup& group, std::string_view name, Type type, ReadColumn* out);

 private:
  struct Page;

  Reader() = default;
  Status ReadPage(std::string_view* bytes, Page* page);
  Status TakeLevels(size_t rows, std::string_view* body, ReadColumn* out);
  Status TakeValues(const Page& page, Type type, std::string_view body, ReadColumn* out);

  UniqueFd fd_;
  int64_t size_ = 0;
  Footer footer_;
  ZSTD_DCtx_s* decompressor_ = nullptr;
  // Of the current column. They are members so that their memory is used again.
  std::string bytes_;
  std::string body_;
  std::vector<int64_t> dictionary_;
  std::vector<int64_t> known_;  // the values of rows that are not NULL
};

}  // namespace rtl::parquet
