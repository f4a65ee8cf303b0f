// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/text.h"
#include "cli/base/interruptions.h"
#include "cli/base/print.h"
#include "cli/base/table.h"
#include "cli/base/verbs.h"
#include "cli/fleet/slice.h"
#include "export/output_file.h"
#include "fleet/align.h"
#include "fleet/ask.h"
#include "fleet/remote.h"
#include "fleet/result_file.h"
#include "fleet/verdict.h"

namespace rtl::cli {
namespace {

constexpr size_t kMostRankLines = 10;  // lines about ranks whose data is not complete

// Columns of results that are nanoseconds.
const std::set<std::string, std::less<>> kTimes = {
    "total",       "shortest", "longest",       "duration",    "waited",        "all_waited",
    "excess",      "cost",     "span",          "busy",        "computing",     "exposed",
    "idle",        "gap",      "communicating", "p50",         "p99",           "median",
    "longest_gap", "before",   "after",         "since_step",  "waited_for_it", "offset",
    "bar",         "below",    "above",         "time_of_day", "lower",         "upper",
    "bound",       "width",    "change",
};
std::string Title(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

std::string Cell(const std::string& column, const std::string& text) {
  if (text.empty()) return "-";
  if (!kTimes.contains(column)) return text;
  int64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return text;
  return (value < 0 ? "-" : "") + analysis::Duration(static_cast<uint64_t>(std::abs(value)));
}

// The last column is text of any length.
std::string AsTable(const fleet::Result& result) {
  std::vector<Column> columns;
  for (const std::string& name : result.columns) {
    columns.push_back({Title(name), fleet::IsText(name) ? Align::kLeft : Align::kRight,
                       name == "kernel" || name == "name" ? Shorten::kFunction : Shorten::kMiddle});
  }
  if (columns.empty()) return "";
  if (result.rows.empty()) return "Nothing.\n";
  Table table(std::move(columns));
  for (const auto& row : result.rows) {
    std::vector<std::string> cells;
    for (size_t i = 0; i < row.size(); ++i) cells.push_back(Cell(result.columns[i], row[i]));
    table.AddRow(std::move(cells));
  }
  return table.Render(TerminalWidth(STDOUT_FILENO));
}

int Print(const std::string& text, const std::string& output) {
  if (output.empty() || output == "-") return PrintResult(text);
  std::unique_ptr<exporting::OutputFile> file;
  Status status = exporting::OutputFile::Open(output, &file);
  if (status.ok()) {
    file->Append(text);
    status = file->Commit();
  }
  return status.ok() ? 0 : Fail(status);
}

int PrintAnswer(const fleet::Result& result, const FleetOptions& options) {
  if (options.format == "parquet") {
    const Status status = fleet::WriteParquet(result, options.output);
    return status.ok() ? 0 : Fail(status);
  }
  return Print(options.format == "csv"    ? fleet::AsCsv(result)
               : options.format == "json" ? fleet::AsJson(result)
                                          : AsTable(result),
               options.output);
}

int AlignHosts(const fleet::Fleet& run, const fleet::Engine& engine, const FleetOptions& options) {
  fleet::FleetClocks clocks;
  std::map<std::string, std::string> values = options.values;
  const bool has_windows = values.erase("windows") > 0;
  const Status status = fleet::AlignClocks(run, engine, values, &clocks);
  if (!status.ok()) return FinishOrFail(status);
  for (const std::string& note : clocks.Notes()) PrintNote(note);
  return PrintAnswer(has_windows ? fleet::WindowsAsResult(clocks) : fleet::ClocksAsResult(clocks),
                     options);
}

int Timeline(const fleet::Fleet& run, const fleet::Engine& engine, const fleet::Result& kernels,
             const FleetOptions& options) {
  fleet::FleetClocks clocks;
  Status status = fleet::AlignClocks(run, engine, {}, &clocks);
  if (status.ok()) status = WriteSlice(kernels, clocks, options);
  std::set<std::string> shown;
  for (const auto& row : kernels.rows) shown.insert(row[0]);
  const auto all = std::ranges::count_if(
      run.ranks, [](const fleet::RankState& rank) { return rank.rank && rank.has_files; });
  if (status.ok() && std::cmp_less(shown.size(), all)) {
    PrintNote(fmt::format("{}: {} of {} ranks are on it; --set first=N --set last=N choose others",
                          options.output, shown.size(), all));
  }
  return FinishOrFail(status);
}

int ListQuestions() {
  Table table({{"question", Align::kLeft}, {"answers", Align::kLeft}});
  for (const fleet::Question& question : fleet::AllQuestions()) {
    table.AddRow({question.name, question.text});
  }
  table.AddRow(
      {"align", "How far the clocks of the hosts are apart, by collectives, with the error."});
  table.AddRow({"verdict", "The whole job in ten lines."});
  table.AddRow({"sql", "A text of yours: rtl fleet sql 'select ...' DIR"});
  return PrintResult(table.Render(TerminalWidth(STDOUT_FILENO)));
}

// Prints why a result has no rows, if a reader may wonder.
void ExplainNothing(const std::string& question) {
  if (question == "slowest") PrintNote("no collective of a step has more than one rank");
  if (question == "steps") {
    PrintNote("no kernel is in a step: no range such as `step 7` was open, and nothing repeats");
  }
}

Status ScanRuns(const FleetOptions& options, std::vector<fleet::Fleet>* runs) {
  const bool is_two = options.question == "compare";
  for (size_t i = 0; i < (is_two ? 2 : 1); ++i) {
    const auto folders = is_two ? std::vector<std::string>{options.folders[i]} : options.folders;
    RTL_TRY(fleet::Scan(folders, &runs->emplace_back(), fleet::ListRemote));
    for (const std::string& line : fleet::Describe(runs->back(), kMostRankLines)) {
      PrintNote(is_two ? options.folders[i] + ": " + line : line);
    }
  }
  return Status::Ok();
}

}  // namespace

int RunVerb(const FleetOptions& options) {
  if (options.question.empty()) return ListQuestions();
  std::vector<fleet::Fleet> runs;
  const Status scanned = ScanRuns(options, &runs);
  if (!scanned.ok()) return Fail(scanned);
  std::unique_ptr<fleet::Engine> engine;
  const fleet::EngineChoice choice{options.engine, options.memory, options.threads, Interrupted()};
  const Status found = options.print_sql ? fleet::Engine::ForText(choice, &engine)
                                         : fleet::Engine::Find(choice, &engine);
  if (!found.ok()) return Fail(found);
  CatchInterruptions();
  if (options.question == "verdict") {
    std::string text;
    const Status status = fleet::Verdict(runs[0], *engine, &text);
    return status.ok() ? Print(text, options.output) : FinishOrFail(status);
  }
  if (options.question == "align" && !options.print_sql)
    return AlignHosts(runs[0], *engine, options);
  const fleet::Request request{.question = options.question,
                               .sql = options.sql,
                               .from = options.from == "events" || options.question == "align"
                                           ? fleet::Source::kEvents
                                       : options.from == "summaries" ? fleet::Source::kSummaries
                                                                     : fleet::Source::kOther,
                               .values = options.values};
  std::vector<const fleet::Fleet*> pointers;
  for (const fleet::Fleet& run : runs) pointers.push_back(&run);
  fleet::Asker asker(pointers);
  if (options.print_sql) {
    std::vector<fleet::Query> queries;
    const Status status = asker.Prepare(request, &queries);
    if (!status.ok()) return Fail(status);
    std::string text;
    for (const fleet::Query& query : queries) text += engine->Text(query.views, query.sql);
    return Print(text, options.output);
  }
  fleet::Result result;
  const Status status = asker.Ask(*engine, request, &result);
  if (status.ok() && options.question == "slice" && IsTimeline(options.output)) {
    return Timeline(runs[0], *engine, result, options);
  }
  if (!status.ok()) return FinishOrFail(status);
  if (result.rows.empty()) ExplainNothing(options.question);
  return PrintAnswer(result, options);
}

}  // namespace rtl::cli
