// SPDX-License-Identifier: MIT
// json.h: writes rocprofv3's JSON: one object "rocprofiler-sdk-tool" for the process. Its records
// identify kinds and operations by number (`strings`), and kernels, code objects and agents by id.
//
// Threads    one, and one more that writes
// Memory     agents, kernel symbols, names of operations; not records
// Errors     the first error
#pragma once

#include <string>

#include "export/tool/output_set.h"
#include "export/tool/statistics.h"
#include "export/tool/tool_trace.h"

namespace rtl::exporting::tool {

struct JsonOptions {
  std::string config = "{}";               // JSON with the options of the run
  const Statistics* statistics = nullptr;  // null: no summary is written
};

// Writes the file ..._results.json.
Status WriteJson(ToolTrace& trace, const JsonOptions& options, OutputSet* outputs);

}  // namespace rtl::exporting::tool
