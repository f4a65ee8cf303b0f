// SPDX-License-Identifier: MIT
#include "export/merge.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "export/merged_metadata.h"
#include "export/new_database.h"
#include "export/renumbering.h"
#include "export/table_copy.h"
#include "trace/read/error.h"
#include "trace/read/trace_reader.h"
#include "trace/schema/schema.h"
#include "trace/schema/strings.h"

namespace rtl::exporting {
namespace {

constexpr char kMetadata[] = "rocpd_metadata";

// Converts the times in the metadata to the clock of the first trace.
query::Metadata Moved(query::Metadata metadata, const TimeMap& clock) {
  for (const char* tag : {"started", "ended"}) {
    const auto found = metadata.find(tag);
    if (!clock || found == metadata.end()) continue;
    int64_t time = 0;
    const std::string& text = found->second;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), time);
    if (parsed.ec == std::errc() && time != 0) found->second = std::to_string(clock(time));
  }
  return metadata;
}

class Merger {
 public:
  Merger(const MergeRequest& request, const Progress& progress, const std::atomic<bool>* cancel,
         std::vector<std::string>* notes)
      : request_(request), progress_(progress), cancel_(cancel), notes_(*notes) {}

  // Reads the facts that are needed before anything is written.
  Status Look();
  Status Write();

 private:
  struct Part {
    std::string path;
    query::Metadata metadata;
    int64_t processes = 0;
  };

  Status LookAt(const std::string& path);
  Status CheckVersions() const;
  Status AddProcesses(const SourceTrace& trace, Part* part);
  void CompareClocks();
  Status CopyParts(store::BulkTables* bulk);

  const MergeRequest& request_;
  const Progress& progress_;
  const std::atomic<bool>* const cancel_;
  std::vector<std::string>& notes_;
  std::vector<Part> parts_;
  std::map<std::string, size_t> part_of_process_;
  std::map<std::string, std::string> host_of_clock_;  // indexed by boot_id
  MergedMetadata metadata_;
  store::Database to_;
  Renumbering numbers_;
};

Status Merger::Look() {
  for (const std::string& path : request_.files) RTL_TRY(LookAt(path));
  RTL_TRY(CheckVersions());
  CompareClocks();
  return Status::Ok();
}

Status Merger::LookAt(const std::string& path) {
  std::unique_ptr<query::TraceReader> trace;
  RTL_TRY(query::TraceReader::Open(path, &trace));
  Part part = {.path = path, .metadata = trace->metadata()};
  SourceTrace source(path, progress_, cancel_);
  RTL_TRY(source.Open());
  RTL_TRY(AddProcesses(source, &part));
  parts_.push_back(std::move(part));
  return Status::Ok();
}

Status Merger::CheckVersions() const {
  const auto version = [](const Part& part) {
    return part.metadata.find("schema_version")->second;
  };
  const Part& first = parts_.front();
  for (const Part& part : parts_) {
    if (version(part) == version(first)) continue;
    return query::FileError(part.path, "has schema " + version(part) + " and " + first.path +
                                           " has schema " + version(first) +
                                           "; rtl convert --to db gives both this version's");
  }
  // The reader has checked that the version is a number.
  if (std::stoi(version(first)) >= store::kNarrowCallsSchemaVersion) return Status::Ok();
  return query::FileError(first.path, "has schema " + version(first) +
                                          ", which is not merged; rtl convert --to db gives it "
                                          "schema " +
                                          std::to_string(store::kSchemaVersion));
}

// If a process has become another program by exec, that program is another row of the same process.
Status Merger::AddProcesses(const SourceTrace& trace, Part* part) {
  constexpr char kSelect[] = "SELECT host, boot_id, pid, start_ticks FROM rtl_process ORDER BY id";
  return trace.ForEach(kSelect, [&](const query::Statement& rows) {
    ++part->processes;
    const std::string host(rows.Text(0));
    const std::string boot(rows.Text(1));
    host_of_clock_.try_emplace(boot, host);
    const std::string pid = std::to_string(rows.Int(2));
    const std::string process = boot + " " + pid + " " + std::to_string(rows.Int(3));
    const size_t number = parts_.size();
    const auto [place, is_new] = part_of_process_.try_emplace(process, number);
    if (is_new || place->second == number) return Status::Ok();
    return query::FileError(trace.path(), "has process " + pid + " of " + host + ", which " +
                                              parts_[place->second].path +
                                              " has as well; its rows would occur twice");
  });
}

void Merger::CompareClocks() {
  for (const std::string& sentence : request_.about_clocks) {
    notes_.push_back(sentence);
    metadata_.Warn(sentence);
  }
  if (host_of_clock_.size() < 2 || !request_.about_clocks.empty()) return;
  std::set<std::string> hosts;
  for (const auto& [boot, host] : host_of_clock_) hosts.insert(host);
  std::string names;
  for (const std::string& host : hosts) names += (names.empty() ? "" : ", ") + host;
  const std::string sentence = "the times are of " + std::to_string(host_of_clock_.size()) +
                               " clocks (" + names +
                               ") and are as recorded: only those of one boot of one host can be "
                               "compared";
  notes_.push_back(sentence);
  metadata_.Warn(sentence);
}

Status Merger::CopyParts(store::BulkTables* bulk) {
  store::Strings strings;
  RTL_TRY(strings.Prepare(to_));
  uint64_t rows = 0;
  int64_t ops = 0;
  for (size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    const TimeMap clock = i < request_.clocks.size() ? request_.clocks[i] : nullptr;
    TableCopy copy(part.path, &to_, bulk, progress_, cancel_);
    copy.SetClock(clock);
    RTL_TRY(copy.Open(rows));
    RTL_TRY(copy.MakeRareTables());
    RTL_TRY(numbers_.Begin(to_, ops, copy.from(), &strings));
    RTL_TRY(copy.CopyKnown({"rocpd_string", kMetadata}, &numbers_, &notes_));
    metadata_.Add(part.path, Moved(part.metadata, clock), numbers_.Shift("rtl_process") + 1,
                  part.processes);
    rows = copy.rows();
    ops = std::max(ops, copy.last_op());
  }
  RTL_TRY(metadata_.Write(&to_, request_.tool_version));
  return store::AddPresentNames(&to_);
}

Status Merger::Write() {
  NewDatabase file(request_.output);
  RTL_TRY(file.Begin(&to_));
  RTL_TRY(CopyParts(file.bulk()));
  return file.Finish(&to_, &notes_);
}

}  // namespace

Status MergeTraces(const MergeRequest& request, const Progress& progress,
                   const std::atomic<bool>* cancel, std::vector<std::string>* notes) {
  Merger merger(request, progress, cancel, notes);
  RTL_TRY(merger.Look());
  return merger.Write();
}

}  // namespace rtl::exporting
