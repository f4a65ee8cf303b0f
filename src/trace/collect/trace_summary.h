// SPDX-License-Identifier: MIT
// trace_summary.h: what is known of a trace as a whole: warnings, its end, processes that found no
// room. Complete writes it into the database and gives the database its name.
//
// A copy is the summary of a window or a part, while the trace goes on.
//
// Threads    the collecting one; after Join, the caller's
#pragma once

#include <stdint.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "spool/format.h"
#include "spool/overflow.h"
#include "trace/collect/collector.h"
#include "trace/write/trace_writer.h"

namespace rtl::store {

// Sets the identity of the process as it last reported it.
void Identify(const spool::ProcessInfo& info, ProcessResult* result);

class TraceSummary {
 public:
  explicit TraceSummary(const CollectOptions& options) : options_(options) {}

  // Each sentence is kept once.
  void Warn(std::string sentence);
  // A warning about this process.
  void Warn(ProcessResult* process, const std::string& sentence);
  const std::vector<std::string>& warnings() const { return warnings_; }
  void NoteEnd(uint64_t time) { ended_ = std::max(ended_, time); }
  uint64_t ended() const { return ended_; }  // when the last process to end has ended
  uint64_t started() const { return started_; }

  // Reads the processes that had no room for files of their own (spool/overflow.h). All their
  // events are lost. `writer`: gets a row for each; may be null.
  Status AddOverflow(const std::string& spool, TraceWriter* writer);
  // Adds these processes and the warnings.
  void Gather(CollectResult* result) const;
  // Completes the database of all processes. `first`: null if there is no process.
  Status Complete(TraceWriter* writer, const spool::ProcessInfo* first, const std::string& output,
                  const ExitStatus& exit, CollectResult* result);

 private:
  Status AddOverflowed(const spool::OverflowPlace& place, TraceWriter* writer);

  const CollectOptions& options_;
  uint64_t started_ = BootTimeNs();
  uint64_t ended_ = 0;
  std::vector<std::string> warnings_;
  std::vector<ProcessResult> overflowed_;  // see AddOverflow
};

}  // namespace rtl::store
