// SPDX-License-Identifier: MIT
#include "fleet/scan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <set>

#include "dataset/columns.h"
#include "dataset/table_writer.h"
#include "fleet/quoted.h"
#include "parquet/footer.h"

namespace rtl::fleet {
namespace {

namespace fs = std::filesystem;

// The label in a file's name: "rank-00017" in "rank-00017-000003.parquet". Empty: no file of a
// dataset.
std::string LabelOfFile(std::string_view name) {
  constexpr std::string_view kEnding = ".parquet";
  if (name.starts_with('.') || !name.ends_with(kEnding)) return "";
  name.remove_suffix(kEnding.size());
  const size_t dash = name.rfind('-');
  if (dash == std::string_view::npos || !NumberOf(name.substr(dash + 1))) return "";
  return std::string(name.substr(0, dash));
}

std::optional<int64_t> RankOfLabel(std::string_view label) {
  return label.starts_with("rank-") ? NumberOf(label.substr(5)) : std::nullopt;
}

// Runs count as separate only if they are farther apart than this, because clocks of hosts are not
// exact.
constexpr int64_t kFarApart = 60'000'000'000;

// Why an engine cannot read the file together with others of its table; empty: it can.
std::string OtherColumns(const std::string& table, const std::vector<std::string>& columns) {
  const auto known = dataset::ColumnsOfTable(table);
  if (known.empty()) return "";
  for (const tables::Column& column : known) {
    if (std::ranges::find(columns, column.name) == columns.end()) {
      return fmt::format("it has no column {}", column.name);
    }
  }
  for (const std::string& column : columns) {
    const auto is_it = [&](const tables::Column& each) { return each.name == column; };
    if (std::ranges::none_of(known, is_it)) {
      return fmt::format("it has a column {}, which {} has not", column, table);
    }
  }
  return "";
}

class Scanner {
 public:
  Scanner(Fleet* fleet, const ListFiles& remote) : fleet_(fleet), remote_(remote) {}

  Status ScanFolder(const std::string& folder) {
    folder_ = folder;
    while (folder_.size() > 1 && folder_.back() == '/') folder_.pop_back();
    if (IsRemote(folder_)) return ScanRemote();
    // DuckDB would treat such a name as a pattern.
    if (folder_.find_first_of("*?[") != std::string::npos) {
      return Status::Error("%s: a folder's name must not contain *, ? or [", folder_.c_str());
    }
    std::error_code error;
    if (!fs::is_directory(folder_, error)) {
      if (!fs::exists(folder_, error)) {
        return Status::Error("%s: there is no such folder", folder_.c_str());
      }
      return Status::Error(
          "%s is no folder of a dataset; rtl convert --to parquet -o DIR makes one of traces",
          folder_.c_str());
    }
    bool has_any = false;
    std::vector<fs::path> tables;
    for (fs::directory_iterator entry(folder_, error), end; !error && entry != end;
         entry.increment(error)) {
      if (entry->is_directory(error)) tables.push_back(entry->path());
    }
    std::ranges::sort(tables);
    for (const fs::path& table : tables) {
      std::vector<std::string> names;
      for (fs::directory_iterator entry(table, error), end; !error && entry != end;
           entry.increment(error)) {
        names.push_back(entry->path().filename().string());
      }
      if (error) break;
      std::ranges::sort(names);
      for (const std::string& name : names) {
        const std::string label = LabelOfFile(name);
        if (label.empty()) continue;
        has_any = true;
        parquet::Footer footer;
        const Status read = parquet::ReadFooter(table / name, &footer);
        RTL_TRY(AddFile(table.filename().string(), name, label, footer, read));
      }
    }
    if (error) return Status::Error("%s: %s", folder_.c_str(), error.message().c_str());
    return has_any ? Status::Ok() : HasNoFiles();
  }

  Status ScanRemote() {
    std::vector<RemoteFile> files;
    if (!remote_) return Status::Error("%s: only folders are read here", folder_.c_str());
    RTL_TRY(remote_(folder_, &files));
    bool has_any = false;
    for (const RemoteFile& file : files) {
      const std::string label = LabelOfFile(file.name);
      if (label.empty()) continue;
      has_any = true;
      parquet::Footer footer;
      footer.rows = file.rows;
      for (const auto& [key, value] : file.pairs) footer.pairs[key] = value;
      footer.columns = file.columns;
      if (file.first_start && file.last_start) {
        footer.extremes["start"] = {*file.first_start, *file.last_start};
      }
      RTL_TRY(AddFile(file.table, file.name, label, footer,
                      file.error.empty() ? Status::Ok() : Status::Error("%s", file.error.c_str())));
    }
    return has_any ? Status::Ok() : HasNoFiles();
  }

  Status HasNoFiles() const {
    return Status::Error("%s has no files of a dataset (TABLE/rank-NNNNN-NNNNNN.parquet)",
                         folder_.c_str());
  }

  void End() {
    for (auto& [label, rank] : ranks_) {
      for (const auto& [file, rows] : listed_[label]) {
        const auto found = rows_.find(label + "/" + file);
        if (found == rows_.end()) {
          rank.problems.push_back(fmt::format("{}: it is missing ({} rows)", file, rows));
        } else if (found->second >= 0 && found->second != rows) {
          rank.problems.push_back(
              fmt::format("{}: it has {} rows, not {}", file, found->second, rows));
        }
      }
      DropUnlisted(label, &rank);
      const auto end = ends_.find(label);  // if the rank has a file of processes
      if (end != ends_.end()) rank.end = end->second;
      rank.is_complete = end != ends_.end() && rank.end.empty() && rank.problems.empty();
      fleet_->ranks.push_back(std::move(rank));
    }
    FindApart();
    std::set<int64_t> present;
    for (const RankState& rank : fleet_->ranks) {
      if (rank.rank) present.insert(*rank.rank);
    }
    // The number comes from a file, which may be damaged. So it is limited.
    const int64_t most = std::min<int64_t>(fleet_->world, 1 << 20);
    for (int64_t rank = 0; rank < most; ++rank) {
      if (present.contains(rank)) continue;
      RankState none;
      none.label = dataset::LabelOf(static_cast<int32_t>(rank), "", 0);
      none.rank = rank;
      fleet_->ranks.push_back(std::move(none));
    }
    std::ranges::sort(fleet_->ranks, [](const RankState& a, const RankState& b) {
      const auto key = [](const RankState& rank) {
        return std::pair(!rank.rank.has_value(), rank.rank.value_or(0));
      };
      return key(a) != key(b) ? key(a) < key(b) : a.label < b.label;
    });
  }

 private:
  // A complete rank lists its files. Files with its label that are not listed are left from another
  // run.
  void DropUnlisted(const std::string& label, RankState* rank) {
    const auto listed = listed_.find(label);
    if (listed == listed_.end() || listed->second.empty()) return;  // it has no such list yet
    std::set<std::string> names;
    for (const auto& [name, rows] : listed->second) names.insert(name);
    for (auto& [table, files] : fleet_->tables) {
      if (table == "processes") continue;
      std::erase_if(files, [&](const DataFile& file) {
        if (file.label != label) return false;
        const std::string name = file.path.substr(rank->folder.size() + 1);
        if (names.contains(name)) return false;
        rank->problems.push_back(name + ": it is not in the rank's list of files (another run's?)");
        return true;
      });
    }
    std::erase_if(fleet_->tables, [](const auto& table) { return table.second.empty(); });
  }

  void FindApart() {
    const RankState* ended = nullptr;  // the complete rank that ended first
    const RankState* began = nullptr;  // the rank that began last
    const auto first = [](const RankState& rank) { return *rank.first_start + *rank.clock_shift; };
    const auto last = [](const RankState& rank) { return *rank.last_start + *rank.clock_shift; };
    for (const RankState& rank : fleet_->ranks) {
      if (!rank.rank || !rank.first_start || !rank.clock_shift) continue;
      if (began == nullptr || first(rank) > first(*began)) began = &rank;
      // A rank that was killed may have ended early, so only complete ranks count.
      if (rank.is_complete && (ended == nullptr || last(rank) < last(*ended))) ended = &rank;
    }
    if (ended == nullptr || first(*began) - last(*ended) < kFarApart) return;
    fleet_->apart = {*ended->rank, *began->rank};
  }

  // `looked`: the result of reading the footer.
  Status AddFile(const std::string& table, const std::string& name, const std::string& label,
                 const parquet::Footer& footer, const Status& looked) {
    RankState& rank = ranks_[label];
    if (rank.folder.empty()) {
      rank.folder = folder_;
      rank.label = label;
      rank.rank = RankOfLabel(label);
      rank.has_files = true;
    } else if (rank.folder != folder_) {
      return Status::Error("%s is in %s and in %s: these are two runs, or a copy", label.c_str(),
                           rank.folder.c_str(), folder_.c_str());
    }
    const std::string path = folder_ + "/" + table + "/" + name;
    const std::string in_folder = table + "/" + name;
    int64_t& rows = rows_[label + "/" + in_folder];
    rows = -1;
    if (!looked.ok()) {
      rank.problems.push_back(in_folder + ": " + looked.message());
      return Status::Ok();
    }
    const auto pair = [&](const char* key) {
      const auto found = footer.pairs.find(key);
      return found == footer.pairs.end() ? std::string() : found->second;
    };
    const std::string schema = pair(dataset::kSchemaKey);
    if (schema.empty()) {
      rank.problems.push_back(in_folder + ": it is no file of a dataset");
      return Status::Ok();
    }
    if (schema != dataset::kSchema) {
      return Status::Error(
          "%s: its schema is %s, and this rtl reads %s; ask the rtl that wrote it, or make the "
          "dataset anew of its traces with rtl convert --to parquet",
          path.c_str(), schema.c_str(), dataset::kSchema);
    }
    if (const std::string other = OtherColumns(table, footer.columns); !other.empty()) {
      rank.problems.push_back(in_folder + ": " + other);
      return Status::Ok();
    }
    rows = footer.rows;
    rank.host = pair(dataset::kHostKey);
    const int64_t world = NumberOf(pair(dataset::kWorldKey)).value_or(0);
    if (world > 0) fleet_->worlds.insert(world);
    fleet_->world = std::max(fleet_->world, world);
    if (const auto shift = NumberOf(pair(dataset::kShiftKey))) rank.clock_shift = shift;
    if (table == "kernels" || table == "steps") {
      const auto start = footer.extremes.find("start");
      if (start != footer.extremes.end()) {
        const auto& [least, most] = start->second;
        rank.first_start = std::min(rank.first_start.value_or(least), least);
        rank.last_start = std::max(rank.last_start.value_or(most), most);
      }
    }
    if (table == "processes") {
      ends_[label] = pair(dataset::kEndKey);
      ReadList(pair(dataset::kFilesKey), label);
      rank.has_only_summaries = !pair(dataset::kSummariesKey).empty();
    }
    DataFile file{path, label, rank.host, footer.rows, std::nullopt};
    if (const auto step = footer.extremes.find("step"); step != footer.extremes.end()) {
      file.steps = {step->second.least, step->second.most};
    }
    fleet_->tables[table].push_back(std::move(file));
    return Status::Ok();
  }

  void ReadList(std::string_view text, const std::string& label) {
    while (!text.empty()) {
      const std::string_view line = NextPart(&text, '\n');
      const size_t space = line.rfind(' ');
      if (space == std::string_view::npos) continue;
      if (const auto rows = NumberOf(line.substr(space + 1))) {
        listed_[label].emplace_back(line.substr(0, space), *rows);
      }
    }
  }

  Fleet* fleet_;
  const ListFiles& remote_;
  std::string folder_;
  std::map<std::string, RankState> ranks_;                                      // by label
  std::map<std::string, std::vector<std::pair<std::string, int64_t>>> listed_;  // by label
  std::map<std::string, int64_t> rows_;      // by label/table/name; -1: it cannot be read
  std::map<std::string, std::string> ends_;  // value of kEndKey, by label
};

}  // namespace

std::optional<int64_t> NumberOf(std::string_view text) {
  int64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

std::string RankState::Until() const {
  if (!last_start || !clock_shift) return "";
  const time_t seconds = static_cast<time_t>((*last_start + *clock_shift) / 1'000'000'000);
  struct tm parts {};
  if (gmtime_r(&seconds, &parts) == nullptr) return "";
  char text[16];
  return strftime(text, sizeof text, "%H:%M:%S", &parts) == 0 ? "" : text;
}

std::string RankState::State() const {
  if (!has_files) return "no data";
  if (!problems.empty()) {
    const std::string more =
        problems.size() == 1 ? "" : fmt::format(" (and {} more)", problems.size() - 1);
    return "damaged: " + problems.front() + more;
  }
  if (is_complete) return "complete";
  const std::string until = Until();
  return (until.empty() ? "incomplete" : "until " + until) + ", " +
         (end.empty()        ? "killed or still running"
          : end == "running" ? "still running when its trace ended"
                             : end);
}

bool Fleet::HasEvents() const { return tables.contains("kernels"); }

bool Fleet::HasSummaries() const {
  return tables.contains("steps") && tables.contains("step_kernels") &&
         tables.contains("step_histogram");
}

bool IsRemote(const std::string& path) {
  const size_t end = path.find("://");
  return end != std::string::npos && end > 0 && path.find('/') == end + 1;
}

Status Scan(const std::vector<std::string>& folders, Fleet* out, const ListFiles& remote) {
  Scanner scanner(out, remote);
  for (const std::string& folder : folders) RTL_TRY(scanner.ScanFolder(folder));
  scanner.End();
  return Status::Ok();
}

std::vector<std::string> Describe(const Fleet& fleet, size_t most) {
  const auto complete = std::ranges::count_if(fleet.ranks, &RankState::is_complete);
  const size_t all = fleet.ranks.size();
  std::vector<std::string> lines;
  if (fleet.worlds.size() > 1) {
    lines.push_back(
        fmt::format("files of jobs of {} ranks are mixed: convert each job into a folder "
                    "of its own",
                    fmt::join(fleet.worlds, " and of ")));
  }
  if (fleet.apart) {
    lines.push_back(
        fmt::format("rank {} ended before rank {} began: if these are two jobs, convert each into "
                    "a folder of its own",
                    fleet.apart->first, fleet.apart->second));
  }
  const auto unnumbered =
      std::ranges::count_if(fleet.ranks, [](const RankState& rank) { return !rank.rank; });
  if (unnumbered > 1) {
    lines.push_back(
        fmt::format("{} processes have no rank: those of a host count as one, and if they are of "
                    "several runs, trace each into a folder of its own",
                    unnumbered));
  }
  if (static_cast<size_t>(complete) == all) return lines;
  lines.push_back(
      fmt::format("{} of {} ranks {} complete", complete, all, all == 1 ? "is" : "are"));
  size_t named = 0;
  for (const RankState& rank : fleet.ranks) {
    if (rank.is_complete || named++ >= most) continue;
    const std::string name = rank.rank ? fmt::format("rank {}", *rank.rank) : rank.label;
    lines.push_back(name + ": " + rank.State());
  }
  if (named > most) lines.push_back(fmt::format("and {} more: rtl fleet losses", named - most));
  return lines;
}

}  // namespace rtl::fleet
