// SPDX-License-Identifier: MIT
// sample_events.h: samples of program counters on a timeline: each is one moment on a track of its
// GPU, with the source line of the wave as its name.
//
// Threads    one
// Memory     the code objects with samples, each of their instructions once
// Errors     of the trace and of the sink; unknown facts about an instruction stay empty
#pragma once

#include "base/status.h"
#include "export/timeline.h"
#include "export/tracks.h"
#include "trace/read/trace_reader.h"

namespace rtl::exporting {

// Call it last: the track is a new one.
Status EmitSamples(query::TraceReader& trace, Tracks* tracks, TimelineSink* sink);

}  // namespace rtl::exporting
