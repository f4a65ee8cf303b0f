// SPDX-License-Identifier: MIT
// footer.h: reads the footer of a Parquet file, which describes the content. The file is not
// trusted.
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
  int64_t type = 0;  // numbers of the Parquet format
  int64_t codec = 0;
  int64_t begin = 0;  // offset of its pages in the file
  int64_t bytes = 0;
  bool has_extremes = false;
  Extremes extremes;  // only of columns of integers
};

struct RowGroup {
  int64_t rows = 0;
  std::vector<ColumnChunk> columns;

  // Null: the row group has no such column.
  const ColumnChunk* Find(std::string_view name) const;
};

struct Footer {
  int64_t rows = 0;
  std::vector<RowGroup> groups;
  std::vector<std::string> columns;
  std::map<std::string, std::string, std::less<>> pairs;
  // Of each column of integers that has statistics in every row group.
  std::map<std::string, Extremes, std::less<>> extremes;
};

// An error describes the file without its name: "empty", "cut off", "damaged".
Status OpenFile(const std::string& path, UniqueFd* out, int64_t* size);
Status ReadFooter(int fd, int64_t size, Footer* out);
Status ReadFooter(const std::string& path, Footer* out);
// False: the file does not have these bytes, or they cannot be read.
bool ReadAt(int fd, int64_t offset, char* to, size_t bytes);
// Reads a footer from memory. `bytes` does not include the length and the magic number after it.
Status ParseFooter(std::string_view bytes, Footer* out);

}  // namespace rtl::parquet
