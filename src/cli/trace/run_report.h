// SPDX-License-Identifier: MIT
// run_report.h: what `rtl trace` prints of a trace when its program has ended. A trace that cannot
// be read is a note.
#pragma once

#include "cli/base/options.h"
#include "trace/collect/collector.h"

namespace rtl::cli {

// The tables of the trace, as `rtl summary` and `rtl hot` print them.
void ReportTables(const TraceOptions& options, const std::string& trace);
// The mode, the completeness lines, and the kernels that had not ended.
void ReportCounts(const TraceOptions& options, const store::CollectResult& result);

}  // namespace rtl::cli
