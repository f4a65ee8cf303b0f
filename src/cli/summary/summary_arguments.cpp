// SPDX-License-Identifier: MIT
#include <map>

#include "cli/base/command_text.h"
#include "cli/base/verb_arguments.h"
#include "cli/summary/summary_tables.h"

namespace rtl::cli {

void SummaryArguments::AddTo(CLI::App* app) {
  CLI::App* const verb = app->add_subcommand("summary", "Print kernels, GPUs and markers by time");
  AddValue(verb, "FILE", "", options_.file, "The trace")->capture_default_str();
  AddValue(verb, "-n", "N", options_.rows, "Number of rows to print; 0: all (default 20)");
  AddValue(verb, "--sort", "ORDER", order_, "Sort by total (default), calls or avg");
  verb->add_flag("--launch", options_.launch,
                 "Show the launch, wait and run times of kernels instead");
  verb->add_flag("--counters", options_.counters,
                 "Show the hardware counters of each kernel instead");
  AddValue(verb, "--by", "WHAT", by_,
           "Show the time of kernels by operator, module, line or category instead");
  AddValue(verb, "--categories", "FILE", options_.categories,
           "With --by category: a file with more rules, lines CATEGORY: REGEX");
  selection_.AddTo(verb);
  verb->add_flag(
      "--csv", csv_,
      "One table as comma-separated values, in nanoseconds: kernels, or that of --table");
  table_ = AddValue(verb, "--table", "TABLE", options_.table,
                    "With --csv: kernels, gpus, calls, copies, ranges, events or completeness");
  verb->add_flag("--json", json_, "Everything as JSON, in nanoseconds");
}

std::string SummaryArguments::Resolve() {
  std::string complaint = ResolveTableFormat(csv_, json_, &options_.format);
  if (!complaint.empty()) return complaint;
  if (table_->count() > 0) {
    std::string wrong = ComplaintOfTable(csv_, options_.table, CsvTables());
    if (!wrong.empty()) return wrong;
  }
  if (table_->count() > 0 && (options_.launch || options_.counters))
    return "--table is not for --launch and --counters";
  if (!SummaryOrders().contains(order_)) {
    return "--sort takes total, calls or avg, not " + order_;
  }
  options_.order = SummaryOrders().at(order_);
  if (!by_.empty()) {
    const std::map<std::string, analysis::TimesBy> words = {
        {"operator", analysis::TimesBy::kOperator},
        {"module", analysis::TimesBy::kModule},
        {"line", analysis::TimesBy::kLine},
        {"category", analysis::TimesBy::kCategory}};
    const auto word = words.find(by_);
    if (word == words.end()) return "--by takes operator, module, line or category, not " + by_;
    options_.by = word->second;
    if (options_.launch || options_.counters) return "--by excludes --launch and --counters";
    if (table_->count() > 0) return "--table is not for --by";
  }
  if (!options_.categories.empty() && by_ != "category") return "--categories needs --by category";
  complaint = selection_.Resolve(&options_.selection);
  if (!complaint.empty()) return complaint;
  if (options_.launch && options_.counters) return "--launch and --counters exclude each other";
  return "";
}

}  // namespace rtl::cli
