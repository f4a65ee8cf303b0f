// SPDX-License-Identifier: MIT
#include "cli/counters/counter_passes.h"

#include <memory>

#include "base/environment.h"
#include "counters/aqlprofile.h"
#include "counters/plan.h"
#include "counters/words.h"

namespace rtl::cli {
namespace {

using counters::Definition;
using Fit = counters::AqlProfile::Fit;

// The definition that a word names. `own`: where a definition is stored that the word itself
// contains.
Status DefinitionOf(const counters::Definitions& known, const GpuHere& gpu, const std::string& text,
                    Definition* own, const Definition** out) {
  counters::Word word;
  RTL_TRY(counters::ReadWord(text, &word));
  *out = own;
  own->name = word.name.empty() ? std::string_view(text) : word.name;
  own->block = word.block;
  own->event = word.event;
  own->expression = word.expression;
  if (!word.block.empty() || !word.expression.empty()) return Status::Ok();
  *out = known.Find(gpu.name, word.name);
  return *out != nullptr ? Status::Ok()
                         : Status::Error("%s has no counter %s", gpu.name.c_str(),
                                         std::string(word.name).c_str());
}

class Splitter {
 public:
  Splitter(const counters::Definitions& known, const GpuHere& gpu) : known_(known), gpu_(gpu) {}

  Status Open() {
    RTL_TRY(library_.Open(EnvironmentValue("RTL_AQLPROFILE")));
    counters::CounterAgentInfo info;
    gpu_.name.copy(info.name, sizeof info.name - 1);
    info.xcc = gpu_.xcc;
    info.engines = gpu_.engines;
    info.compute_units = gpu_.compute_units;
    info.arrays_per_engine = gpu_.arrays_per_engine;
    if (library_.Register(info, &agent_)) return Status::Ok();
    return Status::Error("%s does not know the GPU %s", counters::AqlProfile::kLibrary,
                         gpu_.name.c_str());
  }

  // Whether all words can be counted at once. An error: the last word cannot be counted at all.
  Status Fits(const std::vector<std::string>& words, bool* fits) {
    auto plan = std::make_unique<counters::Plan>();
    std::vector<Definition> own(words.size());
    for (size_t i = 0; i < words.size(); ++i) {
      const Definition* definition = nullptr;
      RTL_TRY(DefinitionOf(known_, gpu_, words[i], &own[i], &definition));
      Status why = Status::Ok();
      const counters::PlanError error = plan->Add(known_, gpu_.name, *definition, nullptr, &why);
      *fits = error == counters::PlanError::kNone;
      if (error == counters::PlanError::kTooMany && words.size() > 1) return Status::Ok();
      if (!*fits) return why;
    }
    const Fit fit = library_.Fits(agent_, plan->set());
    *fits = fit.kind == Fit::kYes;
    if (*fits || (fit.kind == Fit::kTooMany && words.size() > 1)) return Status::Ok();
    const counters::CounterEvent& event = plan->set().events[fit.event];
    if (fit.kind == Fit::kNoBlock)
      return Status::Error("%s: %s has no counters of block %s", words.back().c_str(),
                           gpu_.name.c_str(), event.block);
    if (fit.kind == Fit::kNoEvent)
      return Status::Error("%s: %s has no event %u of block %s", words.back().c_str(),
                           gpu_.name.c_str(), event.event, event.block);
    return Status::Error("%s needs %u events of block %s, which counts %u at once",
                         words.back().c_str(), fit.wanted, event.block, fit.room);
  }

 private:
  const counters::Definitions& known_;
  const GpuHere& gpu_;
  counters::AqlProfile library_;
  counters::AqlProfile::Agent agent_;
};

}  // namespace

Status SplitIntoPasses(const counters::Definitions& known, const GpuHere& gpu,
                       const std::vector<std::string>& words, std::vector<CounterPass>* passes) {
  passes->clear();
  Splitter splitter(known, gpu);
  RTL_TRY(splitter.Open());
  for (const std::string& word : words) {
    bool fits = false;
    RTL_TRY(splitter.Fits({word}, &fits));
    bool placed = false;
    for (CounterPass& pass : *passes) {
      pass.push_back(word);
      RTL_TRY(splitter.Fits(pass, &placed));
      if (placed) break;
      pass.pop_back();
    }
    if (!placed) passes->push_back({word});
  }
  return Status::Ok();
}

Status CanCount(const counters::Definitions& known, const GpuHere& gpu, const std::string& word) {
  Definition own;
  const Definition* definition = nullptr;
  RTL_TRY(DefinitionOf(known, gpu, word, &own, &definition));
  Splitter splitter(known, gpu);
  if (!splitter.Open().ok()) return Status::Ok();
  bool fits = false;
  return splitter.Fits({word}, &fits);
}

}  // namespace rtl::cli
