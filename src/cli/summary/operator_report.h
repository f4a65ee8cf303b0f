// SPDX-License-Identifier: MIT
// operator_report.h: the time of kernels by operator, module, line or category, as text, CSV and
// JSON.
#pragma once

#include <string>

#include "analysis/operator_times.h"

namespace rtl::cli {

// At most `rows` (0: all); lines at most `width` wide (0: no limit). `source`: the tool that made the
// trace; null: this one.
std::string OperatorsAsText(const std::string& file, const std::string* source,
                            analysis::TimesBy by, const analysis::OperatorTimes& times, size_t rows,
                            size_t width);
std::string OperatorsAsCsv(const analysis::OperatorTimes& times, size_t rows);
std::string OperatorsAsJson(const std::string& file, const analysis::OperatorTimes& times,
                            size_t rows);

}  // namespace rtl::cli
