// SPDX-License-Identifier: MIT
// rocpd.h: rocprofiler-sdk's own SQLite database (schema 3): tables with a GUID in their names, and
// views without it, through which databases of several processes can be read together.
//
// Threads    one
// Blocking   file I/O
// Memory     names, threads; not records
// Errors     the first error
#pragma once

#include <string>

#include "export/tool/output_set.h"
#include "export/tool/tool_trace.h"

namespace rtl::exporting::tool {

// ..._results.db. `config`: JSON, the options of the run.
Status WriteRocpd(ToolTrace& trace, const std::string& config, OutputSet* outputs);

// "0192f0c1-…", the same for the same process.
std::string GuidOf(const query::Process& process, int64_t realtime_minus_boottime);

}  // namespace rtl::exporting::tool
