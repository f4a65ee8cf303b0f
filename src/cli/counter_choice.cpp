// SPDX-License-Identifier: MIT
#include "cli/counter_choice.h"

#include "base/config.h"
#include "counters/definitions.h"
#include "counters/expression.h"
#include "counters/words.h"

namespace rtl::cli {
namespace {

using counters::Definition;
using counters::Definitions;

bool IsKnown(const Definitions& known, std::string_view name) {
  for (uint32_t i = 1; i <= known.count(); ++i) {
    if (known.at(i).name == name) return true;
  }
  return false;
}

}  // namespace

Status ReadDefinitions(const std::string& file, Definitions* out) {
  counters::ReadInstalledDefinitions(out);
  return file.empty() ? Status::Ok() : out->AppendFile(file.c_str());
}

Status ChooseCounters(const std::vector<std::string>& words, const Definitions& known,
                      std::string* out) {
  out->clear();
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
        return Status::Error(
            "%s is no counter that is known here (rtl counters list), nor BLOCK:EVENT (SQ:4)",
            std::string(word.name).c_str());
      }
      *out += (out->empty() ? "" : ",") + std::string(each);
    }
  }
  if (out->size() >= Config::kCountersBytes)
    return Status::Error("the counters have more than %u characters together",
                         Config::kCountersBytes - 1);
  return Status::Ok();
}

}  // namespace rtl::cli
