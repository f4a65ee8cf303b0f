// SPDX-License-Identifier: MIT
// driver_agents.h: reads the agents of this machine from the driver's topology. A process that used
// no HSA has no agents in its trace, but its output files list them.
//
// Threads    the main thread
// Blocking   reads small files; with a virtual GPU, waits for a process that reads them
// Errors     none: if there is no topology, the result is the processor alone
#pragma once

#include <string>
#include <vector>

#include "export/tool/tool_trace.h"

namespace rtl::v3 {

// The only argument of a process that calls PrintNodes.
inline constexpr char kPrintNodes[] = "--print-nodes";

// For each node a line "node 1", then a line "name value" for each property. `root`: the folder of
// the topology.
std::string NodesText(const std::string& root);
// Prints NodesText for `rocprofv3 --print-nodes`. Returns the exit code.
int PrintNodes();

exporting::tool::AgentFacts::Properties PropertiesOf(const std::string& root, uint32_t node);
inline constexpr char kNodes[] = "/sys/class/kfd/kfd/topology/nodes";

std::vector<exporting::tool::DriverAgent> AgentsIn(const std::string& nodes_text);
// `variables`: null if the GPUs are real, so that this process sees them. For virtual GPUs: the
// environment of a process that sees them.
std::vector<exporting::tool::DriverAgent> DriverAgents(const std::vector<std::string>* variables);

}  // namespace rtl::v3
