// SPDX-License-Identifier: MIT
// analyze_sql.h: lines of SQL that compute the numbers of rtl analyze from the database.
//
// Threads    any
#pragma once

#include <cstdint>
#include <string>

#include "analysis/findings.h"
#include "trace/read/selection.h"

namespace rtl::cli {

// Computes the idle time of the GPU and its number of gaps; empty: SQL cannot express the
// selection. `origin`: the beginning of the first process.
std::string IdleTimeSql(int32_t gpu, const query::SelectionRequest& selection, uint64_t origin);

// Computes the total and the number of gaps of a cause of idle time; empty: as IdleTimeSql, or the
// selection limits the time.
std::string CauseSql(int32_t gpu, const analysis::IdleTime& idle,
                     const query::SelectionRequest& selection);

// Computes GpuTime::start.
std::string StartSql(int32_t gpu);

// Computes Finding::cost and Finding::count, for the whole trace.
std::string FindingSql(const analysis::Finding& finding);

// The shell command that runs it.
std::string SqlCommand(const std::string& file, const std::string& sql);

}  // namespace rtl::cli
