// SPDX-License-Identifier: MIT
// `rtl import`: traces of other tools as a database; and the same for verbs that are given one.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

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

std::string ReportOf(const import::ImportedFile& file) {
  const import::ImportReport& found = file.report;
  std::string text = file.path + " (" + import::FormatName(file.format);
  if (file.rank >= 0) text += ", rank " + std::to_string(file.rank);
  text += "): " + Grouped(found.kernels) + " kernels, " + Grouped(found.copies) + " copies, " +
          Grouped(found.calls) + " calls, " + Grouped(found.ranges) + " ranges, " +
          Grouped(found.operators) + " operators, " + Grouped(found.functions) +
          " calls of Python functions\n";
  for (const auto& [why, events] : found.unused) {
    text += "  not used: " + Grouped(events) + ", " + Printable(why) + "\n";
  }
  return text;
}

}  // namespace

int RunImport(const ImportOptions& options) {
  const Status free =
      options.force ? Status::Ok()
                    : exporting::CheckReplaceable(exporting::FileKind::kTrace, options.output);
  if (!free.ok()) return Fail(free);
  std::vector<import::ImportedFile> files;
  std::string written;
  const Status imported = import::ImportTraces(
      {.files = options.files, .output = options.output, .tool_version = RTL_VERSION}, &files,
      &written);
  if (!imported.ok()) return Fail(imported);
  std::string text;
  for (const import::ImportedFile& file : files) text += ReportOf(file);
  return PrintResult(text + written + ": what these tools lost is not known\n");
}

}  // namespace rtl::cli
