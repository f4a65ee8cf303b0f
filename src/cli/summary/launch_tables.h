// SPDX-License-Identifier: MIT
// launch_tables.h: writes the output of `rtl summary --launch`.
//
// Memory     one row per kernel name
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/launches.h"
#include "trace/read/requested_events.h"

namespace rtl::cli {

// `rows`: limit; zero: all. `width`: of the terminal.
std::string LaunchesAsText(const std::string& file, const query::RequestedEvents& requested,
                           const std::vector<analysis::LaunchSummary>& launches, size_t rows,
                           size_t width);
std::string LaunchesAsCsv(const std::vector<analysis::LaunchSummary>& launches, size_t rows);
std::string LaunchesAsJson(const std::string& file,
                           const std::vector<analysis::LaunchSummary>& launches, size_t rows);

}  // namespace rtl::cli
