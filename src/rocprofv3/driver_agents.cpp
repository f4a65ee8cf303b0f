// SPDX-License-Identifier: MIT
#include "rocprofv3/driver_agents.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iostream>
#include <sstream>

#include "base/unique_fd.h"
#include "cli/base/launch.h"

namespace rtl::v3 {
namespace {

using exporting::tool::AgentFacts;
using exporting::tool::DriverAgent;

uint64_t NumberIn(const AgentFacts::Properties& properties, const char* name) {
  const auto found = properties.find(name);
  return found == properties.end() ? 0 : strtoull(found->second.c_str(), nullptr, 10);
}

std::string ProcessorName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "CPU";
}

// Fills *out from the node's properties. False: the node has no processors; it is a memory device,
// for example.
bool Describe(DriverAgent* out) {
  const uint64_t version = NumberIn(out->properties, "gfx_target_version");
  query::Agent& agent = out->agent;
  agent.is_gpu = NumberIn(out->properties, "simd_count") != 0;
  if (!agent.is_gpu) {
    agent.name = agent.product = ProcessorName();
    return NumberIn(out->properties, "cpu_cores_count") != 0;
  }
  agent.name = fmt::format("gfx{}{}{:x}", version / 10000, version / 100 % 100, version % 100);
  const auto model = out->properties.find("model_name");
  if (model != out->properties.end()) agent.product = model->second;
  return true;
}

// The output of `command`. Empty if it cannot be run.
std::string OutputOf(const std::vector<std::string>& command,
                     const std::vector<std::string>& variables) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return "";
  const UniqueFd read_end(ends[0]);
  UniqueFd write_end(ends[1]);
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0) return "";
  pid_t child = 0;
  const bool ran =
      posix_spawn_file_actions_adddup2(&actions, write_end.get(), STDOUT_FILENO) == 0 &&
      posix_spawn(&child, command[0].c_str(), &actions, nullptr, cli::Pointers(command).data(),
                  cli::Pointers(variables).data()) == 0;
  (void)posix_spawn_file_actions_destroy(&actions);
  write_end.reset();
  std::string text;
  char buffer[4096];
  for (ssize_t got = 1; ran && got != 0;) {
    got = read(read_end.get(), buffer, sizeof buffer);
    if (got < 0 && errno != EINTR) break;
    if (got > 0) text.append(buffer, static_cast<size_t>(got));
  }
  while (ran && waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return text;
}

}  // namespace

AgentFacts::Properties PropertiesOf(const std::string& root, uint32_t node) {
  const std::string folder = fmt::format("{}/{}/", root, node);
  AgentFacts::Properties properties;
  std::ifstream file(folder + "properties");
  for (std::string name, value; file >> name >> value;) properties[name] = value;
  if (properties.empty()) return properties;
  for (const auto& [name, key] : {std::pair("name", "model_name"), std::pair("gpu_id", "gpu_id")}) {
    std::ifstream single(folder + name);
    std::getline(single, properties[key]);
  }
  return properties;
}

std::string NodesText(const std::string& root) {
  std::string text;
  for (uint32_t node = 0;; ++node) {
    const AgentFacts::Properties properties = PropertiesOf(root, node);
    if (properties.empty()) return text;
    text += fmt::format("node {}\n", node);
    for (const auto& [name, value] : properties) text += fmt::format("{} {}\n", name, value);
  }
}

int PrintNodes() {
  std::cout << NodesText(kNodes) << std::flush;
  return std::cout ? 0 : 1;
}

std::vector<DriverAgent> AgentsIn(const std::string& nodes_text) {
  std::vector<DriverAgent> nodes;
  std::istringstream lines(nodes_text);
  for (std::string line; std::getline(lines, line);) {
    const size_t space = line.find(' ');
    if (space == std::string::npos) continue;
    const std::string name = line.substr(0, space), value = line.substr(space + 1);
    if (name == "node") {
      nodes.emplace_back().agent.node = static_cast<uint32_t>(strtoul(value.c_str(), nullptr, 10));
    } else if (!nodes.empty()) {
      nodes.back().properties[name] = value;
    }
  }
  if (nodes.empty()) {
    nodes.emplace_back().properties["cpu_cores_count"] =
        std::to_string(sysconf(_SC_NPROCESSORS_ONLN));
  }
  std::vector<DriverAgent> agents;
  uint32_t gpus = 0;
  for (DriverAgent& node : nodes) {
    if (!Describe(&node)) continue;
    node.agent.agent = static_cast<uint32_t>(agents.size()) + 1;
    if (node.agent.is_gpu) node.agent.gpu = static_cast<int32_t>(gpus++);
    agents.push_back(std::move(node));
  }
  return agents;
}

std::vector<DriverAgent> DriverAgents(const std::vector<std::string>* variables) {
  return AgentsIn(variables == nullptr ? NodesText(kNodes)
                                       : OutputOf({"/proc/self/exe", kPrintNodes}, *variables));
}

}  // namespace rtl::v3
