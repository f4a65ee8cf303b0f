// SPDX-License-Identifier: MIT
#include "cli/base/formats.h"
#include "cli/base/verb_arguments.h"

namespace rtl::cli {

void CollectArguments::AddTo(CLI::App* app) {
  CLI::App* const verb = app->add_subcommand("collect", "Make a database from a spool directory");
  verb->add_option("--spool", options_.spool, "Directory of the spool")
      ->type_name("DIR")
      ->required();
  verb->add_option("--output,-o", options_.output, "Database to write")
      ->type_name("FILE")
      ->required();
  verb->add_option("--pid", options_.pid, "Wait for this process to end")->type_name("PID");
  verb->add_flag("--force", options_.force, kForceText);
  verb->add_flag("--keep-spool", options_.keep_spool, "Leave the spool in place");
  verb->add_flag("--attachable", options_.attachable)->group("");  // for RTL_ATTACH
}

std::string CollectArguments::Take(CollectCommand* options) {
  if (options_.output == "-") return kNeedsFile;
  std::string no_database = ComplaintOfDatabase("--output", options_.output);
  if (!no_database.empty()) return no_database;
  *options = options_;
  return "";
}

}  // namespace rtl::cli
