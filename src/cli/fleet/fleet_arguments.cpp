// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/base/near_miss.h"
#include "cli/base/verb_arguments.h"
#include "fleet/question.h"

namespace rtl::cli {
namespace {

// Questions that have no file of SQL.
constexpr const char* kOwnQuestions[] = {"align", "sql", "verdict"};

std::vector<std::string> QuestionNames() {
  std::vector<std::string> names(std::begin(kOwnQuestions), std::end(kOwnQuestions));
  for (const fleet::Question& question : fleet::AllQuestions()) names.push_back(question.name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

void FleetArguments::AddTo(CLI::App* app) {
  CLI::App* const verb = app->add_subcommand("fleet", "Ask about the traces of many ranks");
  AddValue(verb, "WORDS", "", words_,
           "The question, and the folders of one job; sql: the text comes between; "
           "compare: the run before and the run after; none: the questions are listed")
      ->option_text("QUESTION DIR...");
  AddValue(verb, "--limit", "N", limit_, "Print at most N rows");
  AddValue(verb, "--step", "N", step_, "slice: the step");
  AddValue(verb, "--set", "NAME=VALUE", values_,
           "The value of another parameter of the question: z=5")
      ->allow_extra_args(false);
  AddValue(verb, "--from", "SOURCE", options_.from,
           "Answer from the rows of events, or from the sums of each step")
      ->check(CLI::IsMember({"events", "summaries"}));
  AddValue(verb, "--format", "FORMAT", options_.format,
           "table (default), csv, json or parquet; default: by the extension of -o")
      ->check(CLI::IsMember({"table", "csv", "json", "parquet"}));
  AddValue(verb, "-o,--output", "FILE", options_.output, "File to write; default: standard output");
  AddValue(verb, "--engine", "ENGINE", options_.engine,
           "duckdb (default), the path of its program, or a master of Spark: "
           "spark://HOST:PORT, local[2]");
  AddValue(verb, "--memory", "SIZE", options_.memory, "DuckDB: memory that it may take")
      ->capture_default_str();
  AddValue(verb, "--threads", "N", options_.threads,
           "DuckDB: threads; default: one for each processor");
  verb->add_flag("--windows", windows_,
                 "align: a row for each window of a clock, between which it goes straight");
  verb->add_flag("--print-sql", options_.print_sql, "Print the SQL and ask nobody");
}

std::string FleetArguments::ResolveValues() {
  if (!limit_.empty()) options_.values["limit"] = limit_;
  if (!step_.empty()) options_.values["step"] = step_;
  if (windows_) options_.values["windows"] = "1";
  for (const std::string& value : values_) {
    const size_t equal = value.find('=');
    if (equal == std::string::npos || equal == 0) return "--set takes NAME=VALUE, not " + value;
    options_.values[value.substr(0, equal)] = value.substr(equal + 1);
  }
  return "";
}

std::string FleetArguments::ResolveFormat() {
  const std::string& output = options_.output;
  if (options_.format.empty()) {
    for (const char* format : {"csv", "json", "parquet"}) {
      if (output.ends_with(std::string(".") + format)) options_.format = format;
    }
    if (options_.format.empty()) options_.format = "table";
  }
  if (options_.format == "parquet" && output.empty()) {
    return "a Parquet file needs a name: -o FILE.parquet";
  }
  return "";
}

std::string FleetArguments::Resolve() {
  if (!words_.empty()) {
    const std::vector<std::string> names = QuestionNames();
    options_.question = words_[0];
    if (std::find(names.begin(), names.end(), words_[0]) == names.end()) {
      return "there is no question " + words_[0] + DidYouMean(words_[0], names) +
             "; rtl fleet lists them";
    }
    size_t first = 1;
    if (options_.question == "sql") {
      if (words_.size() < 2) return "sql takes a text and the folders of a job";
      options_.sql = words_[first++];
    }
    options_.folders.assign(words_.begin() + static_cast<std::ptrdiff_t>(first), words_.end());
    if (options_.folders.empty()) return options_.question + " needs the folder of a dataset";
    if (options_.question == "compare" && options_.folders.size() != 2) {
      return "compare takes two folders: the run before and the run after";
    }
  }
  std::string complaint = ResolveValues();
  if (complaint.empty()) complaint = ResolveFormat();
  return complaint;
}

}  // namespace rtl::cli
