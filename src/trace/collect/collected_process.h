// SPDX-License-Identifier: MIT
// collected_process.h: a process whose spool is read: its reader, the database that gets its
// events, and its result. Close writes the last facts when the process, or its part in a database,
// ends.
//
// Threads    the collecting one; after Join, the caller's
// Errors     those of the database. Other problems are warnings
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <memory>
#include <string>

#include "base/status.h"
#include "spool/reader.h"
#include "trace/collect/accounting.h"
#include "trace/collect/clock_reading.h"
#include "trace/collect/collector.h"
#include "trace/collect/process_parts.h"
#include "trace/collect/trace_summary.h"
#include "trace/write/trace_writer.h"

namespace rtl::store {

struct CollectedProcess {
  // Events in memory, for a window or a part.
  void KeepEvents(const RecordRing* in, uint32_t under) {
    events = in;
    events_key = under;
  }
  // Writes them as those of the process `into.process(as)`.
  Status Replay(TraceWriter* into, size_t as) const;

  // What is known now of the events without a row.
  Reading ReadingNow() const;
  // Writes the last facts into `writer`. `goes_on`: only a part of the process ends.
  Status Close(ProcessEnd end, bool goes_on, const ClockHistory& clocks, TraceSummary* summary);
  // Writes the metadata of a database of this process alone.
  Status WriteMetadataOf(TraceWriter* database, const std::string& tool_version) const;
  // Completes the process's own database.
  Status CompleteOwn(const std::string& tool_version, TraceSummary* summary);
  uint64_t rows() const;

  std::string stem;
  size_t order = 0;  // position among all processes, in the order in which they were found
  std::unique_ptr<spool::ProcessReader> reader;  // null: closed by ProcessSet::CloseReader
  uint64_t torn = 0;                             // the count of the reader before it was closed
  uint64_t alive_at = 0;                         // when the process was last seen alive
  bool ended = false;
  bool released = false;                // the process no longer waits for other processes
  TraceWriter* writer = nullptr;        // of the database that gets the events now
  size_t number = 0;                    // number of the process in `writer`
  std::unique_ptr<TraceWriter> own;     // set if the process has its own database
  std::unique_ptr<ProcessParts> parts;  // set if there is `take_part`
  const RecordRing* events = nullptr;   // null: events are not kept in memory
  uint32_t events_key = 0;
  uint64_t completed_rows = 0;  // rows of databases that are complete
  ProcessResult result;
};

}  // namespace rtl::store
