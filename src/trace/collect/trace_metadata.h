// SPDX-License-Identifier: MIT
// trace_metadata.h: the facts about the trace as a whole (rocpd_metadata), and the counters of each
// process (rtl_process_counter).
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
  const spool::ProcessInfo* first = nullptr;  // process of the database; null: there is none
  std::string tool_version;
  std::string command;   // as launched; empty: the first process's
  uint64_t started = 0;  // of the trace, when there is no process
  uint64_t ended = 0;    // of the process that ended last
  ExitStatus exit;
  const KindTotals* kinds = nullptr;  // of all processes together
  double most_backlog = 0;            // of any process
  UnseenEvents unseen;                // of any process
  const std::vector<std::string>* warnings = nullptr;
};

// Continues the metadata of an earlier part of the same job, if there is one.
Status WriteMetadata(TraceWriter* writer, const TraceFacts& facts);

// The counters of the process that has the number `number` in `writer`.
Status WriteCounters(TraceWriter* writer, size_t number, const spool::ControlPage& page,
                     const ProcessResult& process);

}  // namespace rtl::store
