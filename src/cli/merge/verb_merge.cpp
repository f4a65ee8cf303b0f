// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "cli/base/interruptions.h"
#include "cli/base/open_trace.h"
#include "cli/base/print.h"
#include "cli/base/progress_bar.h"
#include "cli/base/verbs.h"
#include "export/earlier_file.h"
#include "export/merge.h"
#include "trace/read/trace_reader.h"

namespace rtl::cli {
namespace {

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
  RTL_TRY(exporting::MergeTraces(
      {.files = databases, .output = options.output, .tool_version = RTL_VERSION},
      [&](uint64_t done) { bar.Update(done); }, Interrupted(), &notes));
  for (const std::string& note : notes) PrintNote(note);
  return Status::Ok();
}

}  // namespace

int RunMerge(const MergeOptions& options) {
  CatchInterruptions();
  return FinishOrFail(Merge(options));
}

}  // namespace rtl::cli
