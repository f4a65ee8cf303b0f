// SPDX-License-Identifier: MIT
// window_writer.h: writes the databases of `rtl trace --ring`: windows of the last events, at the
// end and while the program runs.
//
// Threads    the collecting one; after Join, the caller's
// Blocking   until a window is written
// Memory     the window; an entry for each process with an event in it
// Errors     a window that cannot be written while the program runs is reported, and the trace goes
//            on
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "trace/collect/clock_reading.h"
#include "trace/collect/collector.h"
#include "trace/collect/event_window.h"
#include "trace/collect/process_set.h"
#include "trace/collect/trace_summary.h"

namespace rtl::store {

class WindowWriter {
 public:
  WindowWriter(std::unique_ptr<EventWindow> window, const CollectOptions& options,
               const ClockHistory& clocks, ProcessSet* processes, TraceSummary* summary)
      : window_(std::move(window)),
        options_(options),
        clocks_(clocks),
        processes_(processes),
        summary_(summary) {}

  EventWindow& window() { return *window_; }

  // Forgets processes that have left the window, because the memory must not grow with their
  // number. Their counts are in later windows.
  Status ForgetLeft();
  // Writes the ring's events of every process, and their present counts.
  Status Fill(TraceWriter* writer, TraceSummary* summary);
  // Writes a window while the processes go on.
  Status Write(const std::string& output, CollectResult* result);
  // Writes a window if one is due; `asked`: further reasons. If several triggers fire meanwhile,
  // they share the next one.
  void WriteDue(std::vector<std::string> asked);
  // Writes a window for another program; `output` may be empty. Returns "+" and the path of the
  // window, or "-" and a reason.
  std::string Answer(const std::string& output);

 private:
  Status AddSums(CollectedProcess* process);

  const std::unique_ptr<EventWindow> window_;
  const CollectOptions& options_;
  const ClockHistory& clocks_;
  ProcessSet* const processes_;
  TraceSummary* const summary_;
};

}  // namespace rtl::store
