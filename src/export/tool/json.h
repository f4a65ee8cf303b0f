// SPDX-License-Identifier: MIT
// json.h: rocprofv3's JSON: one object "rocprofiler-sdk-tool" for the process, whose records name
// kinds and operations by number (`strings`), kernels, code objects and agents by id.
//
// Threads    one, and one behind that writes
// Memory     agents, kernel symbols, names of operations; not records
// Errors     the first that happens
#pragma once

#include <string>

#include "export/tool/output_set.h"
#include "export/tool/statistics.h"
#include "export/tool/tool_trace.h"

namespace rtl::exporting::tool {

struct JsonOptions {
  std::string config = "{}";               // JSON: what was asked for
  const Statistics* statistics = nullptr;  // null: no summary
};

// ..._results.json
Status WriteJson(ToolTrace& trace, const JsonOptions& options, OutputSet* outputs);

// One agent as an object, as it also stands in rocpd.
std::string AgentJson(const ToolAgent& agent);
std::string SymbolJson(const ToolSymbol& symbol);
std::string MessageJson(std::string_view message);  // {"message": …}

// "a=1, b={2, 3}" as name and value each.
struct Argument {
  std::string_view name;
  std::string_view value;
};
std::vector<Argument> SplitArguments(std::string_view text);

// The greatest number of a code object that a kernel symbol names.
uint64_t LastCodeObject(const ToolTrace& trace);

}  // namespace rtl::exporting::tool
