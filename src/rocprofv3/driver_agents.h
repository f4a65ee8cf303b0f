// SPDX-License-Identifier: MIT
// driver_agents.h: the agents of this machine in the driver's topology, for the files of a process
// that used no HSA: its trace has none.
//
// Threads    the main thread
// Blocking   reads small files; with a virtual GPU, until a process that reads them has ended
// Errors     none: without a topology there is the processor alone
#pragma once

#include <string>
#include <vector>

#include "export/tool/tool_trace.h"

namespace rtl::v3 {

// The only argument of the process that PrintNodes is the end of.
inline constexpr char kPrintNodes[] = "--print-nodes";

// "node 1", then its properties, "name value", a line each; `root`: of the topology.
std::string NodesText(const std::string& root);
// What `rocprofv3 --print-nodes` does; returns the exit code.
int PrintNodes();

exporting::tool::AgentFacts::Properties PropertiesOf(const std::string& root, uint32_t node);
inline constexpr char kNodes[] = "/sys/class/kfd/kfd/topology/nodes";

std::vector<exporting::tool::DriverAgent> AgentsIn(const std::string& nodes_text);
// `variables`: null on real GPUs, which this process sees; else the environment of one that sees the
// virtual ones.
std::vector<exporting::tool::DriverAgent> DriverAgents(const std::vector<std::string>* variables);

}  // namespace rtl::v3
