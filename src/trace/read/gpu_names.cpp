// SPDX-License-Identifier: MIT
#include "trace/read/gpu_names.h"

#include <cstdio>
#include <set>
#include <vector>

namespace rtl::query {
namespace {

// For example "rank 3" or "ranks 0-3, 7".
std::string RanksText(const std::set<int32_t>& ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (auto rank = ranks.begin(); rank != ranks.end();) {
    const int32_t first = *rank;
    int32_t last = first;
    for (++rank; rank != ranks.end() && *rank == last + 1; ++rank) last = *rank;
    if (first != *ranks.begin()) text += ", ";
    text += std::to_string(first);
    if (last != first) text += "-" + std::to_string(last);
  }
  return text;
}

struct Facts {
  std::string name;
  std::set<std::string> hosts;  // several if containers share the GPU
  uint32_t bdf = 0;
  bool renumbered = false;
  std::set<int32_t> ranks;
};

void Append(const std::string& part, std::string* text) {
  if (!part.empty()) *text += (text->empty() ? "" : ", ") + part;
}

}  // namespace

std::string BusText(uint32_t bdf) {
  char text[16];
  (void)snprintf(text, sizeof text, "%02x:%02x.%x", bdf >> 8 & 0xff, bdf >> 3 & 0x1f, bdf & 7);
  return text;
}

Status OwnGpuNumbers(TraceReader& trace, std::map<std::pair<int64_t, int32_t>, uint32_t>* out) {
  std::vector<Agent> agents;  // ordered by process, and within a process as it numbers them
  RTL_TRY(trace.tables().Agents(&agents));
  std::map<int64_t, uint32_t> next;
  for (const Agent& agent : agents) {
    if (agent.is_gpu) out->emplace(std::pair(agent.process, agent.gpu), next[agent.process]++);
  }
  return Status::Ok();
}

Status NameGpus(TraceReader& trace, std::map<int32_t, GpuName>* out) {
  std::vector<Process> processes;
  RTL_TRY(trace.tables().Processes(&processes));
  std::map<int64_t, const Process*> by_id;
  for (const Process& process : processes) by_id.emplace(process.id, &process);
  std::map<std::pair<int64_t, int32_t>, uint32_t> own;
  RTL_TRY(OwnGpuNumbers(trace, &own));
  std::vector<Agent> agents;
  RTL_TRY(trace.tables().Agents(&agents));
  std::map<int32_t, Facts> gpus;
  std::set<std::string> hosts;
  std::set<int32_t> ranks;
  for (const Agent& agent : agents) {
    const auto process = by_id.find(agent.process);
    if (!agent.is_gpu || process == by_id.end()) continue;
    Facts& gpu = gpus[agent.gpu];
    if (gpu.name.empty()) gpu.name = agent.name;
    gpu.bdf = agent.bdf;
    gpu.hosts.insert(process->second->host);
    gpu.renumbered |= own[{agent.process, agent.gpu}] != static_cast<uint32_t>(agent.gpu);
    hosts.insert(process->second->host);
    if (process->second->rank < 0) continue;
    gpu.ranks.insert(process->second->rank);
    ranks.insert(process->second->rank);
  }
  bool any_renumbered = false;
  for (const auto& [number, gpu] : gpus) any_renumbered |= gpu.renumbered;
  for (const auto& [number, gpu] : gpus) {
    GpuName& name = (*out)[number];
    name.name = gpu.name;
    if (any_renumbered && gpu.bdf != 0) name.place = BusText(gpu.bdf);
    if (hosts.size() > 1 && gpu.hosts.size() == 1) Append(*gpu.hosts.begin(), &name.place);
    const bool tells = !gpu.ranks.empty() && (ranks.size() > 1 && gpu.ranks != ranks);
    if (tells) Append(RanksText(gpu.ranks), &name.place);
  }
  return Status::Ok();
}

}  // namespace rtl::query
