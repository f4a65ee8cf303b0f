// SPDX-License-Identifier: MIT
// merge.h: merges several traces (of the processes, ranks or nodes of a job) into one ordinary
// trace (docs/formats/database.md#merged-traces, docs/adr/0079-merging-traces.md).
//
// Threads    one
// Blocking   file I/O
// Memory     eight bytes for each text of the largest trace, and the latest texts
// Errors     one line that names the file; then no file is left under the output's name
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "base/status.h"
#include "export/table_copy.h"
#include "export/timeline.h"

namespace rtl::exporting {

struct MergeRequest {
  std::vector<std::string> files;
  // For each file: maps its times to the clock of the first file. Null, or no element: times stay
  // as recorded.
  std::vector<TimeMap> clocks = {};
  // Sentences about the clocks for the metadata of the merged trace. If there are none and the
  // files have several clocks, the metadata says that the times are as recorded.
  std::vector<std::string> about_clocks = {};
  std::string output;
  std::string tool_version;
};

// Returns an error for traces of different schemas, and if a process is in two traces. `notes`:
// gets sentences for the user. `cancel` may be null.
Status MergeTraces(const MergeRequest& request, const Progress& progress,
                   const std::atomic<bool>* cancel, std::vector<std::string>* notes);

}  // namespace rtl::exporting
