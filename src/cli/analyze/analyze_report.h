// SPDX-License-Identifier: MIT
// analyze_report.h: writes the causes of each GPU's idle time as text, CSV (analyze_csv.cpp) or
// JSON.
//
// Threads    any
#pragma once

#include <stddef.h>

#include <map>
#include <string>
#include <vector>

#include "analysis/category_times.h"
#include "analysis/findings.h"
#include "analysis/host_lines.h"
#include "analysis/idle_time.h"
#include "analysis/projection.h"
#include "analysis/step_times.h"
#include "trace/read/gpu_names.h"
#include "trace/read/selection.h"

namespace rtl::cli {

struct AnalyzeReport {
  std::string file;
  std::map<int32_t, query::GpuName> gpu_names;
  uint64_t origin = 0;                // beginning of the first process
  query::SelectionRequest selection;  // the analyzed part
  bool has_gap_view = false;          // false: the trace is of an earlier version
  bool sql = false;                   // AnalyzeAsText prints SQL, too
  analysis::IdleAnalysis idle;
  std::vector<analysis::Finding> findings;
  std::map<int32_t, analysis::HostLines> host_lines;  // by GPU; only if stacks were sampled
  std::vector<analysis::WorkShares> shares;           // by GPU
  std::vector<analysis::StepGroup> steps;
  analysis::Projection work;

  // Empty if the GPU has no name in the trace.
  query::GpuName NameOf(int32_t gpu) const {
    const auto known = gpu_names.find(gpu);
    return known == gpu_names.end() ? query::GpuName{} : known->second;
  }
};

// `rows`: of each table; zero: all. `width`: of the terminal; zero: no limit.
std::string AnalyzeAsText(const AnalyzeReport& report, size_t rows, size_t width);
// `table`: one of AnalyzeTables.
std::string AnalyzeAsCsv(const AnalyzeReport& report, size_t rows, const std::string& table);
std::vector<std::string> AnalyzeTables();
std::string AnalyzeAsJson(const AnalyzeReport& report, size_t rows);

}  // namespace rtl::cli
