// SPDX-License-Identifier: MIT
#include "cli/counters/delivery.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <memory>

#include "cli/base/counter_choice.h"
#include "cli/base/installation.h"
#include "cli/base/traced_probe.h"
#include "cli/counters/counter_passes.h"
#include "counters/words.h"
#include "trace/read/trace_reader.h"

namespace rtl::cli {
namespace {

// The GPUs in the probe's trace.
std::vector<GpuHere> GpusOf(const std::string& database) {
  std::unique_ptr<query::TraceReader> trace;
  std::vector<query::Agent> agents;
  std::vector<query::AgentProperty> properties;
  if (!query::TraceReader::Open(database, &trace).ok() || !trace->tables().Agents(&agents).ok() ||
      !trace->tables().AgentProperties(&properties).ok())
    return {};
  std::vector<GpuHere> gpus;
  for (const query::Agent& agent : agents) {
    if (!agent.is_gpu) continue;
    const auto number = [&](const char* name) -> uint32_t {
      for (const query::AgentProperty& each : properties) {
        if (each.agent == agent.agent && each.name == name)
          return static_cast<uint32_t>(strtoul(each.value.c_str(), nullptr, 10));
      }
      return 0;
    };
    GpuHere gpu;
    gpu.node = agent.node;
    gpu.name = agent.name;
    gpu.compute_units = agent.compute_units;
    gpu.arrays_per_engine = number("simd_arrays_per_engine");
    if (gpu.arrays_per_engine != 0) gpu.engines = number("array_count") / gpu.arrays_per_engine;
    if (number("num_xcc") != 0) gpu.xcc = number("num_xcc");
    gpus.push_back(gpu);
  }
  return gpus;
}

Status CheckFit(const counters::Definitions& known, const GpuHere& gpu,
                const std::vector<std::string>& words) {
  std::vector<CounterPass> runs;
  // If AMD's library is missing here, the traced program finds out whether the counters fit.
  if (!SplitIntoPasses(known, gpu, words, &runs).ok() || runs.size() <= 1) return Status::Ok();
  return Status::Error(
      "kernels are not counted: %s cannot count all of these at once, but in %zu runs "
      "(rtl counters check says which)",
      gpu.name.c_str(), runs.size());
}

}  // namespace

Status Delivery::Check(const Wanted& wanted) {
  if (wanted.counters.empty() && wanted.pc_sampling_us == 0) return Status::Ok();
  if (probed_.insert({!wanted.counters.empty(), wanted.pc_sampling_us}).second)
    RTL_TRY(Probe(wanted));
  return CheckCounters(wanted);
}

Status Delivery::Probe(const Wanted& wanted) {
  const char* const outcome =
      wanted.counters.empty() ? "program counters are not sampled" : "kernels are not counted";
  if (traced_.vgpu.empty() && access(kDriver, R_OK | W_OK) != 0) {
    const bool is_missing = errno == ENOENT;
    if (is_missing && wanted.program.substr(wanted.program.rfind('/') + 1) == "vgpu")
      return Status::Ok();
    if (is_missing)
      return Status::Error("%s: no AMD GPU on this machine (no %s); --vgpu has a virtual one",
                           outcome, kDriver);
    return Status::Error("%s: %s: %s (rtl doctor says more)", outcome, kDriver, strerror(errno));
  }
  TracedEnvironment traced = traced_;
  traced.counters = wanted.counters;
  traced.counter_file = wanted.counter_file;
  traced.pc_sampling_us = wanted.pc_sampling_us;
  TracedProbe probe;
  const Status ran = probe.Run(traced, variables_, true);
  const int code = probe.ending().number;
  const bool started =
      ran.ok() && !probe.ending().signalled && (code == 0 || code == kMakesQueuesByDescription);
  if (!started) return Status::Ok();
  // "kernels are not counted in process 12: why"
  for (const std::string& warning : probe.result().warnings) {
    for (const std::string what : {"kernels are not counted", "program counters are not sampled"}) {
      if (!warning.starts_with(what)) continue;
      const size_t why = warning.find(": ");
      if (why != std::string::npos)
        return Status::Error("%s", (what + warning.substr(why)).c_str());
    }
  }
  gpus_ = GpusOf(probe.result().output);
  if (!gpus_.empty()) return Status::Ok();
  return Status::Error("%s: the HSA runtime shows no GPU (ROCR_VISIBLE_DEVICES may hide it)",
                       outcome);
}

// Checks that each word can be counted on at least one of the GPUs that it names, and that each GPU
// can count the words of a group at once. A word may name only GPUs that this machine does not
// have; such words have no effect.
Status Delivery::CheckCounters(const Wanted& wanted) const {
  if (gpus_.empty() || wanted.counters.empty()) return Status::Ok();
  counters::Definitions known;
  RTL_TRY(ReadDefinitions(wanted.counter_file, &known));
  std::string_view groups = wanted.counters;
  for (std::string_view group = counters::NextGroup(&groups); !group.empty();
       group = counters::NextGroup(&groups)) {
    std::vector<std::vector<std::string>> words(gpus_.size());
    for (std::string_view text = counters::NextWord(&group); !text.empty();
         text = counters::NextWord(&group)) {
      counters::Word word;
      RTL_TRY(counters::ReadWord(text, &word));
      Status why = Status::Ok();
      bool is_counted = false;
      for (uint32_t i = 0; i < gpus_.size(); ++i) {
        if (!word.IsFor(i)) continue;
        const Status here = CanCount(known, gpus_[i], std::string(text));
        if (here.ok()) words[i].emplace_back(text);
        is_counted |= here.ok();
        why = here;
      }
      if (!is_counted) RTL_TRY(why);
    }
    for (size_t i = 0; i < gpus_.size(); ++i) RTL_TRY(CheckFit(known, gpus_[i], words[i]));
  }
  return Status::Ok();
}

}  // namespace rtl::cli
