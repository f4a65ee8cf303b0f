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
  verb_ = app->add_subcommand("fleet", "Ask about the traces of many ranks");
  verb_
      ->add_option("WORDS", words_,
                   "The question, and the folders of one job; sql: the text comes between; "
                   "compare: the run before and the run after; none: the questions are listed")
      ->type_name("")
      ->option_text("QUESTION DIR...");
  verb_->add_option("--limit", limit_, "Print at most N rows")->type_name("N");
  verb_->add_option("--step", step_, "slice: the step")->type_name("N");
  verb_->add_option("--set", values_, "The value of another parameter of the question: z=5")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  verb_
      ->add_option("--from", options_.from,
                   "Answer from the rows of events, or from the sums of each step")
      ->check(CLI::IsMember({"events", "summaries"}))
      ->type_name("SOURCE");
  verb_
      ->add_option("--format", options_.format,
                   "table (default), csv, json or parquet; default: by the extension of -o")
      ->check(CLI::IsMember({"table", "csv", "json", "parquet"}))
      ->type_name("FORMAT");
  verb_->add_option("-o,--output", options_.output, "File to write; default: standard output")
      ->type_name("FILE");
  verb_
      ->add_option("--engine", options_.engine,
                   "duckdb (default), the path of its program, or a master of Spark: "
                   "spark://HOST:PORT, local[2]")
      ->type_name("ENGINE");
  verb_->add_option("--memory", options_.memory, "DuckDB: memory that it may take")
      ->capture_default_str()
      ->type_name("SIZE");
  verb_
      ->add_option("--threads", options_.threads,
                   "DuckDB: threads; default: one for each processor")
      ->type_name("N");
  verb_->add_flag("--windows", windows_,
                  "align: a row for each window of a clock, between which it goes straight");
  verb_->add_flag("--print-sql", options_.print_sql, "Print the SQL and ask nobody");
}

std::string FleetArguments::TakeValues() {
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

std::string FleetArguments::TakeFormat() {
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

std::string FleetArguments::Take() {
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
  std::string complaint = TakeValues();
  if (complaint.empty()) complaint = TakeFormat();
  return complaint;
}

}  // namespace rtl::cli
