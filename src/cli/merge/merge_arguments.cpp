// SPDX-License-Identifier: MIT
#include "cli/base/formats.h"
#include "cli/base/verb_arguments.h"

namespace rtl::cli {

void MergeArguments::AddTo(CLI::App* app) {
  verb_ = app->add_subcommand("merge", "Merge the traces of several processes or ranks into one");
  verb_->add_option("TRACES", options_.files, "The traces, two or more")->type_name("");
  verb_->add_option("-o,--output", options_.output, "Database to write")->type_name("FILE");
  verb_->add_flag("--force", options_.force, kForceText);
}

std::string MergeArguments::Complaint() const {
  if (options_.files.size() < 2) return "merge takes two traces or more";
  if (options_.output.empty()) return "merge needs the name of a file to write: -o all.db";
  if (options_.output == "-") return "a database needs a file, not standard output";
  for (const std::string& file : options_.files) {
    if (NameOneFile(file, options_.output)) return "the output would replace " + file;
  }
  return ComplaintOfDatabase("-o", options_.output);
}

std::string MergeArguments::Take(MergeOptions* options) const {
  *options = options_;
  return Complaint();
}

}  // namespace rtl::cli
