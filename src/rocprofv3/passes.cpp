// SPDX-License-Identifier: MIT
#include "rocprofv3/passes.h"

#include <stdlib.h>

#include <set>

#include "cli/base/counter_choice.h"
#include "cli/base/print.h"
#include "cli/counters/counter_passes.h"
#include "counters/words.h"

namespace rtl::v3 {
namespace {

constexpr size_t kVirtualGpus = 8;          // the most that a run can have
constexpr char kOfTheVirtualGpu[] = "906";  // the target if VGPU_GFX is not set

std::vector<cli::GpuHere> GpusOfTheRun(const Settings& settings) {
  if (!settings.IsOn("vgpu")) return cli::GpusHere();
  const char* const name = getenv("VGPU_GFX");
  cli::GpuHere gpu;
  gpu.name = std::string("gfx") + (name == nullptr || *name == '\0' ? kOfTheVirtualGpu : name);
  // The number of events that a block counts at once does not depend on the number of its
  // instances, so any numbers will do.
  gpu.engines = 4;
  gpu.compute_units = 64;
  gpu.arrays_per_engine = 1;
  return std::vector<cli::GpuHere>(kVirtualGpus, gpu);  // all GPUs are alike
}

// Those words of `text` that count on this GPU.
std::vector<std::string> WordsFor(uint32_t gpu, std::string_view text) {
  std::vector<std::string> words;
  for (std::string_view each = counters::NextWord(&text); !each.empty();
       each = counters::NextWord(&text)) {
    counters::Word word;
    if (counters::ReadWord(each, &word).ok() && word.IsFor(gpu)) words.emplace_back(each);
  }
  return words;
}

Status CheckFit(const Settings& settings, const counters::Definitions& known,
                const std::vector<std::string>& asked, const std::string& where) {
  std::string chosen;
  cli::LeftOut left_out;  // counters left out, which MakeRequest reports
  RTL_TRY(cli::ChooseCounters(asked, known, &chosen,
                              settings.IsOn("keep_going") ? &left_out : nullptr));
  std::set<std::string> seen;
  const std::vector<cli::GpuHere> gpus = GpusOfTheRun(settings);
  for (uint32_t i = 0; i < gpus.size(); ++i) {
    const cli::GpuHere& gpu = gpus[i];
    const std::vector<std::string> words = WordsFor(i, chosen);
    if (!seen.insert(gpu.name + " " + cli::Joined(words)).second) continue;
    std::vector<cli::CounterPass> runs;
    // No check is possible if AMD's library is missing here, or for counters of another GPU.
    if (!cli::SplitIntoPasses(known, gpu, words, &runs).ok() || runs.size() <= 1) continue;
    std::string text;
    for (const cli::CounterPass& run : runs) text += " --pmc " + cli::Joined(run);
    return Status::Error("%s: %s cannot count all of these in one run, but in %zu:%s",
                         where.c_str(), gpu.name.c_str(), runs.size(), text.c_str());
  }
  return Status::Ok();
}

}  // namespace

Status MakePasses(const CommandLine& line, std::vector<Pass>* passes) {
  const char* const contents = getenv("ROCPROF_EXTRA_COUNTERS_CONTENTS");
  if (contents != nullptr && *contents != '\0' && !line.settings.Has("extra_counters")) {
    return Status::Error(
        "ROCPROF_EXTRA_COUNTERS_CONTENTS is not supported: name a file of definitions with "
        "--extra-counters");
  }
  const std::string& file = line.settings.Word("input");
  const auto number = [&] { return std::to_string(passes->size() + 1); };
  if (!line.counters.empty()) {
    if (!file.empty()) {
      return Status::Error("several --pmc and -i exclude each other: both define runs");
    }
    const Option& pmc = *FindKey("pmc");
    for (const std::vector<std::string>& words : line.counters) {
      Pass pass = {line.settings, "pass_" + number()};
      if (words.empty()) {
        return Status::Error("with several --pmc, number %s has no counters", number().c_str());
      }
      RTL_TRY(pass.settings.Set(pmc, "--pmc", words));
      passes->push_back(std::move(pass));
    }
  } else if (file.empty()) {
    passes->push_back({line.settings, ""});
  } else {
    std::vector<Settings> jobs;
    RTL_TRY(ReadInputFile(file, &jobs));
    const std::string prefix = IsTextFile(file) ? "pmc_" : "pass_";
    for (const Settings& job : jobs) {
      Pass pass = {line.settings, prefix + number()};
      RTL_TRY(pass.settings.Merge(job, file));
      // As in AMD's tool, the files of a single job are in a folder of their own only if it counts.
      if (jobs.size() == 1 && pass.settings.Words("pmc").empty()) pass.folder.clear();
      passes->push_back(std::move(pass));
    }
  }
  for (Pass& pass : *passes) RTL_TRY(pass.settings.AddVariables());
  return Status::Ok();
}

Status CheckCountersFit(const Settings& settings) {
  counters::Definitions known;
  RTL_TRY(cli::ReadDefinitions(settings.Word("extra_counters"), &known));
  const std::vector<std::string>& groups = settings.Words("pmc_groups");
  if (groups.empty()) return CheckFit(settings, known, settings.Words("pmc"), "--pmc");
  for (size_t i = 0; i < groups.size(); ++i) {
    RTL_TRY(CheckFit(settings, known, {groups[i]}, "pmc_groups, group " + std::to_string(i + 1)));
  }
  return Status::Ok();
}

}  // namespace rtl::v3
