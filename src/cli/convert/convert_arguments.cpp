// SPDX-License-Identifier: MIT
#include "cli/base/formats.h"
#include "cli/base/verb_arguments.h"

namespace rtl::cli {

void ConvertArguments::AddTo(CLI::App* app) {
  CLI::App* const verb = app->add_subcommand("convert", "Convert the trace to another format");
  AddValue(verb, "FILE", "", options_.files, "The trace; parquet: one or more")
      ->capture_default_str();
  AddValue(verb, "--to", "FORMAT", format_,
           "pftrace (default), chrome, db (a trace of an earlier version in this version's "
           "schema), rpd (for RPD's tools); parquet: a folder of tables, for rtl "
           "fleet, DuckDB and Spark; folded, speedscope (GPU time by stack, for flame "
           "graphs); csv, json, rocpd or otf2: the files of "
           "rocprofv3, named FILE_...; default: by the name's extension");
  AddValue(verb, "-o,--output", "FILE", options_.output,
           "File to write, - for standard output; .gz and .zst compress it");
  AddValue(verb, "--steps", "NAME", options_.steps,
           "chrome: write ranges of this name, or this name and a number, as ProfilerStep#N");
  verb->add_flag("--summaries", options_.summaries,
                 "parquet: write the sums of each step, no rows of events");
  verb->add_flag("--force", options_.force, kForceText);
  selection_.AddTo(verb, "--until");
}

std::string ConvertArguments::Resolve() {
  const std::string& output = options_.output;
  for (const std::string& file : options_.files) {
    if (!output.empty() && output != "-" && NameOneFile(output, file)) {
      return "the output would replace the trace";
    }
  }
  const FormatChoice choice = ChooseFormat(format_, output);
  if (choice.format == nullptr) return choice.complaint;
  options_.to = choice.format->to;
  if (output.empty()) options_.output = DefaultOutput(options_.file(), choice.format->suffix);
  const bool is_parquet = options_.to == ConvertTo::kParquet;
  if (options_.files.size() > 1 && !is_parquet) {
    return "only --to parquet takes several traces; rtl merge makes one of them";
  }
  if (options_.summaries && !is_parquet) return "--summaries is for --to parquet";
  if (is_parquet && output == "-") return "--to parquet writes a folder, not standard output";
  if (IsForEachProcess(options_.to) && output == "-") {
    return "--to " + format_ + " writes several files, not standard output";
  }
  const bool is_database = options_.to == ConvertTo::kDatabase || options_.to == ConvertTo::kRpd;
  if (is_database) {
    if (output == "-") return kNeedsFile;
    if (output.ends_with(".gz") || output.ends_with(".zst")) {
      return "databases are not compressed; compress the file that is written";
    }
  }
  if (!options_.steps.empty() && options_.to != ConvertTo::kChrome) {
    return "--steps is for --to chrome";
  }
  const std::string complaint = selection_.Resolve(&options_.selection, "--until");
  if (!complaint.empty()) return complaint;
  if (is_parquet && !options_.selection.empty()) {
    return "a dataset has whole traces; select when you ask";
  }
  if (is_database && !options_.selection.empty()) {
    return "a database is converted as a whole; select when you read it";
  }
  return "";
}

}  // namespace rtl::cli
