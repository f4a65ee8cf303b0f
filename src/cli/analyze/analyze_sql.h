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

// SQL for the idle time of the GPU and the number of its gaps. Empty: SQL cannot express the
// selection. `origin`: the beginning of the first process.
std::string IdleTimeSql(int32_t gpu, const query::SelectionRequest& selection, uint64_t origin);

// SQL for the total and the number of gaps of a cause of idle time. Empty: SQL cannot express the
// selection, or the selection limits the time.
std::string CauseSql(int32_t gpu, const analysis::IdleTime& idle,
                     const query::SelectionRequest& selection);

// SQL for GpuTime::start.
std::string StartSql(int32_t gpu);

// SQL for Finding::cost and Finding::count, for the whole trace.
std::string FindingSql(const analysis::Finding& finding);

// The shell command that runs the SQL.
std::string SqlCommand(const std::string& file, const std::string& sql);

}  // namespace rtl::cli
