// SPDX-License-Identifier: MIT
// trace_metadata.h: writes the facts about the trace as a whole (rocpd_metadata), and the counters
// of each process (rtl_process_counter).
//
// Threads    one
// Blocking   file I/O
#pragma once

#include <stdint.h>

#include <string>
#include <vector>

#include "spool/format.h"
#include "trace/collect/collector.h"
#include "trace/write/trace_writer.h"

namespace rtl::store {

struct TraceFacts {
  // first process of the database; null: there is no process
  const spool::ProcessInfo* first = nullptr;
  std::string tool_version;
  std::string command;   // the launched command; empty: the command of the first process
  uint64_t started = 0;  // when the trace began; used if there is no process
  uint64_t ended = 0;    // when the last process to end has ended
  ExitStatus exit;
  const KindTotals* kinds = nullptr;  // the totals of all processes
  double most_backlog = 0;            // the largest share in any process
  NotCountedEvents not_counted;       // the phrases of all processes
  const std::vector<std::string>* warnings = nullptr;
};

// Writes the metadata. If the trace continues an earlier part of the same job, its metadata is
// continued, too.
Status WriteMetadata(TraceWriter* writer, const TraceFacts& facts);

// Writes the counters of the process with the number `number` in `writer`.
Status WriteCounters(TraceWriter* writer, size_t number, const spool::ControlPage& page,
                     const ProcessResult& process);

}  // namespace rtl::store
