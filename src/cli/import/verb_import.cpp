// SPDX-License-Identifier: MIT
// `rtl import` makes a database from traces of other tools. Verbs that are given such traces use
// it, too.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "analysis/text.h"
#include "cli/base/open_trace.h"
#include "cli/base/print.h"
#include "cli/base/table.h"
#include "cli/base/verbs.h"
#include "export/earlier_file.h"
#include "import/import.h"

namespace rtl::cli {
namespace {

using analysis::Grouped;

std::string ReportOf(const import::ImportedSource& file) {
  const import::ImportReport& found = file.report;
  std::string text = Printable(file.source.shown) + " (" + import::FormatName(file.source.format);
  if (file.rank >= 0) text += ", rank " + std::to_string(file.rank);
  text += "): " + Counted(found.kernels, "kernel") + ", " +
          Counted(found.copies, "copy", "copies") + ", " + Counted(found.calls, "call") + ", " +
          Counted(found.ranges, "range") + ", " + Counted(found.operators, "operator") + ", " +
          Counted(found.functions, "call") + " of Python functions\n";
  if (found.spans != 0) text += "  and " + Grouped(found.spans) + " other calls and allocations\n";
  if (found.early != 0) text += "  " + import::EarlyWork(found) + "\n";
  for (const auto& [why, events] : found.unused) {
    text += "  not used: " + Grouped(events) + ", " + Printable(why) + "\n";
  }
  return text;
}

// Files that have the same rank. Each is imported as a process of its own, so times may add up.
std::string SharedRanks(const import::ImportResult& result) {
  std::map<int32_t, std::vector<std::string>> files;
  for (const import::ImportedSource& file : result.sources) {
    if (file.rank >= 0) files[file.rank].push_back(file.source.shown);
  }
  std::string text;
  for (const auto& [rank, names] : files) {
    if (names.size() < 2) continue;
    text += "rank " + std::to_string(rank) + ": " + std::to_string(names.size()) +
            " files say that they are of it, as " + Printable(names[0]) + " and " +
            Printable(names[1]) + "; each is a process of its own\n";
  }
  return text;
}

}  // namespace

int RunVerb(const ImportOptions& options) {
  const Status free =
      options.force ? Status::Ok()
                    : exporting::CheckReplaceable(exporting::FileKind::kTrace, options.output);
  if (!free.ok()) return Fail(free);
  import::ImportResult result;
  const Status imported = import::ImportTraces(
      {.inputs = options.files, .output = options.output, .tool_version = RTL_VERSION}, &result);
  if (!imported.ok()) return Fail(imported);
  std::string text;
  for (const import::ImportedSource& file : result.sources) text += ReportOf(file);
  text += SharedRanks(result);
  if (!result.others.empty()) text += NotUsed(result.others) + "\n";
  return PrintResult(text + result.written + ": what these tools lost is not known\n");
}

}  // namespace rtl::cli
