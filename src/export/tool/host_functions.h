// SPDX-License-Identifier: MIT
// host_functions.h: finds the host functions that stand for kernels, by the launch calls that name
// them (hipLaunchKernel and similar functions).
//
// Threads    one, the reader's
// Memory     one entry for each kernel symbol; its own connection to the trace
// Errors     those of SQLite. A kernel has no host function if no recorded call launched it by one
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "export/tool/tool_trace.h"
#include "trace/read/statement.h"

namespace rtl::exporting::tool {

struct HostFunction {
  uint64_t id = 0;                     // 1-based; zero: none
  const ToolSymbol* symbol = nullptr;  // null: there is none
  uint64_t address = 0;
};

class HostFunctions {
 public:
  explicit HostFunctions(ToolTrace* trace) : trace_(trace) {}
  ~HostFunctions();
  HostFunctions(const HostFunctions&) = delete;
  HostFunctions& operator=(const HostFunctions&) = delete;

  // Called for every kernel of the trace.
  Status Note(const ToolKernel& kernel);
  // Indexed by id. As in rocprofv3's file, the first element stands for no function.
  const std::vector<HostFunction>& all() const { return functions_; }

 private:
  // Most calls that are tried for one symbol, because graphs launch kernels without a function.
  static constexpr uint32_t kMostTries = 16;

  Status Open();
  // *address is zero if the call does not name a function.
  Status FunctionOf(uint64_t correlation, uint64_t* address);

  ToolTrace* const trace_;
  std::vector<HostFunction> functions_{HostFunction{}};
  std::unordered_map<const ToolSymbol*, uint32_t> tries_;
  sqlite3* database_ = nullptr;
  query::Statement arguments_;
};

}  // namespace rtl::exporting::tool
