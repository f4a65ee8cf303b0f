// SPDX-License-Identifier: MIT
// result_file.h: an answer as CSV, JSON or Parquet.
//
// Threads    any
// Memory     the text
// Errors     of the file
#pragma once

#include <string>

#include "base/status.h"
#include "fleet/engine.h"

namespace rtl::fleet {

// A column of the questions that has texts, which may look like numbers: a host named 017.
bool IsText(std::string_view column);

std::string AsCsv(const Result& result);
// An array of objects. Numbers are numbers, NULL is null.
std::string AsJson(const Result& result);
// Columns of integers are INT64, of other finite numbers DOUBLE, all others UTF8.
Status WriteParquet(const Result& result, const std::string& path);

}  // namespace rtl::fleet
