// SPDX-License-Identifier: MIT
#include "cli/base/selection_arguments.h"

#include <tuple>

#include "cli/base/command_text.h"
#include "cli/base/parse_time.h"

namespace rtl::cli {

void SelectionArguments::AddTo(CLI::App* verb, const char* to) {
  verb->add_option("--kernel", selection_.kernel, "Only kernels whose name matches this")
      ->type_name("REGEX");
  verb->add_option("--range", selection_.range, "Only events during roctx ranges of this name")
      ->type_name("NAME");
  verb->add_option("--from", from_, "Only events from this time since the program's start on")
      ->type_name("TIME");
  verb->add_option(to, to_, "Only events before this time since the program's start")
      ->type_name("TIME");
  verb->add_option("--rank", selection_.rank, "Only this rank of a job")
      ->type_name("N")
      ->check(CountedFromZero());
  verb->add_option("--gpu", selection_.gpu, "Only kernels and copies of this GPU")
      ->type_name("N")
      ->check(CountedFromZero());
}

std::string SelectionArguments::Take(query::SelectionRequest* out, const char* to) {
  for (const auto& [text, time, option] :
       {std::tuple(&from_, &selection_.from, "--from"), std::tuple(&to_, &selection_.to, to)}) {
    if (text->empty()) continue;
    uint64_t ns = 0;
    if (!ParseTimeOrZero(*text, &ns)) {
      return std::string(option) + " takes a time since the program began, as 1.5s or 200ms";
    }
    *time = ns;
  }
  if (selection_.from && selection_.to && *selection_.from >= *selection_.to) {
    return std::string("--from must be before ") + to;
  }
  const std::string why =
      selection_.kernel.empty() ? "" : query::ComplaintOfPattern(selection_.kernel);
  if (!why.empty()) return "--kernel " + selection_.kernel + ": " + why;
  *out = selection_;
  return "";
}

}  // namespace rtl::cli
