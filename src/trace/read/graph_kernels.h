// SPDX-License-Identifier: MIT
// graph_kernels.h: finds the graph to which a kernel belongs, with the launch and the node.
//
// Threads    one
// Blocking   the first Prepare searches all kernels of a trace with graph launches
// Memory     a table in SQLite's temporary file, because there may be as many as there are kernels
#pragma once

#include "base/status.h"
#include "trace/read/statement.h"
#include "trace/read/trace_database.h"

namespace rtl::query {

class GraphKernels {
 public:
  explicit GraphKernels(const TraceDatabase* database) : database_(*database) {}

  // Prepares a statement that finds graph, launch and node by the kernel's id. If the trace has no
  // graph launches, it is not prepared, so that such traces do not pay for the search.
  Status Prepare(Statement* by_kernel);

 private:
  const TraceDatabase& database_;
  bool is_made_ = false;  // the temporary table was made
};

}  // namespace rtl::query
