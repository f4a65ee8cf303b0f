// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <stdlib.h>

#include "device/sampling_driver.h"
#include "export/tool/agent_properties.h"
#include "rocprofv3/avail.h"
#include "rocprofv3/driver_agents.h"

namespace rtl::v3 {
namespace {

using exporting::tool::AgentCell;
using exporting::tool::AgentFacts;

// The properties that the driver reports, in the order of AMD's tool. A trace's `agent_info` also
// has the others.
constexpr const char* kMembers[] = {"Cpu_Cores_Count",
                                    "Simd_Count",
                                    "Max_Waves_Per_Simd",
                                    "Wave_Front_Size",
                                    "Num_Xcc",
                                    "Cu_Count",
                                    "Array_Count",
                                    "Num_Shader_Banks",
                                    "Simd_Arrays_Per_Engine",
                                    "Cu_Per_Simd_Array",
                                    "Simd_Per_Cu",
                                    "Gfx_Target_Version",
                                    "Max_Waves_Per_Cu",
                                    "Gpu_Id",
                                    "Workgroup_Max_Dim",
                                    "Grid_Max_Dim",
                                    "Name",
                                    "Vendor_Name",
                                    "Model_Name",
                                    "Node_Id",
                                    "Logical_Node_Id"};

std::string ValueOf(const AgentFacts& facts, const std::string& column) {
  for (const AgentCell& cell : facts.cells()) {
    if (column == cell.column) return cell.is_text ? cell.text : std::to_string(cell.number);
  }
  return "";
}

uint32_t DriverNumberOf(const cli::GpuHere& gpu) {
  return static_cast<uint32_t>(
      strtoul(PropertiesOf(kNodes, gpu.node)["gpu_id"].c_str(), nullptr, 10));
}

std::string SamplingField(const char* name, std::string_view value) {
  return fmt::format("   {:<20}:\t{}\n", name, value);
}

// Uses the words and columns of AMD's tool.
std::string ConfigurationText(const SamplingOffer& offer) {
  constexpr uint64_t kPowersOfTwo = 1;
  const char* unit = "instructions";
  if (offer.unit == SamplingUnit::kMicroseconds) unit = "time";
  if (offer.unit == SamplingUnit::kCycles) unit = "cycle";
  const uint64_t least = offer.interval != 0 ? offer.interval : offer.least;
  const uint64_t most = offer.interval != 0 ? offer.interval : offer.most;
  return SamplingField("Method",
                       offer.method == SamplingMethod::kHostTrap ? "host_trap" : "stochastic") +
         SamplingField("Unit", unit) + SamplingField("Min_Interval", std::to_string(least)) +
         SamplingField("Max_Interval", std::to_string(most)) +
         SamplingField("Flags", (offer.flags & kPowersOfTwo) != 0 ? "interval pow2" : "none");
}

}  // namespace

std::string AgentText(const cli::GpuHere& gpu, uint32_t number) {
  query::Agent agent;
  agent.node = gpu.node;
  agent.is_gpu = true;
  agent.name = gpu.name;
  agent.compute_units = gpu.compute_units;
  const AgentFacts facts(agent, gpu.node, PropertiesOf(kNodes, gpu.node));
  std::string text = fmt::format("GPU:{}\n\n", number);
  for (const std::string member : kMembers) {
    std::string value = ValueOf(facts, member);
    if (value.empty() && member.ends_with("_Dim")) {
      value = fmt::format("{{'x': {}, 'y': {}, 'z': {}}}", ValueOf(facts, member + "_X"),
                          ValueOf(facts, member + "_Y"), ValueOf(facts, member + "_Z"));
    }
    text += fmt::format("{:30}:\t{}\n", exporting::tool::MemberOf(member), value);
  }
  return text + fmt::format("{:30}:\t{}\n", "logical_node_type_id", number);
}

std::string SamplingText(const std::map<uint32_t, cli::GpuHere>& gpus, bool details) {
  std::string text = details ? "" : "Agents supporting PC Sampling\n\n";
  for (const auto& [number, gpu] : gpus) {
    SamplingOffer offers[kMostSamplingOffers];
    uint32_t count = 0;
    if (QuerySampling(DriverNumberOf(gpu), gpu.name.c_str(), offers, &count) != SamplingAnswer::kOk)
      continue;
    text += fmt::format("{:<8}:\t{}\n{:<8}:\t{}\n", "GPU", number, "Name", gpu.name);
    if (details) text += fmt::format("{:<8}:\n", "configs");
    for (uint32_t i = 0; details && i < count; ++i) text += ConfigurationText(offers[i]) + "\n\n";
    text += "\n\n";
  }
  return text;
}

}  // namespace rtl::v3
