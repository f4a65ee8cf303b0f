// SPDX-License-Identifier: MIT
#include "cli/base/verb_arguments.h"

namespace rtl::cli {

void HotArguments::AddTo(CLI::App* app) {
  verb_ = app->add_subcommand("hot", "Print which lines of kernels are slow (trace --pc-sampling)");
  verb_->add_option("FILE", options_.file, "The trace")->capture_default_str()->type_name("");
  verb_->add_option("--kernel", options_.kernel, "Only kernels whose name matches")
      ->type_name("REGEX");
  verb_->add_option("-n", options_.rows, "Number of lines to print per kernel; 0: all (default 10)")
      ->type_name("LINES");
  verb_->add_flag("--instructions", options_.instructions,
                  "Also print the instructions of each line");
  verb_->add_flag("--csv", csv_, "Every instruction as comma-separated values");
  verb_->add_flag("--json", json_, "Everything as JSON");
}

std::string HotArguments::Take(HotOptions* options) const {
  if (csv_ && json_) return "--csv and --json exclude each other";
  *options = options_;
  if (csv_) options->format = TableFormat::kCsv;
  if (json_) options->format = TableFormat::kJson;
  return "";
}

}  // namespace rtl::cli
