// SPDX-License-Identifier: MIT
// counter_tables.h: writes hardware counters by kernel as text, CSV and JSON.
#pragma once

#include <string>
#include <vector>

#include "analysis/counters.h"
#include "trace/read/requested_events.h"

namespace rtl::cli {

// `rows`: limit (0: all). `width`: limit for a line (0: none). `title`: of the last column.
std::string CounterTable(const std::vector<analysis::CounterSummary>& counters, size_t rows,
                         size_t width);
std::string CountersAsText(const std::string& file, const query::RequestedEvents& requested,
                           const std::vector<analysis::CounterSummary>& counters, size_t rows,
                           size_t width);
std::string CountersAsCsv(const std::vector<analysis::CounterSummary>& counters, size_t rows);
std::string CountersAsJson(const std::string& file,
                           const std::vector<analysis::CounterSummary>& counters, size_t rows);

}  // namespace rtl::cli
