// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "analysis/places.h"
#include "cli/base/open_trace.h"
#include "cli/base/print.h"
#include "cli/base/verbs.h"
#include "cli/diff/diff_report.h"
#include "trace/read/trace_reader.h"

namespace rtl::cli {
namespace {

struct OpenRun {
  std::unique_ptr<query::TraceReader> trace;
  query::Selection selection = {};
};

struct DiffSide {
  std::vector<std::unique_ptr<OpenRun>> runs;
  std::vector<analysis::Timings> timings;
};

Status ReadSide(const std::vector<std::string>& files, const query::SelectionRequest& request,
                DiffSide* out) {
  for (const std::string& file : files) {
    OpenRun& run = *out->runs.emplace_back(std::make_unique<OpenRun>());
    RTL_TRY(OpenTrace(file, &run.trace));
    RTL_TRY(query::Selection::Apply(*run.trace, request, &run.selection));
    RTL_TRY(analysis::ReadTimings(*run.trace, &out->timings.emplace_back()));
  }
  return Status::Ok();
}

Status ReadPlaces(const DiffSide& side, std::vector<analysis::Places>* out) {
  for (const std::unique_ptr<OpenRun>& run : side.runs) {
    RTL_TRY(analysis::ReadPlaces(*run->trace, &out->emplace_back()));
  }
  return Status::Ok();
}

// Other GPUs and other versions of a library run other kernels for the same operators, so kernels
// that only one side has are paired by place.
Status CompareSides(DiffSide* before, DiffSide* after, std::vector<analysis::Difference>* out) {
  *out = analysis::Compare(before->timings, after->timings);
  const auto has_kernel = [&](analysis::Change change) {
    return std::any_of(out->begin(), out->end(), [&](const analysis::Difference& row) {
      return row.subject == analysis::Subject::kKernel && row.change == change;
    });
  };
  if (!has_kernel(analysis::Change::kNew) || !has_kernel(analysis::Change::kGone)) {
    return Status::Ok();
  }
  std::vector<analysis::Places> places_before, places_after;
  RTL_TRY(ReadPlaces(*before, &places_before));
  RTL_TRY(ReadPlaces(*after, &places_after));
  const auto operations =
      analysis::PairByPlace(places_before, places_after, &before->timings, &after->timings);
  if (operations.empty()) return Status::Ok();
  *out = analysis::Compare(before->timings, after->timings);
  for (analysis::Difference& row : *out) {
    const auto known = operations.find(row.name);
    if (row.subject == analysis::Subject::kKernel && known != operations.end()) {
      row.operation = known->second;
    }
  }
  return Status::Ok();
}

}  // namespace

int RunVerb(const DiffOptions& options) {
  DiffSide before, after;
  DiffReport report = {options.before, options.after, {}};
  Status read = ReadSide(options.before, options.selection, &before);
  if (read.ok()) read = ReadSide(options.after, options.selection, &after);
  if (read.ok()) read = CompareSides(&before, &after, &report.differences);
  if (!read.ok()) return Fail(read);
  const int printed = PrintReport(
      options, kUsualRows,
      [&](size_t rows, size_t width) { return DiffAsText(report, rows, width); },
      [&](size_t rows) { return DiffAsCsv(report, rows); },
      [&](size_t rows) { return DiffAsJson(report, rows); });
  if (printed != 0) return printed;
  const std::string unjudged = UnjudgedLimits(report, options.limits);
  if (!unjudged.empty()) PrintAside(unjudged);
  const std::string broken = BrokenLimits(report, options.limits);
  if (broken.empty()) return 0;
  PrintAside(broken);
  return kExitLimit;
}

}  // namespace rtl::cli
