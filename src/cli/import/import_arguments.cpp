// SPDX-License-Identifier: MIT
#include "cli/base/formats.h"
#include "cli/base/verb_arguments.h"

namespace rtl::cli {

void ImportArguments::AddTo(CLI::App* app) {
  CLI::App* const verb =
      app->add_subcommand("import", "Make a trace of the traces of other tools (torch.profiler)");
  verb->add_option("FILES", options_.files, "The traces; several are the processes of one job")
      ->type_name("");
  verb->add_option("-o,--output", options_.output, "Database to write")->type_name("FILE");
  verb->add_flag("--force", options_.force, kForceText);
}

std::string ImportArguments::Take() {
  if (options_.files.empty()) return "import needs a trace: rtl import trace.json.gz -o trace.db";
  if (options_.output.empty()) return "import needs the name of a file to write: -o trace.db";
  if (options_.output == "-") return "a database needs a file, not standard output";
  for (const std::string& file : options_.files) {
    if (NameOneFile(file, options_.output)) return "the output would replace " + file;
  }
  return ComplaintOfDatabase("-o", options_.output);
}

}  // namespace rtl::cli
