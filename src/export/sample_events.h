// SPDX-License-Identifier: MIT
// sample_events.h: puts PC samples on a timeline. Each sample is one moment on a track of its GPU,
// and its name is the source line of the wave.
//
// Threads    one
// Memory     the code objects with samples, and each sampled instruction once
// Errors     those of the trace and of the sink; unknown facts about an instruction stay empty
#pragma once

#include "base/status.h"
#include "export/timeline.h"
#include "export/tracks.h"
#include "trace/read/trace_reader.h"

namespace rtl::exporting {

// To be called last, because the tracks of samples are new tracks.
Status EmitSamples(query::TraceReader& trace, Tracks* tracks, TimelineSink* sink);

}  // namespace rtl::exporting
