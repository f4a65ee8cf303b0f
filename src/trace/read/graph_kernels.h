// SPDX-License-Identifier: MIT
// graph_kernels.h: which graph a kernel belongs to, with the launch and the node.
//
// Threads    one
// Blocking   the first Prepare searches all kernels of a trace with graph launches
// Memory     a table in SQLite's temporary file: there may be as many as there are kernels
#pragma once

#include "base/status.h"
#include "trace/read/statement.h"
#include "trace/read/trace_database.h"

namespace rtl::query {

class GraphKernels {
 public:
  explicit GraphKernels(const TraceDatabase* database) : database_(*database) {}

  // Of a kernel by its id: graph, launch, node. Not prepared where the trace has no graph launches:
  // only others pay for the search.
  Status Prepare(Statement* by_kernel);

 private:
  const TraceDatabase& database_;
  bool is_made_ = false;  // the table of them
};

}  // namespace rtl::query
