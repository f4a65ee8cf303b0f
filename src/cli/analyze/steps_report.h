// SPDX-License-Identifier: MIT
// steps_report.h: the steps of a program as text, CSV and members of a JSON object.
//
// Threads    any
#pragma once

#include <stddef.h>

#include <string>
#include <vector>

#include "analysis/step_times.h"
#include "cli/base/report_json.h"

namespace rtl::cli {

// Empty: there are no steps. `origin`: the beginning of the trace. `width`: of the terminal; zero:
// no limit.
std::string StepsAsText(const std::vector<analysis::StepGroup>& groups, uint64_t origin,
                        size_t rows, size_t width);
std::string StepsAsCsv(const std::vector<analysis::StepGroup>& groups, size_t rows);
void AddSteps(const std::vector<analysis::StepGroup>& groups, size_t rows, JsonWriter* json);

}  // namespace rtl::cli
