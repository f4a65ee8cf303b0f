// SPDX-License-Identifier: MIT
#include <memory>

#include "cli/base/interruptions.h"
#include "cli/base/open_trace.h"
#include "cli/base/progress_bar.h"
#include "cli/base/verbs.h"
#include "export/earlier_file.h"
#include "report/page.h"
#include "trace/read/trace_reader.h"

namespace rtl::cli {
namespace {

Status WriteReport(const ReportOptions& options) {
  if (!options.force) {
    RTL_TRY(exporting::CheckReplaceable(exporting::FileKind::kPage, options.output));
  }
  std::unique_ptr<query::TraceReader> trace;
  RTL_TRY(OpenTrace(options.file, &trace));
  trace->SetCancel(Interrupted());
  uint64_t events = 0;
  RTL_TRY(trace->EventCount(&events));
  query::Selection selection;
  RTL_TRY(query::Selection::Apply(*trace, options.selection, &selection));
  ProgressBar bar(options.output, events);
  const std::string words = options.selection.empty() ? "" : options.selection.AsText();
  return report::WritePage(*trace, options.output, [&](uint64_t done) { bar.Update(done); },
                           {.selection = words});
}

}  // namespace

int RunVerb(const ReportOptions& options) {
  CatchInterruptions();
  return FinishOrFail(WriteReport(options));
}

}  // namespace rtl::cli
