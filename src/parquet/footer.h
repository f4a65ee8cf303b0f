// SPDX-License-Identifier: MIT
// footer.h: the end of a Parquet file, which says what is in it. For files that are not trusted.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/unique_fd.h"

namespace rtl::parquet {

struct Extremes {
  int64_t least = 0, most = 0;
};

// A column of a row group.
struct ColumnChunk {
  std::string name;
  int64_t type = 0;  // numbers of the format
  int64_t codec = 0;
  int64_t begin = 0;  // of its pages in the file
  int64_t bytes = 0;
  bool has_extremes = false;
  Extremes extremes;  // of integers
};

struct RowGroup {
  int64_t rows = 0;
  std::vector<ColumnChunk> columns;

  // Null: there is none.
  const ColumnChunk* Find(std::string_view name) const;
};

struct Footer {
  int64_t rows = 0;
  std::vector<RowGroup> groups;
  std::vector<std::string> columns;
  std::map<std::string, std::string, std::less<>> pairs;
  // Of the columns of integers that have statistics in every row group.
  std::map<std::string, Extremes, std::less<>> extremes;
};

// An error says what is wrong with the file: "empty", "cut off", "damaged". It does not name it.
Status OpenFile(const std::string& path, UniqueFd* out, int64_t* size);
Status ReadFooter(int fd, int64_t size, Footer* out);
Status ReadFooter(const std::string& path, Footer* out);
// False: the file has no such bytes, or cannot be read.
bool ReadAt(int fd, int64_t offset, char* to, size_t bytes);
// The same of a footer without the bytes after it.
Status ParseFooter(std::string_view bytes, Footer* out);

}  // namespace rtl::parquet
