// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "cli/base/counter_choice.h"
#include "cli/base/gpus_here.h"
#include "cli/base/print.h"
#include "cli/base/report_json.h"
#include "cli/base/table.h"
#include "cli/base/verbs.h"
#include "cli/counters/counter_passes.h"
#include "counters/definitions.h"
#include "counters/words.h"
#include "trace/write/choice.h"

namespace rtl::cli {
namespace {

using counters::Definition;
using counters::Definitions;

std::string What(const Definition& counter) {
  return counter.derived() ? std::string(counter.expression)
                           : fmt::format("{}:{}", counter.block, counter.event);
}

// The requested kinds of GPUs; empty: all.
Status WantedGpus(const CountersOptions& options, const Definitions& known,
                  std::set<std::string>* gpus) {
  if (options.gpu.empty()) {
    for (const GpuHere& gpu : GpusHere()) gpus->insert(gpu.name);
    return Status::Ok();
  }
  gpus->insert(options.gpu);
  return known.KnowsGpu(options.gpu)
             ? Status::Ok()
             : Status::Error("no counters are defined for a GPU %s", options.gpu.c_str());
}

// Those of the wanted GPUs that use exactly this definition.
std::vector<std::string> GpusOf(const Definitions& known, const Definition& counter,
                                const std::set<std::string>& wanted) {
  std::vector<std::string> gpus;
  for (uint32_t i = 0; i < counter.gpu_count; ++i) {
    const std::string gpu(counter.gpus[i]);
    if ((wanted.empty() || wanted.contains(gpu)) && known.IsCurrent(gpu, counter))
      gpus.push_back(gpu);
  }
  std::sort(gpus.begin(), gpus.end());
  return gpus;
}

// Definitions by the name of the counter.
using Found = std::map<std::string, std::vector<const Definition*>>;

Status Find(const CountersOptions& options, const Definitions& known,
            const std::set<std::string>& gpus, Found* found) {
  std::deque<store::NamePattern> patterns;
  const bool exact = options.action == CountersOptions::Action::kInfo;
  for (const std::string& word : options.words) {
    if (exact) continue;
    const std::string why = patterns.emplace_back().Compile(word, true);
    if (!why.empty())
      return Status::Error("%.100s is not a regular expression: %s", word.c_str(), why.c_str());
  }
  for (uint32_t number = 1; number <= known.count(); ++number) {
    const Definition& counter = known.at(number);
    const std::string name(counter.name);
    bool wanted = options.words.empty();
    for (const store::NamePattern& pattern : patterns) wanted |= pattern.IsIn(name);
    if (exact)
      wanted = std::find(options.words.begin(), options.words.end(), name) != options.words.end();
    if (wanted && !GpusOf(known, counter, gpus).empty()) (*found)[name].push_back(&counter);
  }
  for (const std::string& word : options.words) {
    if (exact && !found->contains(word)) return Status::Error("unknown counter %s", word.c_str());
  }
  return found->empty() ? Status::Error("no counter matches") : Status::Ok();
}

std::string ListText(const Found& found, size_t width) {
  Table table({{"counter", Align::kLeft}, {"what it counts", Align::kLeft}});
  for (const auto& [name, definitions] : found)
    table.AddRow({name, std::string(definitions.front()->description)});
  return table.Render(width);
}

std::string InfoText(const Definitions& known, const Found& found,
                     const std::set<std::string>& gpus) {
  std::string text;
  for (const auto& [name, definitions] : found) {
    text += fmt::format("{}: {}\n", name, definitions.front()->description);
    for (const Definition* counter : definitions) {
      text += fmt::format("  {}\n    on {}{}\n", What(*counter),
                          Joined(GpusOf(known, *counter, gpus), ", "),
                          counter->origin.empty() ? "" : fmt::format(" ({})", counter->origin));
    }
  }
  return text;
}

std::string Json(const Definitions& known, const Found& found, const std::set<std::string>& gpus) {
  rapidjson::StringBuffer buffer;
  JsonWriter json(buffer);
  json.StartArray();
  for (const auto& [name, definitions] : found) {
    for (const Definition* counter : definitions) {
      json.StartObject();
      JsonText(&json, "name", name);
      JsonText(&json, "description", counter->description);
      JsonText(&json, "block", counter->block);
      if (!counter->derived()) JsonNumber(&json, "event", counter->event);
      JsonText(&json, "expression", counter->expression);
      JsonTexts(&json, "gpus", GpusOf(known, *counter, gpus));
      json.EndObject();
    }
  }
  json.EndArray();
  return std::string(buffer.GetString()) + "\n";
}

Status Check(const CountersOptions& options, const Definitions& known, std::string* text) {
  std::vector<std::string> words;
  std::string chosen;
  RTL_TRY(ChooseCounters(options.words, known, &chosen));
  std::string_view rest = chosen;
  for (std::string_view word = counters::NextWord(&rest); !word.empty();
       word = counters::NextWord(&rest))
    words.emplace_back(word);
  std::map<std::string, GpuHere> gpus;
  for (const GpuHere& gpu : GpusHere()) gpus.emplace(gpu.name, gpu);
  if (!options.gpu.empty()) {
    // The number of events that a block counts at once does not depend on the number of its
    // instances, so any numbers will do.
    GpuHere asked = {0, options.gpu, 1, 4, 64, 1};
    if (const auto here = gpus.find(options.gpu); here != gpus.end()) asked = here->second;
    gpus = {{options.gpu, asked}};
  }
  if (gpus.empty())
    return Status::Error("no GPU on this machine; name one, for example --gpu gfx90a");
  for (const auto& [name, gpu] : gpus) {
    std::vector<CounterPass> passes;
    RTL_TRY(SplitIntoPasses(known, gpu, words, &passes));
    *text += passes.size() == 1 ? fmt::format("{}: one run\n", name)
                                : fmt::format("{}: {} runs\n", name, passes.size());
    for (const CounterPass& pass : passes) *text += "  --pmc " + Joined(pass, ",") + "\n";
  }
  return Status::Ok();
}

Status Run(const CountersOptions& options, std::string* text) {
  Definitions known;
  RTL_TRY(ReadDefinitions(options.file, &known));
  if (options.action == CountersOptions::Action::kCheck) return Check(options, known, text);
  std::set<std::string> gpus;
  Found found;
  RTL_TRY(WantedGpus(options, known, &gpus));
  RTL_TRY(Find(options, known, gpus, &found));
  if (options.json) {
    *text = Json(known, found, gpus);
  } else if (options.action == CountersOptions::Action::kInfo) {
    *text = InfoText(known, found, gpus);
  } else {
    *text = ListText(found, TerminalWidth(STDOUT_FILENO));
  }
  return Status::Ok();
}

}  // namespace

int RunVerb(const CountersOptions& options) {
  std::string text;
  const Status status = Run(options, &text);
  return status.ok() ? PrintResult(text) : Fail(status);
}

}  // namespace rtl::cli
