// SPDX-License-Identifier: MIT
#include "trace/read/requested_events.h"

#include <string>
#include <vector>

#include "trace/schema/schema.h"

namespace rtl::query {

Status RequestedEvents::Load(TraceReader& trace) {
  foreign_ = trace.metadata().contains(store::kSourceTag);
  std::vector<Process> processes;
  RTL_TRY(trace.tables().Processes(&processes));
  for (size_t k = 0; k < kEventKindCount; ++k) {
    const auto kind = static_cast<EventKind>(k);
    bool made = !processes.empty();
    for (const Process& process : processes) {
      // Traces of earlier versions have only the mode.
      const bool by_mode =
          kind == EventKind::kHipCall && (process.mode == "hip" || process.mode == "clr");
      const bool by_words =
          ("," + process.events + ",").find("," + std::string(EventWord(kind)) + ",") !=
          std::string::npos;
      made = made && (process.events.empty() ? by_mode : by_words);
    }
    if (made || trace.version().Number("recorded." + std::string(EventKindName(kind))) != 0)
      made_.Add(kind);
  }
  return Status::Ok();
}

}  // namespace rtl::query
