// SPDX-License-Identifier: MIT
#include "dataset/convert.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <unordered_map>

#include "dataset/columns.h"
#include "dataset/names.h"
#include "dataset/summaries.h"
#include "model/losses.h"
#include "tables/name_id.h"
#include "tables/steps.h"
#include "tables/table_reader.h"

namespace rtl::dataset {
namespace {

namespace fs = std::filesystem;

// The facts and the files of one rank, or of one process without a rank.
struct Part {
  Owner owner;
  std::vector<query::Process> processes;
  Names names;
  std::vector<WrittenFile> files;
  std::string end;  // the value of kEndKey
};

class DatasetWriter {
 public:
  DatasetWriter(query::TraceReader& trace, const ConvertOptions& options, const Progress& progress)
      : trace_(trace), options_(options), progress_(progress) {}

  Status Write() {
    RTL_TRY(FindParts());
    RTL_TRY(MakeRoom());
    RTL_TRY(steps_.Load(trace_));
    RTL_TRY(steps_.LoadRepeated(trace_));
    for (const tables::Table& table : tables::Tables()) {
      const bool is_of_process = table.id == tables::TableId::kGpus ||
                                 table.id == tables::TableId::kThreads ||
                                 table.id == tables::TableId::kLosses;
      if (table.id == tables::TableId::kProcesses) continue;
      // The rows of kernels are read in any case, because the table `names` needs the names and
      // kinds of kernels.
      if (options_.only_summaries && !is_of_process && table.id != tables::TableId::kKernels) {
        continue;
      }
      RTL_TRY(WriteTable(table));
    }
    RTL_TRY(WriteSummaries());
    RTL_TRY(WriteNames());
    RTL_TRY(WriteClocks());
    return WriteTable(tables::Describe(tables::TableId::kProcesses));
  }

  // All files that were written. After an error the caller removes them.
  std::vector<WrittenFile> files() const {
    std::vector<WrittenFile> files;
    for (const auto& [label, part] : parts_) {
      files.insert(files.end(), part->files.begin(), part->files.end());
    }
    return files;
  }

 private:
  Status FindParts() {
    std::vector<query::Process> processes;
    RTL_TRY(trace_.tables().Processes(&processes));
    const auto& metadata = trace_.metadata();
    const auto text = [&](std::string_view tag) {
      const auto found = metadata.find(tag);
      return found == metadata.end() ? std::string() : found->second;
    };
    for (query::Process& process : processes) {
      const std::string label = LabelOf(process.rank, process.host, process.pid);
      std::unique_ptr<Part>& part = parts_[label];
      if (part == nullptr) {
        part = std::make_unique<Part>();
        part->owner = OwnerOf(label, process.rank);
        part->owner.host = process.host;
        part->owner.world = process.world;
        // Of a merged trace, the metadata are those of the first host.
        if (process.host == text("host")) {
          part->owner.realtime_minus_boottime = text("realtime_minus_boottime");
        }
      }
      if (process.ending == "killed" || process.ending == "running") part->end = process.ending;
      part_of_[process.id] = part.get();
      part->processes.push_back(std::move(process));
    }
    // For traces that are older than the column rtl_process.ending.
    std::vector<query::ProcessCounter> counters;
    RTL_TRY(trace_.tables().ProcessCounters(&counters));
    const std::string killed = std::string("loss.") + LossName(Loss::kKilled);
    for (const query::ProcessCounter& counter : counters) {
      const auto part = part_of_.find(counter.process);
      if (part != part_of_.end() && counter.counter == killed) part->second->end = "killed";
    }
    if (!parts_.empty()) return Status::Ok();
    return Status::Error("%s: no process is in it", trace_.path().c_str());
  }

  // Removes files that the ranks already have in the folder, or fails if it may not.
  Status MakeRoom() {
    std::error_code error;
    fs::create_directories(options_.folder, error);
    if (error) {
      return Status::Error("cannot create the folder %s: %s", options_.folder.c_str(),
                           error.message().c_str());
    }
    std::vector<fs::path> old;
    for (fs::recursive_directory_iterator entry(options_.folder, error), end;
         !error && entry != end; entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      for (const auto& [label, part] : parts_) {
        const std::string_view rest = std::string_view(name).substr(name[0] == '.' ? 1 : 0);
        if (rest.starts_with(label + "-") && rest.find(".parquet") != std::string_view::npos) {
          if (!options_.replace) {
            return Status::Error(
                "%s is there already; choose another folder, or replace these files with --force",
                entry->path().c_str());
          }
          old.push_back(entry->path());
        }
      }
    }
    // The file of processes is removed first: without it, readers treat the rank as incomplete.
    std::stable_partition(old.begin(), old.end(), [](const fs::path& path) {
      return path.parent_path().filename() == "processes";
    });
    for (const fs::path& path : old) {
      if (!fs::remove(path, error) && error) {
        return Status::Error("cannot remove %s: %s", path.c_str(), error.message().c_str());
      }
    }
    return Status::Ok();
  }

  Status WriteTable(const tables::Table& table) {
    const bool is_processes = table.id == tables::TableId::kProcesses;
    const bool is_kernels = table.id == tables::TableId::kKernels;
    std::map<Part*, TableWriter> writers;
    for (const auto& [label, part] : parts_) {
      const auto [made, is_new] =
          writers.try_emplace(part.get(), options_.folder, Table{table.name, table.columns},
                              part->owner, OrderOf(table.id));
      if (!is_processes) continue;
      made->second.Describe(kFilesKey, ListOf(part->files));
      if (options_.only_summaries) made->second.Describe(kSummariesKey, "1");
      if (!part->end.empty()) made->second.Describe(kEndKey, part->end);
    }
    std::unique_ptr<tables::TableReader> reader;
    RTL_TRY(tables::TableReader::Open(
        trace_, table,
        {.columns = {}, .name = {}, .selection = {}, .earlier = nullptr, .steps = &steps_},
        &reader));
    const size_t process_column = table.Find("process");
    std::unordered_map<int64_t, std::vector<uint32_t>> rows;  // rows of a batch, by process
    while (true) {
      tables::Batch batch;
      RTL_TRY(reader->Next(&batch));
      if (batch.rows == 0) break;
      for (auto& [process, of_process] : rows) of_process.clear();
      const int64_t* const process = batch.columns[process_column].integers();
      for (uint32_t row = 0; row < batch.rows; ++row) rows[process[row]].push_back(row);
      for (const auto& [id, of_process] : rows) {
        const auto part = part_of_.find(id);
        if (part == part_of_.end() || of_process.empty()) continue;
        TakeNames(table, batch, of_process, &part->second->names);
        if (options_.only_summaries && is_kernels) continue;
        RTL_TRY(writers.at(part->second).Append(batch, of_process));
      }
      if (is_kernels && progress_) progress_(done_ += batch.rows);
    }
    for (auto& [part, writer] : writers) RTL_TRY(EndFiles(&writer, part, is_processes));
    return Status::Ok();
  }

  static Status EndFiles(TableWriter* writer, Part* part, bool even_empty = false) {
    const Status status = writer->EndFile(even_empty);
    writer->AddFilesTo(&part->files);
    return status;
  }

  Status WriteSummaries() {
    std::map<Part*, SummaryFiles> files;
    std::unordered_map<int64_t, Summaries> summaries;  // by process
    query::KernelSpanCursor spans;
    RTL_TRY(trace_.SpansByStart(&spans));
    std::unordered_map<int64_t, std::pair<int64_t, KernelKind>> names;  // by id of the text
    const auto add = [&](const query::KernelSpan& span) {
      const auto part = part_of_.find(span.process);
      if (part == part_of_.end()) return Status::Ok();
      const auto [name, is_new] = names.try_emplace(span.name);
      if (is_new) {
        std::string_view text;
        RTL_TRY(trace_.Text(span.name, &text));
        const auto known = part->second->names.find(text);
        name->second.first = tables::NameId(text);
        if (known != part->second->names.end()) name->second.second = KindOf(known->second.kind);
      }
      auto found = summaries.find(span.process);
      if (found == summaries.end()) {
        const auto of_part = files.try_emplace(part->second, options_.folder, part->second->owner);
        found = summaries
                    .try_emplace(span.process, IdentityOf(span.process, *part->second),
                                 &of_part.first->second)
                    .first;
      }
      return found->second.Add(
          {.step = steps_.At(span.process, span.submit != 0 ? span.submit : span.start),
           .name_id = name->second.first,
           .kind = name->second.second,
           .start = static_cast<int64_t>(span.start),
           .duration = static_cast<int64_t>(span.end - span.start)});
    };
    RTL_TRY(spans.Each(add));
    for (auto& [process, summary] : summaries) RTL_TRY(summary.End());
    for (auto& [part, of_part] : files) {
      const Status status = of_part.End();
      of_part.AddFilesTo(&part->files);
      RTL_TRY(status);
    }
    return Status::Ok();
  }

  static Summaries::Process IdentityOf(int64_t id, const Part& part) {
    Summaries::Process identity{.process = id, .pid = 0, .rank = std::nullopt, .host = {}};
    for (const query::Process& process : part.processes) {
      if (process.id != id) continue;
      identity.pid = process.pid;
      if (process.rank >= 0) identity.rank = process.rank;
      identity.host = process.host;
    }
    return identity;
  }

  Status WriteNames() {
    for (const auto& [label, part] : parts_) {
      TableWriter names(options_.folder, Describe(TableId::kNames), part->owner);
      RTL_TRY(WriteNewNames(part->owner, &part->names, &names));
      RTL_TRY(EndFiles(&names, part.get()));
    }
    return Status::Ok();
  }

  Status WriteClocks() {
    std::vector<query::ClockRow> readings;
    RTL_TRY(trace_.tables().Clocks(&readings));
    for (const auto& [label, part] : parts_) {
      TableWriter clocks(options_.folder, Describe(TableId::kClocks), part->owner);
      for (const query::Process& process : part->processes) {
        bool has_any = false;
        for (const query::ClockRow& reading : readings) {
          if (reading.process != process.id) continue;
          has_any = true;
          SetClockOwner(process, &clocks);
          RTL_TRY(WriteClock(reading, &clocks));
        }
        if (!has_any) RTL_TRY(WriteClockOfStart(process, *part, &clocks));
      }
      RTL_TRY(EndFiles(&clocks, part.get()));
    }
    return Status::Ok();
  }

  static void SetClockOwner(const query::Process& process, TableWriter* row) {
    using C = ClocksColumn;
    row->Set(C::process, process.id);
    row->Set(C::pid, process.pid);
    if (process.rank >= 0) row->Set(C::rank, process.rank);
    row->SetText(C::host, process.host);
    if (!process.boot_id.empty()) row->SetText(C::boot_id, process.boot_id);
  }

  // For a trace without readings of clocks. Its metadata have one reading, from the start.
  static Status WriteClockOfStart(const query::Process& process, const Part& part,
                                  TableWriter* row) {
    using C = ClocksColumn;
    SetClockOwner(process, row);
    row->Set(C::time, static_cast<int64_t>(process.started));
    if (!part.owner.realtime_minus_boottime.empty()) {
      row->Set(C::realtime_offset, std::stoll(part.owner.realtime_minus_boottime));
    }
    return row->EndRow();
  }

  query::TraceReader& trace_;
  const ConvertOptions& options_;
  const Progress& progress_;
  std::map<std::string, std::unique_ptr<Part>> parts_;  // by label
  std::unordered_map<int64_t, Part*> part_of_;          // by rtl_process.id
  uint64_t done_ = 0;
  tables::Steps steps_;
};

}  // namespace

Status WriteDataset(query::TraceReader& trace, const ConvertOptions& options,
                    const Progress& progress, std::vector<WrittenFile>* written) {
  DatasetWriter writer(trace, options, progress);
  const Status status = writer.Write();
  *written = writer.files();
  if (status.ok()) return Status::Ok();
  for (const WrittenFile& file : *written) {
    std::error_code error;
    fs::remove(options.folder + "/" + file.name, error);
  }
  written->clear();
  return status;
}

}  // namespace rtl::dataset
