// SPDX-License-Identifier: MIT
// json_things.h: rocprofv3's JSON of what records name by number: agents, code objects, kernel symbols and
// the functions of the host that stand for kernels.
//
// Threads    any
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "export/tool/host_functions.h"
#include "export/tool/json_words.h"
#include "export/tool/tool_trace.h"

namespace rtl::exporting::tool {

void WriteAgent(const ToolAgent& agent, JsonWords* json);
void WriteCodeObject(const ToolCodeObject& object, JsonWords* json);
void WriteSymbol(const ToolSymbol& symbol, JsonWords* json);
void WriteHostFunction(const HostFunction& function, JsonWords* json);

// One agent as an object, as it also stands in rocpd.
std::string AgentJson(const ToolAgent& agent);
std::string CodeObjectJson(const ToolCodeObject& object);
std::string SymbolJson(const ToolSymbol& symbol);
std::string MessageJson(std::string_view message);  // {"message": …}

// "a=1, b={2, 3}" as name and value each.
struct Argument {
  std::string_view name;
  std::string_view value;
};
std::vector<Argument> SplitArguments(std::string_view text);

}  // namespace rtl::exporting::tool
