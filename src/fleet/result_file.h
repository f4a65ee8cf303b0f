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

std::string AsCsv(const Result& result);
// An array of objects. Numbers are numbers, NULL is null.
std::string AsJson(const Result& result);
// Columns of integers are INT64, of other numbers DOUBLE, all others UTF8.
Status WriteParquet(const Result& result, const std::string& path);

}  // namespace rtl::fleet
