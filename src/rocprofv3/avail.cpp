// SPDX-License-Identifier: MIT
#include "rocprofv3/avail.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "cli/base/counter_choice.h"
#include "cli/base/print.h"
#include "cli/base/table.h"
#include "cli/counters/counter_passes.h"
#include "counters/definitions.h"
#include "rocprofv3/settings.h"

namespace rtl::v3 {
namespace {

using cli::GpuHere;
using counters::Definition;
using counters::Definitions;

constexpr size_t kUsualWidth = 100;

constexpr char kHelp[] =
    "usage: rocprofv3-avail [-d GPU] list [--pmc] [--agent] [--pc-sampling]\n"
    "       rocprofv3-avail [-d GPU] info [--pmc [COUNTER ...]] [--pc-sampling]\n"
    "       rocprofv3-avail [-d GPU] pmc-check COUNTER[:device=GPU] ...\n"
    "\n"
    "  list       GPUs and the names of their counters (--agent: what GPUs are, without counters)\n"
    "  info       what GPUs are and the names of their counters (--pmc: what counters are)\n"
    "             --pc-sampling: GPUs that offer PC sampling; info has their configurations, too\n"
    "  pmc-check  whether counters can be collected together\n"
    "  -d GPU     only this GPU: 0 is the first\n";

std::string Field(const char* name, std::string_view value) {
  return fmt::format("{:<30}:\t{}\n", name, value);
}

std::string InColumns(const std::vector<std::string>& names) {
  size_t longest = 0;
  for (const std::string& name : names) longest = std::max(longest, name.size());
  const size_t terminal = cli::TerminalWidth(STDOUT_FILENO);
  const size_t columns =
      std::max<size_t>(1, (terminal == 0 ? kUsualWidth : terminal) / (longest + 1));
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    const bool last = i + 1 == names.size() || (i + 1) % columns == 0;
    text += last ? names[i] + "\n" : fmt::format("{:<{}} ", names[i], longest);
  }
  return text;
}

std::string Details(const Definition& counter) {
  std::string text =
      Field("Counter_Name", counter.name) + Field("Description", counter.description);
  if (counter.derived()) return text + Field("Expression", counter.expression) + "\n";
  return text + Field("Block", counter.block) + Field("Event", std::to_string(counter.event)) +
         "\n";
}

// The counters of a GPU, sorted by name.
std::vector<const Definition*> CountersOf(const Definitions& known, const GpuHere& gpu) {
  std::vector<const Definition*> all;
  for (uint32_t number = 1; number <= known.count(); ++number) {
    if (known.IsCurrent(gpu.name, known.at(number))) all.push_back(&known.at(number));
  }
  std::sort(all.begin(), all.end(),
            [](const Definition* a, const Definition* b) { return a->name < b->name; });
  return all;
}

Status GpusWanted(std::optional<uint32_t> number, std::map<uint32_t, GpuHere>* out) {
  const std::vector<GpuHere> here = cli::GpusHere();
  if (here.empty()) return Status::Error("no GPU on this machine (rtl doctor shows why)");
  for (uint32_t i = 0; i < here.size(); ++i) {
    if (!number.has_value() || *number == i) out->emplace(i, here[i]);
  }
  return out->empty() ? Status::Error("no GPU %u", *number) : Status::Ok();
}

// Reads "NAME" or "NAME:device=1[,device=2]".
Status ReadCheck(const std::string& word, std::string* name, std::vector<uint32_t>* gpus) {
  const size_t colon = word.find(':');
  *name = word.substr(0, colon);
  constexpr std::string_view kDevice = "device=";
  for (size_t at = colon; at != std::string::npos && at < word.size();) {
    const size_t end = std::min(word.find(',', at + 1), word.size());
    const std::string part = word.substr(at + 1, end - at - 1);
    uint64_t number = 0;
    if (!part.starts_with(kDevice))
      return Status::Error("%s: device=GPU is expected after the colon", word.c_str());
    if (!ParseNumber(part.c_str() + kDevice.size(), 0, UINT32_MAX, &number))
      return Status::Error("%s: a GPU is a number", word.c_str());
    gpus->push_back(static_cast<uint32_t>(number));
    at = end;
  }
  return Status::Ok();
}

Status CheckTogether(std::optional<uint32_t> only, const std::vector<std::string>& words,
                     std::string* text, bool* fits) {
  Definitions known;
  RTL_TRY(cli::ReadDefinitions("", &known));
  std::map<uint32_t, GpuHere> gpus;
  RTL_TRY(GpusWanted({}, &gpus));
  std::map<uint32_t, std::vector<std::string>> wanted;
  for (const std::string& word : words) {
    std::string name;
    std::vector<uint32_t> named;
    RTL_TRY(ReadCheck(word, &name, &named));
    if (named.empty()) {
      for (const auto& [number, gpu] : gpus) {
        if (!only.has_value() || *only == number) wanted[number].push_back(name);
      }
    }
    for (const uint32_t number : named) wanted[number].push_back(name);
  }
  *fits = true;
  for (const auto& [number, names] : wanted) {
    if (!gpus.contains(number)) return Status::Error("no GPU %u", number);
    std::vector<cli::CounterPass> passes;
    RTL_TRY(cli::SplitIntoPasses(known, gpus[number], names, &passes));
    if (passes.size() == 1) {
      *text += fmt::format("Following input counters can be collected together on GPU:{}\t{}\n",
                           number, fmt::join(names, "\t"));
      continue;
    }
    *fits = false;
    *text += fmt::format("On GPU:{} these counters take {} runs:\n", number, passes.size());
    for (const cli::CounterPass& pass : passes)
      *text += fmt::format("  --pmc {}\n", fmt::join(pass, " "));
  }
  return Status::Ok();
}

struct Arguments {
  std::optional<uint32_t> gpu;
  std::string command;
  bool agents = false;
  bool counters = false;
  bool pc_sampling = false;
  std::vector<std::string> words;
};

// The value of a switch. In the command `list` a truth value may follow the switch.
bool ConsumeTruth(const std::vector<std::string>& arguments, const std::string& command,
                  size_t* at) {
  if (command != "list" || *at + 1 == arguments.size()) return true;
  const std::optional<bool> truth = ParseTruth(arguments[*at + 1]);
  if (truth.has_value()) ++*at;
  return truth.value_or(true);
}

// Returns the error; empty: none.
std::string Read(const std::vector<std::string>& arguments, Arguments* out) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "-d" || word == "--device") {
      uint64_t number = 0;
      const std::string value = i + 1 < arguments.size() ? arguments[++i] : "";
      if (!ParseNumber(value.c_str(), 0, UINT32_MAX, &number))
        return word + " takes the number of a GPU";
      out->gpu = static_cast<uint32_t>(number);
    } else if (word == "--agent") {
      out->agents = ConsumeTruth(arguments, out->command, &i);
    } else if (word == "--pc-sampling") {
      out->pc_sampling = ConsumeTruth(arguments, out->command, &i);
    } else if (word == "--pmc") {
      out->counters = ConsumeTruth(arguments, out->command, &i);
    } else if (word.starts_with('-')) {
      return "unknown option " + word;
    } else if (out->command.empty()) {
      out->command = word;
      if (word != "list" && word != "info" && word != "pmc-check") return "unknown command " + word;
    } else {
      out->words.push_back(word);
    }
  }
  if (out->command.empty()) return "list, info or pmc-check is missing";
  if (out->command == "pmc-check" && out->words.empty()) return "pmc-check takes counters";
  if (out->command == "list" && !out->words.empty()) return "list takes no " + out->words.front();
  if (out->command == "info" && !out->words.empty() && !out->counters && !out->pc_sampling)
    return "counters follow --pmc, not " + out->words.front();
  return "";
}

int Complain(const std::string& why, int code) {
  cli::PrintAside("rocprofv3-avail: " + why + "\n");
  return code;
}

// The order of AMD's tool: `info` prints each GPU followed by its counters; `list` prints the
// counters, unless GPUs were requested.
Status Describe(const Arguments& asked, std::string* text) {
  const bool info = asked.command == "info";
  if (asked.counters && info) return DescribeCounters(asked.gpu, true, asked.words, "", text);
  std::map<uint32_t, GpuHere> gpus;
  RTL_TRY(GpusWanted(asked.gpu, &gpus));
  if (info) {
    Definitions known;
    RTL_TRY(cli::ReadDefinitions("", &known));
    for (const auto& [number, gpu] : gpus) {
      std::vector<std::string> names;
      for (const Definition* counter : CountersOf(known, gpu)) names.emplace_back(counter->name);
      *text += AgentText(gpu, number) + Field("PMC", "") + "\n" + InColumns(names) + "\n\n";
    }
    return Status::Ok();
  }
  for (const auto& [number, gpu] : gpus) {
    if (asked.agents) *text += AgentText(gpu, number) + "\n\n";
  }
  if (asked.agents && !asked.counters) return Status::Ok();
  return DescribeCounters(asked.gpu, false, {}, "", text);
}

}  // namespace

Status DescribeCounters(std::optional<uint32_t> number, bool details,
                        const std::vector<std::string>& counters, const std::string& file,
                        std::string* text) {
  Definitions known;
  RTL_TRY(cli::ReadDefinitions(file, &known));
  std::map<uint32_t, GpuHere> gpus;
  RTL_TRY(GpusWanted(number, &gpus));
  for (const auto& [index, gpu] : gpus) {
    // The form of AMD's output, which AMD's own test of --list-avail reads.
    *text += details ? fmt::format("GPU:{}\nName:{}\n", index, gpu.name)
                     : Field("GPU", std::to_string(index)) + Field("Name", gpu.name);
    std::vector<std::string> names;
    for (const Definition* counter : CountersOf(known, gpu)) {
      const bool wanted = counters.empty() || std::find(counters.begin(), counters.end(),
                                                        counter->name) != counters.end();
      if (wanted) names.emplace_back(counter->name);
      if (wanted && details) *text += Details(*counter);
    }
    for (const std::string& name : counters) {
      if (std::find(names.begin(), names.end(), name) == names.end())
        return Status::Error("GPU %u (%s) has no counter %s", index, gpu.name.c_str(),
                             name.c_str());
    }
    if (!details) *text += Field("PMC", "") + InColumns(names) + "\n";
  }
  return Status::Ok();
}

int AvailMain(std::vector<std::string> arguments) {
  if (!arguments.empty() && (arguments[0] == "-h" || arguments[0] == "--help")) {
    fmt::print("{}", kHelp);
    return 0;
  }
  Arguments asked;
  if (const std::string wrong = Read(arguments, &asked); !wrong.empty())
    return Complain(wrong + " (try: rocprofv3-avail --help)", kExitUsage);
  std::string text;
  bool fits = true;
  Status status = Status::Ok();
  if (asked.command == "pmc-check") {
    status = CheckTogether(asked.gpu, asked.words, &text, &fits);
  } else if (!asked.pc_sampling || asked.agents || asked.counters) {
    status = Describe(asked, &text);
  }
  if (status.ok() && asked.pc_sampling) {
    std::map<uint32_t, GpuHere> gpus;
    status = GpusWanted(asked.gpu, &gpus);
    if (status.ok()) text += SamplingText(gpus, asked.command == "info");
  }
  if (!status.ok()) return Complain(status.message(), kExitFailed);
  fmt::print("{}", text);
  if (fflush(stdout) != 0) return Complain("standard output cannot be written", kExitFailed);
  return fits ? 0 : kExitFailed;
}

}  // namespace rtl::v3
