// SPDX-License-Identifier: MIT
#include "cli/base/verb_arguments.h"
#include "cli/diff/diff_report.h"

namespace rtl::cli {

void DiffArguments::AddTo(CLI::App* app) {
  CLI::App* const verb =
      app->add_subcommand("diff", "Compare traces: what got slower, faster, new, gone");
  AddValue(verb, "TRACES", "", traces_, "A trace before and one after, or several before");
  AddValue(verb, "--with", "FILE", options_.after, "The later traces, when there are several");
  AddValue(verb, "--fail-if", "LIMIT", limits_,
           "Exit with code 3 when something got slower by more than this, beyond the noise: "
           "'kernel>5%', or copy, range, call; several with commas")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  AddValue(verb, "-n", "N", options_.rows, "Number of rows to print; 0: all (default 20)");
  selection_.AddTo(verb);
  verb->add_flag("--csv", csv_, "Everything as comma-separated values, in nanoseconds");
  verb->add_flag("--json", json_, "Everything as JSON, in nanoseconds");
}

std::string DiffArguments::Resolve() {
  options_.before = traces_;
  if (options_.after.empty() && traces_.size() == 2) {
    options_.after = {options_.before.back()};
    options_.before.pop_back();
  }
  if (options_.before.empty() || options_.after.empty()) {
    return "diff takes two traces; with more, name the earlier ones before --with, the later ones "
           "after it";
  }
  std::string complaint = ResolveTableFormat(csv_, json_, &options_.format);
  if (!complaint.empty()) return complaint;
  for (const std::string& limit : limits_) {
    if (!ParseLimits(limit, &options_.limits)) {
      return "--fail-if takes a limit as 'kernel>5%', of kernel, copy, range or call, not " + limit;
    }
  }
  return selection_.Resolve(&options_.selection);
}

}  // namespace rtl::cli
