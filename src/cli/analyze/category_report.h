// SPDX-License-Identifier: MIT
// category_report.h: a GPU's time by category of work, as text and members of a JSON object.
//
// Threads    any
#pragma once

#include <stddef.h>

#include <string>

#include "analysis/category_times.h"
#include "cli/base/report_json.h"

namespace rtl::cli {

// "computation 61.0 %, exposed communication 12.0 % (of 20.1 %), exposed copies 1.0 % (of 2.0 %),
// idle 26.0 %"
std::string SharesLine(const analysis::WorkShares& shares);
// A table with its title. `width`: of the terminal; zero: no limit.
std::string CategoriesAsText(const std::string& gpu, const analysis::WorkShares& shares,
                             size_t width);
void AddShares(const analysis::WorkShares& shares, JsonWriter* json);

}  // namespace rtl::cli
