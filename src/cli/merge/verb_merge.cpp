// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "analysis/clock_alignment.h"
#include "cli/base/interruptions.h"
#include "cli/base/open_trace.h"
#include "cli/base/print.h"
#include "cli/base/progress_bar.h"
#include "cli/base/verbs.h"
#include "dataset/meetings.h"
#include "export/earlier_file.h"
#include "export/merge.h"
#include "trace/read/trace_reader.h"

namespace rtl::cli {
namespace {

std::string Microseconds(int64_t ns) {
  return fmt::format("{:.1f} us", static_cast<double>(ns) / 1e3);
}

// Describes a clock's distance from the clock of the first trace, for the merged trace.
std::string About(const std::string& file, const analysis::AlignedClock& clock) {
  const int64_t first = clock.knots.front().time, last = clock.knots.back().time;
  const analysis::ClockKnot middle = clock.At(first + (last - first) / 2);
  std::string text =
      fmt::format("the times of {} are on the clock of the first trace, by {} common collectives",
                  file, clock.meetings);
  if (middle.bar) text += "; error bar " + Microseconds(*middle.bar);
  if (middle.lower && middle.upper) {
    text += fmt::format("; the truth is at most {} before and {} after",
                        Microseconds(*middle.upper - middle.offset),
                        Microseconds(middle.offset - *middle.lower));
  }
  return text;
}

// Converts traces of several hosts to one clock. If the distance of a clock is not known, its times
// are kept as recorded.
Status AlignTraces(const std::vector<std::string>& files, exporting::MergeRequest* request) {
  std::vector<std::string> boots;  // for each file; empty: of several boots, or not known
  std::set<std::string> all;
  for (const std::string& file : files) {
    std::unique_ptr<query::TraceReader> trace;
    RTL_TRY(query::TraceReader::Open(file, &trace));
    const query::Metadata& facts = trace->metadata();
    const auto boot = facts.find("boot_id");
    const bool is_merged = facts.contains("part.1.file");
    boots.push_back(boot == facts.end() || is_merged ? "" : boot->second);
    all.insert(boots.back());
  }
  if (all.size() < 2 || boots[0].empty()) return Status::Ok();
  dataset::Meetings meetings;
  std::vector<uint32_t> numbers(files.size());
  for (size_t i = 0; i < files.size(); ++i) {
    if (boots[i].empty()) continue;
    std::unique_ptr<query::TraceReader> trace;
    RTL_TRY(query::TraceReader::Open(files[i], &trace));
    trace->SetCancel(Interrupted());
    RTL_TRY(meetings.Add(*trace, boots[i], &numbers[i]));
  }
  const auto clocks = std::make_shared<std::vector<analysis::AlignedClock>>(meetings.Align());
  for (size_t i = 0; i < files.size(); ++i) {
    request->clocks.emplace_back();
    if (numbers[i] == 0 && !boots[i].empty()) continue;
    const analysis::AlignedClock* const clock = boots[i].empty() ? nullptr : &(*clocks)[numbers[i]];
    if (clock == nullptr || clock->source != analysis::ClockSource::kCollectives) {
      request->about_clocks.push_back("the times of " + files[i] +
                                      " are as recorded, on a clock of its own: it shares no "
                                      "collective with the first trace");
      continue;
    }
    request->clocks.back() = [clocks, clock](int64_t time) { return clock->ToReference(time); };
    request->about_clocks.push_back(About(files[i], *clock));
  }
  return Status::Ok();
}

Status Merge(const MergeOptions& options) {
  if (!options.force) {
    RTL_TRY(exporting::CheckReplaceable(exporting::FileKind::kTrace, options.output));
  }
  uint64_t events = 0;
  std::vector<std::string> databases;
  for (const std::string& file : options.files) {
    std::unique_ptr<query::TraceReader> trace;
    uint64_t in_file = 0;
    databases.emplace_back();
    RTL_TRY(DatabaseOf(file, &databases.back()));
    RTL_TRY(query::TraceReader::Open(databases.back(), &trace));
    RTL_TRY(trace->EventCount(&in_file));
    events += in_file;
  }
  ProgressBar bar(options.output, events);
  std::vector<std::string> notes;
  exporting::MergeRequest request{
      .files = databases, .output = options.output, .tool_version = RTL_VERSION};
  RTL_TRY(AlignTraces(databases, &request));
  RTL_TRY(exporting::MergeTraces(
      request, [&](uint64_t done) { bar.Update(done); }, Interrupted(), &notes));
  for (const std::string& note : notes) PrintNote(note);
  return Status::Ok();
}

}  // namespace

int RunVerb(const MergeOptions& options) {
  CatchInterruptions();
  return FinishOrFail(Merge(options));
}

}  // namespace rtl::cli
