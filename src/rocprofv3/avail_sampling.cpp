// SPDX-License-Identifier: MIT
#include "rocprofv3/avail_sampling.h"

#include <fmt/format.h>

#include <fstream>

#include "device/sampling_driver.h"

namespace rtl::v3 {
namespace {

uint32_t DriverNumberOf(const cli::GpuHere& gpu) {
  std::ifstream file(fmt::format("/sys/class/kfd/kfd/topology/nodes/{}/gpu_id", gpu.node));
  uint32_t number = 0;
  file >> number;
  return number;
}

std::string SamplingField(const char* name, std::string_view value) {
  return fmt::format("   {:<20}:\t{}\n", name, value);
}

// With the words and columns of AMD's.
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
