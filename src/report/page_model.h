// SPDX-License-Identifier: MIT
// page_model.h: writes everything on the page except the runs of its rows, as JSON. Times are in
// nanoseconds. Points in time count from the beginning of the page.
//
// Threads    as the given reader
// Memory     the tables; of each at most kMostRows
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/completeness.h"
#include "analysis/findings.h"
#include "analysis/host_lines.h"
#include "analysis/idle_time.h"
#include "analysis/summary.h"
#include "base/status.h"
#include "report/flame.h"
#include "report/page_rows.h"
#include "report/shapes.h"

namespace rtl::report {

struct PageTables {
  static constexpr size_t kMostRows = 5000;

  analysis::IdleAnalysis idle;
  std::vector<analysis::Finding> findings;
  std::map<int32_t, analysis::HostLines> host_lines;  // by GPU; only if stacks were sampled
  analysis::Summary summary;
  std::vector<analysis::ApiSummary> apis;
  std::vector<analysis::CopySummary> copies;
  std::vector<analysis::MarkerSummary> markers;
  std::vector<analysis::EventSummary> events;
  std::vector<analysis::KindCompleteness> completeness;
  Flame flame;
};

Status ReadTables(query::TraceReader& trace, PageTables* out);

struct PageContent {
  const PageTables& tables;
  const PageRows& rows;
  const Shapes& shapes;
  std::string selection = {};
  uint64_t begin = 0;
  uint64_t end = 0;
};

Status ModelAsJson(query::TraceReader& trace, const PageContent& content, std::string* out);

}  // namespace rtl::report
