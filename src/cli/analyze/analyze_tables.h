// SPDX-License-Identifier: MIT
// analyze_tables.h: the parts of rtl analyze's report besides the causes of idle time: a GPU's time
// by category of work, the lines of Python during which it waited, steps, and kernels and copies by
// roctx range, stream and graph node. As text, CSV, and members of a JSON object. `width`: of the
// terminal; `rows`: of each table; zero: no limit.
//
// Threads    any
#pragma once

#include <stddef.h>

#include <string>
#include <vector>

#include "analysis/category_times.h"
#include "analysis/host_lines.h"
#include "analysis/projection.h"
#include "analysis/step_times.h"
#include "cli/base/report_json.h"

namespace rtl::cli {

// "computation 61.0 %, exposed communication 12.0 % (of 20.1 %), exposed copies 1.0 % (of 2.0 %),
// idle 26.0 %"
std::string SharesLine(const analysis::WorkShares& shares);
// A table with its title.
std::string CategoriesAsText(const std::string& gpu, const analysis::WorkShares& shares,
                             size_t width);
void AddShares(const analysis::WorkShares& shares, JsonWriter* json);

// "  host code: load_batch, data.py:88, 61.0 %", a line each. Shares are of the GPU's idle time that
// host code caused.
std::string HostLinesAsText(const analysis::HostLines& lines);
// The member "host_lines".
void AddHostLines(const analysis::HostLines& lines, JsonWriter* json);

// Empty: there are no steps. `origin`: the beginning of the trace.
std::string StepsAsText(const std::vector<analysis::StepGroup>& groups, uint64_t origin,
                        size_t rows, size_t width);
std::string StepsAsCsv(const std::vector<analysis::StepGroup>& groups, size_t rows);
void AddSteps(const std::vector<analysis::StepGroup>& groups, size_t rows, JsonWriter* json);

// The non-empty tables.
std::string WorkTables(const analysis::Projection& projection, size_t rows, size_t width);
void AddWork(const analysis::Projection& projection, size_t rows, JsonWriter* json);

}  // namespace rtl::cli
