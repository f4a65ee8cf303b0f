// SPDX-License-Identifier: MIT
// host_functions.h: the functions of the program that stand for its kernels, as the calls name them that
// launched these (hipLaunchKernel and its kin).
//
// Threads    one, the reader's
// Memory     one entry for each kernel symbol; a connection to the trace of its own
// Errors     SQLite's. A kernel that no recorded call launched by a function has none
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "export/tool/tool_trace.h"
#include "query/statement.h"

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
  // By id; the first, as in rocprofv3's file, stands for none.
  const std::vector<HostFunction>& all() const { return functions_; }

 private:
  static constexpr uint32_t kMostTries = 16;  // of one symbol: graphs launch kernels by no function

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
