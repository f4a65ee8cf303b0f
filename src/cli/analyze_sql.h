// SPDX-License-Identifier: MIT
// analyze_sql.h: lines of SQL that compute from the database what rtl analyze says.
//
// Threads    any
#pragma once

#include <cstdint>
#include <string>

#include "analysis/findings.h"
#include "query/selection.h"

namespace rtl::cli {

// What computes the idle time of the GPU and its number of gaps; empty: no line of SQL selects what
// `selection` does. `origin`: when the first process began.
std::string IdleTimeSql(int32_t gpu, const query::SelectionRequest& selection, uint64_t origin);

// What computes the total and the number of gaps of a cause of idle time; empty: as IdleTimeSql, or the
// selection is of times.
std::string CauseSql(int32_t gpu, const analysis::IdleTime& idle,
                     const query::SelectionRequest& selection);

// What computes GpuTime::start.
std::string StartSql(int32_t gpu);

// What computes Finding::cost and Finding::count, of a trace of which nothing was selected.
std::string FindingSql(const analysis::Finding& finding);

// The line that runs it, for a shell.
std::string SqlCommand(const std::string& file, const std::string& sql);

}  // namespace rtl::cli
