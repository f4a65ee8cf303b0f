// SPDX-License-Identifier: MIT
// part_writer.h: writes the events of a process as a sequence of databases, for
// `rtl trace --dataset`. Descriptions and open ranges are repeated in each part, so that every part
// can be read alone.
//
// Threads    the collecting one; after Join, the caller's
// Blocking   until `take_part` returns
// Errors     of the database and of `take_part`
#pragma once

#include "base/status.h"
#include "spool/record_view.h"
#include "trace/collect/collected_process.h"
#include "trace/collect/collector.h"
#include "trace/collect/process_set.h"
#include "trace/collect/spool_folder.h"
#include "trace/collect/trace_summary.h"
#include "trace/write/trace_writer.h"

namespace rtl::store {

class PartWriter {
 public:
  PartWriter(const CollectOptions& options, const SpoolFolder& spool, TraceSummary* summary)
      : options_(options), spool_(spool), summary_(summary) {}

  // Keeps the record for the next part, which is written at once if it has become too large.
  Status Keep(CollectedProcess* process, const spool::RecordView& record) const;
  // Called after a round over every process: writes the parts that are due.
  Status WriteDue(ProcessSet* processes) const;
  Status Write(CollectedProcess* process, ProcessEnd end, bool is_last) const;

 private:
  Status Fill(CollectedProcess* process, TraceWriter* writer) const;
  Status Try(CollectedProcess* process, ProcessEnd end, bool is_last) const;
  Status HandOver(CollectedProcess* process, TraceWriter* writer, bool is_last) const;

  const CollectOptions& options_;
  const SpoolFolder& spool_;
  TraceSummary* const summary_;
};

}  // namespace rtl::store
