// SPDX-License-Identifier: MIT
// sample_events.h: samples of program counters on a timeline: a moment each, on a track of its GPU, named by the
// source line that the wave was at.
//
// Threads    one
// Memory     the code objects that have samples, each instruction of them once
// Errors     of the trace and of the sink; what is not known of an instruction stays empty
#pragma once

#include "base/status.h"
#include "export/timeline.h"
#include "export/tracks.h"
#include "query/trace_reader.h"

namespace rtl::exporting {

// After everything else: the track is a new one.
Status EmitSamples(query::TraceReader& trace, Tracks* tracks, TimelineSink* sink);

}  // namespace rtl::exporting
