// SPDX-License-Identifier: MIT
// operator_tables.h: writes the time of kernels by operator, module, line or category as text, CSV
// and JSON.
#pragma once

#include <string>

#include "analysis/operator_times.h"

namespace rtl::cli {

// `rows`: limit (0: all). `width`: limit for a line (0: none). `source`: the other tool that made
// the trace; null: rtl made it.
std::string OperatorsAsText(const std::string& file, const std::string* source,
                            analysis::TimesBy by, const analysis::OperatorTimes& times, size_t rows,
                            size_t width);
std::string OperatorsAsCsv(const analysis::OperatorTimes& times, size_t rows);
std::string OperatorsAsJson(const std::string& file, const analysis::OperatorTimes& times,
                            size_t rows);

}  // namespace rtl::cli
