// SPDX-License-Identifier: MIT
// slice.h: one step of a job as a timeline: a page, a Perfetto trace, or a database for other verbs.
#pragma once

#include <string>

#include "base/status.h"
#include "cli/base/options.h"
#include "fleet/align.h"

namespace rtl::cli {

// Whether such a file is a timeline: .html, .pftrace, .pftrace.gz, .db.
bool IsTimeline(const std::string& output);

// `kernels`: the answer of `rtl fleet slice`. The times are those of one clock, as far as `clocks`
// has them: a rank without begins its step together with the others. Notes go to standard error.
Status WriteSlice(const fleet::Result& kernels, const fleet::FleetClocks& clocks,
                  const FleetOptions& options);

}  // namespace rtl::cli
