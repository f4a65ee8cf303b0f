// SPDX-License-Identifier: MIT
// json_things.h: makes the objects of rocprofv3's JSON to which records refer by number: agents,
// code objects, kernel symbols, and the host functions that stand for kernels.
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

// Makes the object of one agent; rocpd uses it, too.
std::string AgentJson(const ToolAgent& agent);
std::string CodeObjectJson(const ToolCodeObject& object);
std::string SymbolJson(const ToolSymbol& symbol);
std::string MessageJson(std::string_view message);  // for example {"message": …}

// One pair of a name and a value in "a=1, b={2, 3}".
struct Argument {
  std::string_view name;
  std::string_view value;
};
std::vector<Argument> SplitArguments(std::string_view text);

}  // namespace rtl::exporting::tool
