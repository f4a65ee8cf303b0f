// SPDX-License-Identifier: MIT
// json.h: rocprofv3's JSON: one object "rocprofiler-sdk-tool" for the process, whose records name
// kinds and operations by number (`strings`), kernels, code objects and agents by id.
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
  std::string config = "{}";               // JSON: the options of the run
  const Statistics* statistics = nullptr;  // null: no summary
};

// ..._results.json
Status WriteJson(ToolTrace& trace, const JsonOptions& options, OutputSet* outputs);

}  // namespace rtl::exporting::tool
