// SPDX-License-Identifier: MIT
// result_file.h: writes an answer as CSV, JSON or Parquet.
//
// Threads    any
// Memory     the text
// Errors     those of writing the file
#pragma once

#include <string>

#include "base/status.h"
#include "fleet/engine.h"

namespace rtl::fleet {

// Whether a column of a question's answer holds texts. These may look like numbers: a host named
// 017.
bool IsText(std::string_view column);

std::string AsCsv(const Result& result);
// An array of objects. Numbers are numbers, NULL is null.
std::string AsJson(const Result& result);
// Columns of integers are INT64, of other finite numbers DOUBLE, all others UTF8.
Status WriteParquet(const Result& result, const std::string& path);

}  // namespace rtl::fleet
