// SPDX-License-Identifier: MIT
// info_json.h: the output of `rtl info --json`.
#pragma once

#include <string>
#include <vector>

#include "trace/read/trace_reader.h"

namespace rtl::cli {

// The facts about a trace, without its events.
struct InfoTables {
  std::vector<query::Process> processes;
  std::vector<query::Agent> agents;
  std::vector<query::Queue> queues;
};
std::string InfoAsJson(const query::TraceReader& trace, const InfoTables& tables);

}  // namespace rtl::cli
