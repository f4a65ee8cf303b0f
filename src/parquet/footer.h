// SPDX-License-Identifier: MIT
// footer.h: the end of a Parquet file, which says what is in it. For files that are not trusted.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace rtl::parquet {

struct Extremes {
  int64_t least = 0, most = 0;
};

struct Footer {
  int64_t rows = 0;
  std::vector<std::string> columns;
  std::map<std::string, std::string, std::less<>> pairs;
  // Of the columns of integers that have statistics in every row group.
  std::map<std::string, Extremes, std::less<>> extremes;
};

// An error says what is wrong with the file: "empty", "cut off", "damaged". It does not name it.
Status ReadFooter(const std::string& path, Footer* out);
// The same of a footer without the bytes after it.
Status ParseFooter(std::string_view bytes, Footer* out);

}  // namespace rtl::parquet
