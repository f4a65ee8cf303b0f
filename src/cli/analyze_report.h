// SPDX-License-Identifier: MIT
// analyze_report.h: why each GPU was idle, as text, CSV or JSON.
//
// Threads    any
#pragma once

#include <stddef.h>

#include <string>
#include <vector>

#include "analysis/idle_time.h"

namespace rtl::cli {

struct AnalyzeReport {
  std::string file;
  std::vector<std::string> gpu_names;  // by ordinal; empty: not known
  uint64_t origin = 0;                 // when the first process began
  query::SelectionRequest selection;   // what is analyzed
  analysis::IdleAnalysis idle;
};

// `rows`: causes of each GPU; zero: all. `width`: of the terminal; zero: any.
std::string AnalyzeAsText(const AnalyzeReport& report, size_t rows, size_t width);
std::string AnalyzeAsCsv(const AnalyzeReport& report, size_t rows);
std::string AnalyzeAsJson(const AnalyzeReport& report, size_t rows);

// What computes the idle time of the GPU from the database, for sqlite3; empty: no line of SQL selects
// what `selection` does. `origin`: when the first process began.
std::string IdleTimeSql(int32_t gpu, const query::SelectionRequest& selection, uint64_t origin);

}  // namespace rtl::cli
