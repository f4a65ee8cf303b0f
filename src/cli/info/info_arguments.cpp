// SPDX-License-Identifier: MIT
#include "cli/base/verb_arguments.h"

namespace rtl::cli {

void InfoArguments::AddTo(CLI::App* app) {
  CLI::App* const verb = app->add_subcommand("info", "Print what was traced and what is missing");
  verb->add_option("FILE", options_.file, "The trace")->capture_default_str()->type_name("");
  verb->add_flag("--json", options_.json, "The same as JSON, in nanoseconds");
  verb->add_flag("--in-flight", options_.in_flight,
                 "Only the kernels in flight when their process ended; FILE may also be the pid of "
                 "a traced process or a spool directory");
}

std::string InfoArguments::Take(InfoOptions* options) {
  *options = options_;
  return "";
}

}  // namespace rtl::cli
