// SPDX-License-Identifier: MIT
#include "rocprofv3/process_files.h"

#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "export/database.h"
#include "export/exporter.h"
#include "export/tool/csv.h"
#include "export/tool/json.h"
#include "export/tool/otf2.h"
#include "export/tool/rocpd.h"
#include "export/tool/tool_choice.h"
#include "query/error.h"
#include "query/trace_reader.h"

namespace rtl::v3 {
namespace {

using exporting::tool::Domain;
using exporting::tool::kDomainCount;
using exporting::tool::OutputSet;
using exporting::tool::Statistics;
using exporting::tool::ToolTrace;

Status WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t wrote = write(fd, text.data(), text.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return Status::ErrnoError(errno, "the summary cannot be printed");
    text.remove_prefix(static_cast<size_t>(wrote));
  }
  return Status::Ok();
}

}  // namespace

std::string ProcessFiles::PrefixOf(const query::Process& process) const {
  const std::filesystem::path folder = names_.Expand(request_.folder, process);
  return (folder / names_.Expand(request_.file, process)).string();
}

// Keeps two processes of one run from overwriting each other's files.
std::string ProcessFiles::FreePrefix(const query::Process& process) {
  const std::string wanted = PrefixOf(process);
  std::string prefix = wanted;
  for (int n = 1; !taken_.insert(prefix).second; ++n) {
    prefix = wanted + "-" + std::to_string(process.pid) + (n == 1 ? "" : "-" + std::to_string(n));
  }
  if (prefix != wanted) {
    notes_.push_back("the files of process " + std::to_string(process.pid) + " begin with " +
                     prefix + ": another process of this run has " + wanted);
  }
  return prefix;
}

bool ProcessFiles::IsTooLittle(const Statistics& statistics) const {
  if (!request_.least_bytes.has_value()) return false;
  uint64_t bytes = 0;
  for (size_t i = 0; i < kDomainCount; ++i) {
    const Domain domain = static_cast<Domain>(i);
    bytes += statistics.records(domain) * exporting::tool::InfoOf(domain).record_bytes;
  }
  return bytes <= *request_.least_bytes;
}

Status ProcessFiles::PrintSummary(const Statistics& statistics, OutputSet* outputs) const {
  const std::string text = exporting::tool::SummaryText(statistics, request_.summary);
  if (request_.summary_file == "stderr") return WriteAll(STDERR_FILENO, text);
  if (request_.summary_file == "stdout") return WriteAll(STDOUT_FILENO, text);
  exporting::OutputFile* file = nullptr;
  RTL_TRY(outputs->Open(request_.summary_file + ".txt", &file));
  file->Append(text);
  return file->result();
}

Status ProcessFiles::WriteProcess(query::TraceReader& reader, const query::Process& process) {
  ToolTrace trace;
  RTL_TRY(trace.Open(reader, process, request_.tool));
  Statistics statistics;
  const bool counts =
      request_.stats || request_.summary.wanted() || request_.least_bytes.has_value();
  if (counts) RTL_TRY(CountAll(trace, &statistics));
  if (IsTooLittle(statistics)) return Status::Ok();
  OutputSet outputs(FreePrefix(process));
  if (request_.formats.csv) RTL_TRY(WriteCsv(trace, &outputs));
  if (request_.formats.csv && request_.stats) RTL_TRY(WriteCsvStatistics(statistics, &outputs));
  if (request_.formats.json) {
    const exporting::tool::JsonOptions options = {config_, counts ? &statistics : nullptr};
    RTL_TRY(WriteJson(trace, options, &outputs));
  }
  if (request_.formats.rocpd) RTL_TRY(WriteRocpd(trace, config_, &outputs));
  if (request_.formats.otf2) RTL_TRY(WriteOtf2(trace, &outputs));
  if (request_.formats.pftrace) {
    std::string temporary;
    RTL_TRY(outputs.Reserve("results.pftrace", &temporary));
    exporting::tool::ToolChoice choice(&trace);
    RTL_TRY(exporting::Export(reader, exporting::Format::kPftrace, temporary, [](uint64_t) {},
                              {.steps = {}, .choice = &choice}));
  }
  if (request_.formats.db) {
    std::string temporary;
    RTL_TRY(outputs.Reserve("trace.db", &temporary));
    RTL_TRY(exporting::WriteDatabase(
        reader.path(), temporary, [](uint64_t) {}, nullptr, &notes_));
  }
  if (request_.write_config) {
    exporting::OutputFile* file = nullptr;
    RTL_TRY(outputs.Open("config.json", &file));
    file->Append(config_);
    file->Put('\n');
  }
  if (request_.summary.wanted()) RTL_TRY(PrintSummary(statistics, &outputs));
  RTL_TRY(outputs.Commit());
  written_.insert(written_.end(), outputs.written().begin(), outputs.written().end());
  return Status::Ok();
}

Status ProcessFiles::Write(const std::string& path) {
  std::unique_ptr<query::TraceReader> reader;
  RTL_TRY(query::TraceReader::Open(path, &reader));
  std::vector<query::Process> processes;
  RTL_TRY(reader->Processes(&processes));
  for (const query::Process& process : processes) RTL_TRY(WriteProcess(*reader, process));
  return Status::Ok();
}

}  // namespace rtl::v3
