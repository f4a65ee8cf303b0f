// SPDX-License-Identifier: MIT
#include <sys/stat.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "analysis/text.h"
#include "cli/base/formats.h"
#include "cli/base/interruptions.h"
#include "cli/base/open_trace.h"
#include "cli/base/print.h"
#include "cli/base/progress_bar.h"
#include "cli/base/verbs.h"
#include "cli/convert/convert.h"
#include "dataset/convert.h"
#include "export/database.h"
#include "export/exporter.h"
#include "export/output_file.h"
#include "export/rpd.h"
#include "export/tool/csv.h"
#include "export/tool/json.h"
#include "export/tool/otf2.h"
#include "export/tool/rocpd.h"
#include "trace/read/trace_reader.h"

namespace rtl::cli {
namespace {

Status WriteFormat(exporting::tool::ToolTrace& trace, ConvertTo to,
                   exporting::tool::OutputSet* outputs) {
  if (to == ConvertTo::kCsv) return exporting::tool::WriteCsv(trace, outputs);
  if (to == ConvertTo::kJson) return exporting::tool::WriteJson(trace, {}, outputs);
  if (to == ConvertTo::kOtf2) return exporting::tool::WriteOtf2(trace, outputs);
  return exporting::tool::WriteRocpd(trace, "{}", outputs);
}

// Prints the names of the files, because they are longer than the name that the user gave.
void SayWritten(const std::vector<std::string>& files) {
  if (files.empty()) return PrintNote("nothing was written: the trace has none of these events");
  PrintNote("wrote " + files.front() +
            (files.size() == 1 ? "" : " and " + std::to_string(files.size() - 1) + " more"));
}

// If the trace has several processes, the names of the files contain the pid.
Status ConvertEachProcess(query::TraceReader& reader, const ConvertOptions& options) {
  std::vector<query::Process> processes;
  RTL_TRY(reader.tables().Processes(&processes));
  std::set<std::string> taken;
  std::vector<std::string> written;
  for (const query::Process& process : processes) {
    exporting::tool::ToolTrace trace;
    exporting::tool::ToolOptions wanted;
    wanted.counters = wanted.samples = true;  // written if the trace has them
    RTL_TRY(trace.Open(reader, process, wanted));
    const std::string pid = processes.size() == 1 ? "" : "-" + std::to_string(process.pid);
    std::string prefix = options.output + pid;
    for (int n = 2; !taken.insert(prefix).second; ++n) {
      prefix = options.output + pid + "-" + std::to_string(n);
    }
    exporting::tool::OutputSet outputs(prefix);
    RTL_TRY(WriteFormat(trace, options.to, &outputs));
    RTL_TRY(outputs.Commit());
    written.insert(written.end(), outputs.written().begin(), outputs.written().end());
  }
  SayWritten(written);
  return Status::Ok();
}

// Prints the number of rows of each kind that the output does not have, because the format cannot
// hold them, so that nothing is left out unnoticed.
Status SayLeftOut(query::TraceReader& trace, const ConvertOptions& options) {
  const FileFormat& format = FormatOf(options.to);
  std::string kinds;
  for (size_t i = 0; i < query::kRowKindCount; ++i) {
    const auto kind = static_cast<query::RowKind>(i);
    if (format.holds.Has(kind)) continue;
    uint64_t rows = 0;
    RTL_TRY(trace.CountRows(kind, &rows));
    if (rows == 0) continue;
    kinds +=
        (kinds.empty() ? "" : ", ") + analysis::Grouped(rows) + " " + query::TextOf(kind, rows);
  }
  if (!kinds.empty()) {
    PrintNote((options.output == "-" ? "standard output" : options.output) +
              ": left out, because --to " + format.word + " cannot hold them: " + kinds);
  }
  return Status::Ok();
}

// Each trace adds the files of its ranks to the dataset.
Status ConvertToDataset(const ConvertOptions& options) {
  for (const std::string& file : options.files) {
    std::unique_ptr<query::TraceReader> trace;
    RTL_TRY(OpenTrace(file, &trace));
    trace->SetCancel(Interrupted());
    uint64_t events = 0;
    RTL_TRY(trace->EventCount(&events));
    ProgressBar bar(file, events);
    std::vector<dataset::WrittenFile> written;
    RTL_TRY(dataset::WriteDataset(
        *trace,
        {.folder = options.output, .replace = options.force, .only_summaries = options.summaries},
        [&](uint64_t done) { bar.Update(done); }, &written));
    PrintNote(file + ": wrote " + std::to_string(written.size()) + " files into " + options.output);
    if (!options.summaries) RTL_TRY(SayLeftOut(*trace, options));
  }
  return Status::Ok();
}

Status Write(query::TraceReader& trace, const ConvertOptions& options,
             const exporting::Progress& progress) {
  using exporting::Format;
  static const std::map<ConvertTo, Format> kFormats = {
      {ConvertTo::kPftrace, Format::kPftrace},
      {ConvertTo::kChrome, Format::kChrome},
      {ConvertTo::kFolded, Format::kFolded},
      {ConvertTo::kSpeedscope, Format::kSpeedscope}};
  if (const auto format = kFormats.find(options.to); format != kFormats.end()) {
    return exporting::Export(trace, format->second, options.output, progress,
                             {.steps = options.steps});
  }
  if (IsForEachProcess(options.to)) return ConvertEachProcess(trace, options);
  std::string database;
  RTL_TRY(DatabaseOf(options.file(), &database));
  std::vector<std::string> notes;
  RTL_TRY(
      options.to == ConvertTo::kRpd
          ? exporting::WriteRpd(database, options.output, progress, Interrupted(), &notes)
          : exporting::WriteDatabase(database, options.output, progress, Interrupted(), &notes));
  for (const std::string& note : notes) PrintNote(note);
  return Status::Ok();
}

}  // namespace

Status Convert(const ConvertOptions& options) {
  if (options.to == ConvertTo::kParquet) return ConvertToDataset(options);
  std::unique_ptr<query::TraceReader> trace;
  RTL_TRY(OpenTrace(options.file(), &trace));
  trace->SetCancel(Interrupted());
  query::Selection selection;
  RTL_TRY(query::Selection::Apply(*trace, options.selection, &selection));
  uint64_t events = 0;
  RTL_TRY(trace->EventCount(&events));
  ProgressBar bar(options.output, events);
  const auto progress = [&](uint64_t done) { bar.Update(done); };
  RTL_TRY(Write(*trace, options, progress));
  return SayLeftOut(*trace, options);
}

Status CanWrite(const std::string& output) {
  struct stat info;
  // A pipe is not opened here, because that would wait for its reader.
  if (stat(output.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) {
    return Status::Ok();
  }
  std::unique_ptr<exporting::OutputFile> file;
  return exporting::OutputFile::Open(output, &file);
}

int RunVerb(const ConvertOptions& options) {
  if (!options.force && !IsForEachProcess(options.to) && options.to != ConvertTo::kParquet) {
    const Status free = exporting::CheckReplaceable(FormatOf(options.to).kind, options.output);
    if (!free.ok()) return Fail(free);
  }
  CatchInterruptions();
  return FinishOrFail(Convert(options));
}

}  // namespace rtl::cli
