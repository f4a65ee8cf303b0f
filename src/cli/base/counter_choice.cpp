// SPDX-License-Identifier: MIT
#include "cli/base/counter_choice.h"

#include "base/config.h"
#include "counters/definitions.h"
#include "counters/expression.h"
#include "counters/kernel_filter.h"
#include "counters/words.h"
#include "trace/write/choice.h"

namespace rtl::cli {
namespace {

using counters::Definitions;

bool IsKnown(const Definitions& known, std::string_view name) {
  for (uint32_t i = 1; i <= known.count(); ++i) {
    if (known.at(i).name == name) return true;
  }
  return false;
}

Status CheckLength(const std::string& counters) {
  if (counters.size() < Config::kCountersBytes) return Status::Ok();
  return Status::Error("the counters have more than %u characters together",
                       Config::kCountersBytes - 1);
}

}  // namespace

Status ChooseKernels(const CounterKernels& kernels, std::string* out) {
  const std::pair<const char*, const std::string*> expressions[] = {{"include", &kernels.include},
                                                                    {"exclude", &kernels.exclude}};
  for (const auto& [word, text] : expressions) {
    std::string posix;
    if (text->empty()) continue;
    if (text->find('\n') != std::string::npos || !store::ToPosix(*text, &posix))
      return Status::Error("%s: kernels cannot be selected by this expression", text->c_str());
    *out += std::string(word) + " " + posix + "\n";
  }
  std::string launches;
  for (const char c : kernels.launches) {
    if (c != '[' && c != ']' && c != ' ') launches += c;
  }
  if (!launches.empty()) *out += "launches " + launches + "\n";
  return counters::KernelFilter().Parse(out->c_str());
}

Status ReadDefinitions(const std::string& file, Definitions* out) {
  counters::ReadInstalledDefinitions(out);
  return file.empty() ? Status::Ok() : out->AppendFile(file.c_str());
}

Status ChooseCounters(const std::vector<std::string>& words, const Definitions& known,
                      std::string* out, LeftOut* left_out) {
  out->clear();
  bool leaves_out = false;
  for (const std::string& text : words) {
    std::string_view rest = text;
    for (std::string_view each = counters::NextWord(&rest); !each.empty();
         each = counters::NextWord(&rest)) {
      counters::Word word;
      RTL_TRY(counters::ReadWord(each, &word));
      if (!word.expression.empty()) {
        counters::Arena arena;
        counters::Expression* tree = nullptr;
        if (const Status parsed = ParseExpression(word.expression, &arena, &tree); !parsed.ok())
          return Status::Error("%s: %s", std::string(word.name).c_str(), parsed.message());
      } else if (word.block.empty() && !IsKnown(known, word.name)) {
        const std::string sentence =
            std::string(word.name) +
            " is neither a known counter (rtl counters list) nor BLOCK:EVENT (SQ:4)";
        if (left_out == nullptr) return Status::Error("%s", sentence.c_str());
        left_out->push_back(sentence + "; it is left out");
        leaves_out = true;
        continue;
      }
      *out += (out->empty() ? "" : ",") + std::string(each);
    }
  }
  if (out->empty() && !words.empty() && !leaves_out) return Status::Error("no counter is named");
  return CheckLength(*out);
}

Status ChooseGroups(const std::vector<std::string>& groups, const Definitions& known,
                    std::string* out, LeftOut* left_out) {
  if (groups.size() > counters::kMostGroups)
    return Status::Error("more than %u groups of counters", counters::kMostGroups);
  std::string chosen;
  for (const std::string& group : groups) {
    std::string words;
    RTL_TRY(ChooseCounters({group}, known, &words, left_out));
    if (words.empty()) continue;
    chosen += (chosen.empty() ? "" : ";") + words;
  }
  RTL_TRY(CheckLength(chosen));
  *out = std::move(chosen);
  return Status::Ok();
}

Status ChooseRequested(const TraceOptions& options, const Definitions& known, std::string* out,
                       LeftOut* left_out) {
  if (!options.keep_going) left_out = nullptr;
  return options.counter_group_interval == 0
             ? ChooseCounters(options.counters, known, out, left_out)
             : ChooseGroups(options.counters, known, out, left_out);
}

}  // namespace rtl::cli
