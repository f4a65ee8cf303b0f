// SPDX-License-Identifier: MIT
#include "cli/base/formats.h"
#include "cli/base/verb_arguments.h"

namespace rtl::cli {

void DumpArguments::AddTo(CLI::App* app) {
  CLI::App* const verb =
      app->add_subcommand("dump", "Write what the ring of a traced process holds now");
  verb->add_option("PROCESS", options_.process, "Its pid, or the directory of its spool")
      ->type_name("")
      ->required();
  verb->add_option("-o,--output", options_.output, "Database to write (default: beside the trace)")
      ->type_name("FILE");
  verb->add_flag("--force", options_.force, kForceText);
}

std::string DumpArguments::Take(DumpOptions* options) {
  if (!options_.output.empty()) {
    std::string wrong = ComplaintOfDatabase("-o", options_.output);
    if (!wrong.empty()) return wrong;
  }
  *options = options_;
  return "";
}

}  // namespace rtl::cli
