// SPDX-License-Identifier: MIT
// otf2.h: writes a process as an OTF2 archive: NAME_results.otf2, NAME_results.def and the folder
// NAME_results.
//
//   a host thread          calls, roctx ranges of the thread, allocations
//   a queue or stream      kernels; more locations where kernels overlap
//   copies of an agent     the same
//   the process            roctx ranges without a thread
//
// Each event has the attribute `correlation_id`, and kernels also have `dispatch_id`. Times are in
// nanoseconds.
//
// Threads    one
// Blocking   file I/O
// Memory     40 bytes for each event, until it is written
// Errors     those of the library or the disk. Limits: marks, which take no time, are written as
//            ranges of length zero
#pragma once

#include "base/status.h"
#include "export/tool/output_set.h"
#include "export/tool/tool_trace.h"

namespace rtl::exporting::tool {

Status WriteOtf2(ToolTrace& trace, OutputSet* outputs);

}  // namespace rtl::exporting::tool
