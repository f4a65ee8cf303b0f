// SPDX-License-Identifier: MIT
#include "cli/base/formats.h"
#include "cli/base/verb_arguments.h"

namespace rtl::cli {

void ReportArguments::AddTo(CLI::App* app) {
  CLI::App* const verb = app->add_subcommand(
      "report", "Write a page for browsers: why GPUs were idle, a timeline, tables");
  verb->add_option("FILE", options_.file, "The trace")->capture_default_str()->type_name("");
  verb->add_option("-o,--output", options_.output,
                   "Page to write, - for standard output (default: FILE with the extension .html)")
      ->type_name("FILE");
  verb->add_flag("--force", options_.force, kForceText);
  selection_.AddTo(verb);
}

std::string ReportArguments::Take(ReportOptions* options) {
  std::string& output = options_.output;
  if (output.empty()) output = DefaultOutput(options_.file, ".html");
  std::string no_page = ComplaintOfPage("-o", output);
  if (!no_page.empty()) return no_page;
  if (output != "-" && NameOneFile(output, options_.file))
    return "the page would replace the trace";
  std::string complaint = selection_.Take(&options_.selection);
  if (!complaint.empty()) return complaint;
  *options = options_;
  return "";
}

}  // namespace rtl::cli
