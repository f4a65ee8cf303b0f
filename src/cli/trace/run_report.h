// SPDX-License-Identifier: MIT
// run_report.h: prints the reports of `rtl trace` when the program has ended. If the trace cannot
// be read, a note is printed.
#pragma once

#include "cli/base/options.h"
#include "cli/summary/summary_tables.h"
#include "trace/collect/collector.h"

namespace rtl::cli {

// Reads the tables of `rtl summary`.
Status ReadTables(const std::string& trace, SummaryTables* out);
// Prints the tables of `rtl summary` and `rtl hot`.
void ReportTables(const TraceOptions& options, const std::string& trace);
// Prints the mode, the completeness lines, and the kernels that had not ended.
void ReportCounts(const TraceOptions& options, const store::CollectResult& result);

}  // namespace rtl::cli
