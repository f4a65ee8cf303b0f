// SPDX-License-Identifier: MIT
#include "cli/analyze/analyze_report.h"
#include "cli/base/command_text.h"
#include "cli/base/verb_arguments.h"

namespace rtl::cli {

void AnalyzeArguments::AddTo(CLI::App* app) {
  CLI::App* const verb = app->add_subcommand("analyze", "Print why each GPU was idle");
  AddValue(verb, "FILE", "", options_.file, "The trace")->capture_default_str();
  AddValue(verb, "-n", "N", options_.rows, "Number of causes to print; 0: all (default 10)");
  AddValue(verb, "--categories", "FILE", options_.categories,
           "A file with more rules for categories of kernels, lines CATEGORY: REGEX");
  selection_.AddTo(verb);
  verb->add_flag("--csv", csv_,
                 "One table as comma-separated values, in nanoseconds: causes, or that of --table");
  table_ =
      AddValue(verb, "--table", "TABLE", options_.table,
               "With --csv: causes, gpus, categories, findings, steps, ranges, streams or nodes");
  verb->add_flag("--json", json_, "Everything as JSON, in nanoseconds");
  verb->add_flag("--sql", options_.sql, "Also print the SQL that computes the numbers from FILE");
}

std::string AnalyzeArguments::Resolve() {
  std::string complaint = ResolveTableFormat(csv_, json_, &options_.format);
  if (!complaint.empty()) return complaint;
  if (options_.sql && csv_) return "--sql is for text: --json has the SQL, --csv has none";
  if (table_->count() > 0) {
    std::string wrong = ComplaintOfTable(csv_, options_.table, AnalyzeTables());
    if (!wrong.empty()) return wrong;
  }
  return selection_.Resolve(&options_.selection);
}

}  // namespace rtl::cli
