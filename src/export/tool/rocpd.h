// SPDX-License-Identifier: MIT
// rocpd.h: writes the SQLite database of rocprofiler-sdk (schema 3). Its tables have a GUID in
// their names, and its views do not, so that databases of several processes can be read together
// through the views.
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

// Writes the file ..._results.db. `config`: JSON with the options of the run.
Status WriteRocpd(ToolTrace& trace, const std::string& config, OutputSet* outputs);

// For example "0192f0c1-…". It is always the same for the same process.
std::string GuidOf(const query::Process& process, int64_t realtime_minus_boottime);

}  // namespace rtl::exporting::tool
