// SPDX-License-Identifier: MIT
#include "cli/base/command_text.h"
#include "cli/trace/trace_arguments.h"

namespace rtl::cli {

void DatasetArguments::AddTo(CLI::App* verb) {
  AddValue(verb, "--dataset", "DIR", folder_,
           "Instead of a database, write Parquet files into this folder while the program "
           "runs; all ranks of a job may share it (rtl fleet)");
  AddValue(verb, "--summaries", "DIR", summaries_,
           "As --dataset, but only the sums of each step, no rows of events");
  AddValue(verb, "--segment", "TIME", segment_,
           "With --dataset or --summaries: complete a segment of files after this time, "
           "when it has 122880 rows of a table, or after ten times as long (default: 60s)");
}

std::string DatasetArguments::Resolve(bool has_output, TraceOptions* options) const {
  if (folder_.empty() && summaries_.empty()) {
    return segment_.empty() ? "" : "--segment needs --dataset or --summaries";
  }
  if (!folder_.empty() && !summaries_.empty()) {
    return "--dataset and --summaries exclude each other: a dataset has the summaries, too";
  }
  const std::string option = folder_.empty() ? "--summaries" : "--dataset";
  const auto excludes = [&](const char* other, const char* why) {
    return option + " and " + other + " exclude each other: " + why;
  };
  if (has_output) return excludes("-o", "no database is written");
  if (options->split) return excludes("--split", "every process has files of its own");
  if (options->ring_bytes != 0) return excludes("--ring", "every event is written");
  if (!options->pftrace.empty()) return excludes("--pftrace", "a timeline is made of a database");
  if (options->python_hz != 0) return excludes("--python", "stacks have no table there");
  if (!segment_.empty() && !ParseTime(segment_, &options->segment_ns)) {
    return "--segment takes a time, as 60s, 500ms or 10m";
  }
  options->dataset = folder_.empty() ? summaries_ : folder_;
  options->only_summaries = folder_.empty();
  if (options->dataset == "-") return option + " needs a folder";
  return "";
}

}  // namespace rtl::cli
