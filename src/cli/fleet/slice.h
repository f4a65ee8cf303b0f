// SPDX-License-Identifier: MIT
// slice.h: writes one step of a job as a timeline: a page, a Perfetto trace, or a database for
// other verbs.
#pragma once

#include <string>

#include "base/status.h"
#include "cli/base/options.h"
#include "fleet/align.h"

namespace rtl::cli {

// Whether a file of this name is a timeline: .html, .pftrace, .pftrace.gz, .db.
bool IsTimeline(const std::string& output);

// `kernels`: the answer of `rtl fleet slice`. If `clocks` has the clock of a rank, the rank's times
// are converted to the common clock. The step of any other rank begins when the others' does. Notes
// go to standard error.
Status WriteSlice(const fleet::Result& kernels, const fleet::FleetClocks& clocks,
                  const FleetOptions& options);

}  // namespace rtl::cli
