// SPDX-License-Identifier: MIT
// analyze_tables.h: writes the parts of rtl analyze's report other than the causes of idle time: a
// GPU's time by category of work, the lines of Python during which it waited, steps, and kernels
// and copies by roctx range, stream and graph node. Each part has a form as text and as
// members of a JSON object. `width`: of the terminal; `rows`: limit for each table; zero: no limit.
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

// Lines of the form "  host code: load_batch, data.py:88, 61.0 %". The percentages are shares of
// the idle time of the GPU that host code caused.
std::string HostLinesAsText(const analysis::HostLines& lines);
// Adds the member "host_lines".
void AddHostLines(const analysis::HostLines& lines, JsonWriter* json);

// Empty: there are no steps. `origin`: the beginning of the trace.
std::string StepsAsText(const std::vector<analysis::StepGroup>& groups, uint64_t origin,
                        size_t rows, size_t width);
void AddSteps(const std::vector<analysis::StepGroup>& groups, size_t rows, JsonWriter* json);

// The tables that have rows.
std::string WorkTables(const analysis::Projection& projection, size_t rows, size_t width);
void AddWork(const analysis::Projection& projection, size_t rows, JsonWriter* json);

}  // namespace rtl::cli
