// SPDX-License-Identifier: MIT
// in_flight_report.h: lists the kernels that are in flight now, or were when their processes ended,
// as a table and as JSON.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "trace/read/requested_events.h"
#include "trace/read/rows.h"

namespace rtl::cli {

// Empty if there are none. `rows`: limit for each process (0: all). `width`: limit for a line (0:
// none). `all`: the command that prints all rows.
std::string InFlightAsText(const std::vector<query::InFlightRow>& kernels, size_t rows,
                           size_t width, const std::string& all);
std::string InFlightAsJson(const std::string& file, const std::vector<query::InFlightRow>& kernels,
                           const std::vector<query::FaultRow>& faults);
// One or two lines for each fault.
std::string FaultsAsText(const std::vector<query::FaultRow>& faults,
                         const query::RequestedEvents& requested);

}  // namespace rtl::cli
