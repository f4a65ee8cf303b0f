// SPDX-License-Identifier: MIT
// info_json.h: what `rtl info --json` prints.
#pragma once

#include <string>
#include <vector>

#include "query/trace_reader.h"

namespace rtl::cli {

// All that a trace says of itself, and nothing of its events.
struct InfoTables {
  std::vector<query::Process> processes;
  std::vector<query::Agent> agents;
  std::vector<query::Queue> queues;
};
std::string InfoAsJson(const query::TraceReader& trace, const InfoTables& tables);

}  // namespace rtl::cli
