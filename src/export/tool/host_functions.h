// SPDX-License-Identifier: MIT
// host_functions.h: the host functions that stand for kernels, by the launch calls that name them
// (hipLaunchKernel and the like).
//
// Threads    one, the reader's
// Memory     one entry for each kernel symbol; its own connection to the trace
// Errors     SQLite's. A kernel that no recorded call launched by a function has none
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
  const ToolSymbol* symbol = nullptr;  // null: none
  uint64_t address = 0;
};

class HostFunctions {
 public:
  explicit HostFunctions(ToolTrace* trace) : trace_(trace) {}
  ~HostFunctions();
  HostFunctions(const HostFunctions&) = delete;
  HostFunctions& operator=(const HostFunctions&) = delete;

  // Every kernel of the trace.
  Status Note(const ToolKernel& kernel);
  // By id; as in rocprofv3's file, the first stands for none.
  const std::vector<HostFunction>& all() const { return functions_; }

 private:
  // For one symbol: graphs launch kernels without a function
  static constexpr uint32_t kMostTries = 16;

  Status Open();
  // Zero: the call does not name one.
  Status FunctionOf(uint64_t correlation, uint64_t* address);

  ToolTrace* const trace_;
  std::vector<HostFunction> functions_{HostFunction{}};
  std::unordered_map<const ToolSymbol*, uint32_t> tries_;
  sqlite3* database_ = nullptr;
  query::Statement arguments_;
};

}  // namespace rtl::exporting::tool
