// SPDX-License-Identifier: MIT
// analyze_report.h: why each GPU was idle, as text, CSV (analyze_csv.cpp) or JSON.
//
// Threads    any
#pragma once

#include <stddef.h>

#include <string>
#include <vector>

#include "analysis/findings.h"
#include "analysis/idle_time.h"
#include "analysis/projection.h"
#include "query/selection.h"

namespace rtl::cli {

struct AnalyzeReport {
  std::string file;
  std::vector<std::string> gpu_names;  // by ordinal; empty: not known
  uint64_t origin = 0;                 // when the first process began
  query::SelectionRequest selection;   // what is analyzed
  bool packed = false;                 // no line of SQL can read its kernels
  bool has_gap_view = false;           // not in traces of earlier versions
  analysis::IdleAnalysis idle;
  std::vector<analysis::Finding> findings;
  analysis::Projection work;
};

// `rows`: of each table; zero: all. `width`: of the terminal; zero: any.
std::string AnalyzeAsText(const AnalyzeReport& report, size_t rows, size_t width);
// One of AnalyzeTables.
std::string AnalyzeAsCsv(const AnalyzeReport& report, size_t rows, const std::string& table);
std::vector<std::string> AnalyzeTables();
std::string AnalyzeAsJson(const AnalyzeReport& report, size_t rows);

}  // namespace rtl::cli
