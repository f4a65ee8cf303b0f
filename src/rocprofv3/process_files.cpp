// SPDX-License-Identifier: MIT
#include "rocprofv3/process_files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "cli/base/interruptions.h"
#include "cli/base/print.h"
#include "export/database.h"
#include "export/exporter.h"
#include "export/tool/csv.h"
#include "export/tool/json.h"
#include "export/tool/otf2.h"
#include "export/tool/rocpd.h"
#include "export/tool/tool_choice.h"
#include "trace/read/error.h"
#include "trace/read/trace_reader.h"

namespace rtl::v3 {
namespace {

using exporting::tool::Domain;
using exporting::tool::kDomainCount;
using exporting::tool::OutputSet;
using exporting::tool::Statistics;
using exporting::tool::ToolTrace;

Status PrintAll(int fd, std::string_view text) {
  const int error = cli::WriteAll(fd, text);
  return error == 0 ? Status::Ok() : Status::ErrnoError(error, "the summary cannot be printed");
}

// Whether the pattern has a key whose value differs between the ranks of a job.
bool DiffersByRank(const std::string& pattern) {
  for (const char* key : {"%p", "{p", "%r", "{r", "%nid%", "{nid}", "env{", "%q{"}) {
    if (pattern.find(key) != std::string::npos) return true;
  }
  return false;
}

std::string ClaimFile(const std::filesystem::path& prefix) {
  return (prefix.parent_path() / ("." + prefix.filename().string() + ".rocprofv3")).string();
}

bool HasNewerFiles(const std::filesystem::path& prefix, std::filesystem::file_time_type since) {
  const std::string beginning = prefix.filename().string() + "_";
  std::filesystem::path folder = prefix.parent_path();
  if (folder.empty()) folder = ".";
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    if (!at->path().filename().string().starts_with(beginning)) continue;
    std::error_code unknown;
    if (at->last_write_time(unknown) > since && !unknown) return true;
  }
  return false;
}

}  // namespace

std::string ProcessFiles::PrefixOf(const query::Process& process) const {
  const std::filesystem::path folder = names_.Expand(request_.folder, process);
  return (folder / names_.Expand(request_.file, process)).string();
}

std::string ProcessFiles::WantedPrefix(const query::Process& process) {
  const std::string prefix = PrefixOf(process);
  const std::optional<Rank> rank = ThisRank(request_.rank_variables);
  if (!rank.has_value() || rank->size < 2) return prefix;
  if (DiffersByRank(request_.folder + "/" + request_.file)) return prefix;
  const std::string own = prefix + "-rank" + std::to_string(rank->rank);
  if (rank->rank == 0 && taken_.empty()) {
    notes_.push_back(
        "the names of the files do not differ by rank, so each rank adds its number: " + own);
  }
  return own;
}

// Reserves the prefix. False: another process of this run, or another run, has it.
bool ProcessFiles::Claim(const std::string& prefix) {
  if (taken_.contains(prefix)) return false;
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::path(prefix).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  const std::string name = ClaimFile(prefix);
  UniqueFd file(open(name.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  struct stat info;
  if (file.valid()) {
    const bool is_locked = flock(file.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    // The file has no link if its owner has just written its files and removed it.
    if (!is_locked || fstat(file.get(), &info) != 0 || info.st_nlink == 0) return false;
  }
  if (HasNewerFiles(prefix, since_)) {
    if (file.valid()) (void)unlink(name.c_str());  // the lock shows that it is ours
    return false;
  }
  // Without a file, writing to the folder will report the error.
  taken_.emplace(prefix, std::move(file));
  return true;
}

ProcessFiles::~ProcessFiles() {
  for (const auto& [prefix, file] : taken_) {
    if (file.valid()) (void)unlink(ClaimFile(prefix).c_str());
  }
}

// A prefix for the files of a process that no other process and no other run uses.
std::string ProcessFiles::FreePrefix(const query::Process& process) {
  const std::string wanted = WantedPrefix(process);
  const bool is_own = taken_.contains(wanted);
  std::string prefix = wanted;
  constexpr int kMost = 10'000;
  for (int n = 1; !Claim(prefix) && n < kMost; ++n) {
    prefix = wanted + "-" + std::to_string(process.pid) + (n == 1 ? "" : "-" + std::to_string(n));
  }
  if (prefix != wanted) {
    notes_.push_back("the files of process " + std::to_string(process.pid) + " begin with " +
                     prefix + ": another " + (is_own ? "process of this run" : "rocprofv3") +
                     " has " + wanted);
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
  if (request_.summary_file == "stderr") return PrintAll(STDERR_FILENO, text);
  if (request_.summary_file == "stdout") return PrintAll(STDOUT_FILENO, text);
  exporting::OutputFile* file = nullptr;
  RTL_TRY(outputs->Open(request_.summary_file + ".txt", &file));
  file->Append(text);
  return file->result();
}

// Needed if the process did not start HSA, whose records describe the agents otherwise.
Status ProcessFiles::AddDriverAgents(query::TraceReader& reader, const query::Process& process) {
  if (!tool_.driver_agents.empty()) return Status::Ok();
  std::vector<query::Agent> agents;
  RTL_TRY(reader.tables().Agents(&agents));
  for (const query::Agent& agent : agents) {
    if (agent.process == process.id) return Status::Ok();
  }
  tool_.driver_agents = driver_agents_();
  return Status::Ok();
}

Status ProcessFiles::WriteProcess(query::TraceReader& reader, const query::Process& process) {
  ToolTrace trace;
  RTL_TRY(AddDriverAgents(reader, process));
  RTL_TRY(trace.Open(reader, process, tool_));
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
        reader.path(), temporary, [](uint64_t) {}, cli::Interrupted(), &notes_));
  }
  if (request_.write_config) {
    exporting::OutputFile* file = nullptr;
    RTL_TRY(outputs.Open("config.json", &file));
    file->Append(config_);
    file->Put('\n');
  }
  if (request_.summary.wanted()) RTL_TRY(PrintSummary(statistics, &outputs));
  RTL_TRY(outputs.Commit());
  if (trace.MissedPeriods()) {
    notes_.push_back("no event of process " + std::to_string(process.pid) +
                     " lies within the periods of --collection-period");
  }
  written_.insert(written_.end(), outputs.written().begin(), outputs.written().end());
  return Status::Ok();
}

Status ProcessFiles::Write(const std::string& path) {
  std::unique_ptr<query::TraceReader> reader;
  RTL_TRY(query::TraceReader::Open(path, &reader));
  reader->SetCancel(cli::Interrupted());
  std::vector<query::Process> processes;
  RTL_TRY(reader->tables().Processes(&processes));
  for (const query::Process& process : processes) RTL_TRY(WriteProcess(*reader, process));
  return Status::Ok();
}

}  // namespace rtl::v3
