// SPDX-License-Identifier: MIT
#include "read/dataset.h"

#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>

#include "dataset/table_writer.h"
#include "fleet/scan.h"
#include "parquet/reader.h"
#include "read/arrow_stream.h"
#include "tables/row_source.h"

namespace rtl::read {
namespace {

namespace fs = std::filesystem;

using parquet::ReadColumn;
using tables::ColumnType;
using tables::Table;
using tables::TableId;

constexpr size_t kTextRows = 1024;  // a batch with texts may end after so many rows
constexpr size_t kMostNotes = 8;

Status OpenFile(const std::string& path, std::unique_ptr<parquet::Reader>* out) {
  const Status opened = parquet::Reader::Open(path, out);
  return opened.ok() ? opened : Status::Error("%s: %s", path.c_str(), opened.message());
}

// An error if the table is incomplete, because its rows would otherwise be missing unnoticed.
Status CheckFiles(const DatasetPart& part, const Table& table) {
  const std::string begin = std::string(table.name) + "/";
  for (const std::string& problem : part.problems) {
    if (!problem.starts_with(begin)) continue;
    return Status::Error("%s/%s", part.folder.c_str(), problem.c_str());
  }
  const bool is_summary = table.id == TableId::kGpus || table.id == TableId::kThreads ||
                          table.id == TableId::kLosses || table.id == TableId::kProcesses;
  if (!part.has_only_summaries || is_summary) return Status::Ok();
  return Status::Error("%s: %s has the sums of steps only (rtl convert --summaries), no %s",
                       part.folder.c_str(), part.label.c_str(), table.name);
}

const std::vector<std::string>& FilesOf(const DatasetPart& part, const Table& table) {
  static const std::vector<std::string> none;
  const auto found = part.files.find(table.name);
  return found == part.files.end() ? none : found->second;
}

// Reads columns of a table, and calls visit(columns, row) for each row.
template <typename Visit>
Status ForEachRow(const DatasetPart& part, TableId id, std::span<const char* const> names,
                  const Visit& visit) {
  const Table& table = tables::Describe(id);
  RTL_TRY(CheckFiles(part, table));
  for (const std::string& path : FilesOf(part, table)) {
    std::unique_ptr<parquet::Reader> reader;
    RTL_TRY(OpenFile(path, &reader));
    std::vector<ReadColumn> columns(names.size());
    for (const parquet::RowGroup& group : reader->footer().groups) {
      for (size_t i = 0; i < names.size(); ++i) {
        const ColumnType type = table.columns[table.Find(names[i])].type;
        const Status read = reader->Read(group, names[i], dataset::TypeOf(type), &columns[i]);
        if (!read.ok()) return Status::Error("%s: %s", path.c_str(), read.message());
      }
      for (size_t row = 0; row < static_cast<size_t>(group.rows); ++row) visit(columns, row);
    }
  }
  return Status::Ok();
}

// The value of a row; NULL is 0.
int64_t NumberAt(const ReadColumn& column, size_t row) {
  return column.IsNull(row) ? 0 : column.numbers[row];
}

std::string_view TextAt(const ReadColumn& column, size_t row) {
  return column.IsNull(row) ? "" : column.texts[static_cast<size_t>(column.numbers[row])];
}

struct Interval {
  int64_t start = 0;
  int64_t end = 0;
};

// Which times of a part are selected, by the rules of query::Selection.
class Times {
 public:
  void SetFrom(int64_t from) { from_ = from; }
  void SetTo(int64_t to) { to_ = to; }
  bool takes_all() const { return !is_during_ && from_ == INT64_MIN && to_ == INT64_MAX; }

  // Selects only times during ranges with this name.
  Status FindRanges(const DatasetPart& part, const std::string& name) {
    is_during_ = true;
    constexpr const char* kColumns[] = {"process", "name", "kind", "start", "duration"};
    RTL_TRY(ForEachRow(
        part, TableId::kRanges, kColumns, [&](const std::vector<ReadColumn>& columns, size_t row) {
          if (TextAt(columns[1], row) != name || TextAt(columns[2], row) == "mark") return;
          const int64_t start = NumberAt(columns[3], row);
          ranges_[NumberAt(columns[0], row)].push_back({start, start + NumberAt(columns[4], row)});
        }));
    for (auto& [process, ranges] : ranges_) {
      std::ranges::sort(ranges, {}, &Interval::start);
      std::vector<Interval> apart;
      for (const Interval& range : ranges) {
        if (apart.empty() || range.start > apart.back().end) {
          apart.push_back(range);
        } else {
          apart.back().end = std::max(apart.back().end, range.end);
        }
      }
      ranges = std::move(apart);
    }
    return Status::Ok();
  }
  bool has_ranges() const { return !ranges_.empty(); }

  bool Contains(int64_t process, int64_t start, int64_t duration) const {
    const int64_t end = start + duration;
    if (start >= to_ || std::max(end, start + 1) <= from_) return false;
    if (!is_during_) return true;
    const auto found = ranges_.find(process);
    if (found == ranges_.end()) return false;
    const auto next =
        std::ranges::upper_bound(found->second, std::max(start, end), {}, &Interval::start);
    return next != found->second.begin() && start < std::prev(next)->end;
  }

  // False: the statistics of the row group show that none of its rows is selected.
  bool MayTake(const parquet::RowGroup& group) const {
    const parquet::ColumnChunk* const start = group.Find("start");
    if (start == nullptr || !start->has_extremes) return true;
    const parquet::ColumnChunk* const duration = group.Find("duration");
    const bool has_duration = duration != nullptr && duration->has_extremes;
    if (duration != nullptr && !has_duration) return true;
    const int64_t longest = has_duration ? duration->extremes.most : 0;
    return start->extremes.least < to_ &&
           std::max(start->extremes.most + longest, start->extremes.most + 1) > from_;
  }

 private:
  int64_t from_ = INT64_MIN;
  int64_t to_ = INT64_MAX;
  bool is_during_ = false;
  // By process; in order and without overlap.
  std::unordered_map<int64_t, std::vector<Interval>> ranges_;
};

bool TakesGpu(const std::optional<int32_t>& gpu, const ReadColumn& column, size_t row) {
  return !gpu || (!column.IsNull(row) && column.numbers[row] == *gpu);
}

struct Chosen {
  const DatasetPart* part = nullptr;
  Times times;
};

// Which parts a request reads, and which times of each.
class Choice {
 public:
  static Status Make(const std::string& name, const std::vector<DatasetPart>& parts,
                     const Table& table, const tables::TableRequest& request, Choice* out) {
    const query::SelectionRequest& selection = request.selection;
    for (const DatasetPart& part : parts) {
      if (!selection.rank || part.rank == *selection.rank) out->chosen.push_back({&part, {}});
    }
    if (selection.rank && out->chosen.empty()) {
      return Status::Error("%s: no process in it has rank %d", name.c_str(), *selection.rank);
    }
    const bool is_list = table.id == TableId::kProcesses || table.id == TableId::kThreads ||
                         table.id == TableId::kLosses;
    const bool has_times = !selection.range.empty() || selection.from || selection.to;
    if ((is_list && (request.name || selection.gpu)) ||
        ((is_list || table.id == TableId::kGpus) && has_times)) {
      return Status::Error("%s: this table is selected by rank%s only", name.c_str(),
                           is_list ? "" : ", gpu and name");
    }
    if (selection.gpu && table.id != TableId::kGpus) RTL_TRY(out->CheckGpu(name, *selection.gpu));
    if (selection.from || selection.to) RTL_TRY(out->SetTimes(parts, selection));
    if (selection.range.empty()) return Status::Ok();
    bool has_ranges = false;
    for (Chosen& each : out->chosen) {
      RTL_TRY(each.times.FindRanges(*each.part, selection.range));
      has_ranges = has_ranges || each.times.has_ranges();
    }
    if (has_ranges) return Status::Ok();
    return Status::Error("%s: no range in it is named %s", name.c_str(), selection.range.c_str());
  }

  std::vector<Chosen> chosen;

 private:
  Status CheckGpu(const std::string& name, int32_t gpu) const {
    bool is_there = false;
    constexpr const char* kColumns[] = {"gpu"};
    for (const Chosen& each : chosen) {
      RTL_TRY(ForEachRow(*each.part, TableId::kGpus, kColumns,
                         [&](const std::vector<ReadColumn>& columns, size_t row) {
                           is_there = is_there || TakesGpu(gpu, columns[0], row);
                         }));
    }
    if (is_there) return Status::Ok();
    return Status::Error("%s: the trace has no GPU %d", name.c_str(), gpu);
  }

  // Converts times that count from the start of the earliest process. Hosts have different clocks,
  // so the result differs for each part.
  Status SetTimes(const std::vector<DatasetPart>& parts, const query::SelectionRequest& selection) {
    const bool is_shifted = std::ranges::all_of(
        parts, [](const DatasetPart& part) { return part.clock_shift.has_value(); });
    const auto shift = [&](const DatasetPart& part) { return is_shifted ? *part.clock_shift : 0; };
    int64_t began = INT64_MAX;
    constexpr const char* kColumns[] = {"start"};
    for (const DatasetPart& part : parts) {
      RTL_TRY(ForEachRow(part, TableId::kProcesses, kColumns,
                         [&](const std::vector<ReadColumn>& columns, size_t row) {
                           if (columns[0].IsNull(row)) return;
                           began = std::min(began, columns[0].numbers[row] + shift(part));
                         }));
    }
    if (began == INT64_MAX) began = 0;
    for (Chosen& each : chosen) {
      const auto time = [&](uint64_t since) {
        return static_cast<int64_t>(static_cast<uint64_t>(began - shift(*each.part)) + since);
      };
      if (selection.from) each.times.SetFrom(time(*selection.from));
      if (selection.to) each.times.SetTo(time(*selection.to));
    }
    return Status::Ok();
  }
};

class DatasetSource : public tables::RowSource {
 public:
  DatasetSource(const Table& table, tables::TableRequest request, bool datetimes, Choice choice)
      : table_(table),
        request_(std::move(request)),
        datetimes_(datetimes),
        choice_(std::move(choice)),
        columns_(table.columns.size()),
        is_read_(table.columns.size()),
        keys_(table.columns.size()) {}

  Status AddRows(tables::RowBuilder& row) override {
    while (!row.is_full()) {
      if (next_ < rows_.size()) {
        RTL_TRY(Fill(row));
        continue;
      }
      bool has_group = false;
      RTL_TRY(NextGroup(&has_group));
      if (!has_group) break;
      RTL_TRY(SelectRows());
    }
    return Status::Ok();
  }

 private:
  const DatasetPart& part() const { return *choice_.chosen[part_].part; }
  const Times& times() const { return choice_.chosen[part_].times; }

  Status NextGroup(bool* has_group) {
    *has_group = false;
    for (; part_ < choice_.chosen.size(); ++part_, file_ = 0) {
      if (file_ == 0 && reader_ == nullptr) {
        RTL_TRY(CheckFiles(part(), table_));
        kernels_.clear();
        if (table_.id == TableId::kCounters) RTL_TRY(FindKernels());
      }
      const std::vector<std::string>& files = FilesOf(part(), table_);
      for (; file_ < files.size(); ++file_, reader_ = nullptr) {
        if (reader_ == nullptr) {
          RTL_TRY(OpenFile(files[file_], &reader_));
          group_ = 0;
        }
        if (group_ == reader_->footer().groups.size()) continue;
        of_group_ = &reader_->footer().groups[group_++];
        *has_group = true;
        return Status::Ok();
      }
    }
    return Status::Ok();
  }

  // The column `i` of the current row group, which is read at the first call.
  Status Read(size_t i, const ReadColumn** out) {
    *out = &columns_[i];
    if (is_read_[i]) return Status::Ok();
    const tables::Column& column = table_.columns[i];
    const Status read =
        reader_->Read(*of_group_, column.name, dataset::TypeOf(column.type), &columns_[i]);
    if (!read.ok()) {
      return Status::Error("%s: %s", FilesOf(part(), table_)[file_].c_str(), read.message());
    }
    is_read_[i] = true;
    keys_[i].clear();
    return Status::Ok();
  }
  Status Read(const char* name, const ReadColumn** out) { return Read(table_.Find(name), out); }

  // Finds the rows of the row group that fulfil all conditions.
  Status SelectRows() {
    is_read_.assign(is_read_.size(), false);
    rows_.clear();
    next_ = 0;
    const bool by_time = !times().takes_all() && table_.id != TableId::kCounters;
    if (by_time && !times().MayTake(*of_group_)) return Status::Ok();
    rows_.resize(static_cast<size_t>(of_group_->rows));
    std::iota(rows_.begin(), rows_.end(), 0U);
    if (request_.name) RTL_TRY(SelectNames());
    if (request_.selection.gpu) RTL_TRY(SelectGpus());
    if (by_time) RTL_TRY(SelectTimes());
    if (table_.id == TableId::kCounters) RTL_TRY(SelectCounters());
    return Status::Ok();
  }

  Status SelectNames() {
    const ReadColumn* names = nullptr;
    RTL_TRY(Read("name", &names));
    const auto matches = [&](std::string_view text) {
      return fnmatch(request_.name->c_str(), std::string(text).c_str(), 0) == 0;
    };
    std::vector<int8_t> known(names->texts.size(), -1);
    const bool takes_null = matches("");
    std::erase_if(rows_, [&](uint32_t row) {
      if (names->IsNull(row)) return !takes_null;
      int8_t& is_taken = known[static_cast<size_t>(names->numbers[row])];
      if (is_taken < 0) is_taken = matches(TextAt(*names, row)) ? 1 : 0;
      return is_taken == 0;
    });
    return Status::Ok();
  }

  // Keeps the rows of the selected GPU. trace/read/selection.h says which GPU a row belongs to.
  Status SelectGpus() {
    const std::optional<int32_t> gpu = request_.selection.gpu;
    if (table_.id == TableId::kCopies) {
      const ReadColumn* source = nullptr;
      const ReadColumn* destination = nullptr;
      RTL_TRY(Read("source_gpu", &source));
      RTL_TRY(Read("destination_gpu", &destination));
      std::erase_if(rows_, [&](uint32_t row) {
        return !TakesGpu(gpu, *source, row) && !TakesGpu(gpu, *destination, row);
      });
      return Status::Ok();
    }
    const size_t place = table_.Find("gpu");
    if (place == table_.columns.size()) return Status::Ok();
    const ReadColumn* gpus = nullptr;
    RTL_TRY(Read(place, &gpus));
    const bool takes_null = table_.id == TableId::kEvents;
    std::erase_if(rows_, [&](uint32_t row) {
      return gpus->IsNull(row) ? !takes_null : gpus->numbers[row] != *gpu;
    });
    return Status::Ok();
  }

  Status SelectTimes() {
    const ReadColumn* process = nullptr;
    const ReadColumn* start = nullptr;
    const ReadColumn* duration = nullptr;
    RTL_TRY(Read("process", &process));
    RTL_TRY(Read("start", &start));
    const bool has_duration = table_.Find("duration") < table_.columns.size();
    if (has_duration) RTL_TRY(Read("duration", &duration));
    std::erase_if(rows_, [&](uint32_t row) {
      return !times().Contains(NumberAt(*process, row), NumberAt(*start, row),
                               has_duration ? NumberAt(*duration, row) : 0);
    });
    return Status::Ok();
  }

  bool IsByKernel() const { return request_.selection.gpu || !times().takes_all(); }

  // Finds the selected kernels of the part.
  Status FindKernels() {
    if (!IsByKernel()) return Status::Ok();
    constexpr const char* kColumns[] = {"process", "sequence", "gpu", "start", "duration"};
    return ForEachRow(
        part(), TableId::kKernels, kColumns,
        [&](const std::vector<ReadColumn>& columns, size_t row) {
          const int64_t process = NumberAt(columns[0], row);
          if (TakesGpu(request_.selection.gpu, columns[2], row) &&
              times().Contains(process, NumberAt(columns[3], row), NumberAt(columns[4], row))) {
            kernels_.emplace(process, NumberAt(columns[1], row));
          }
        });
  }

  Status SelectCounters() {
    if (!IsByKernel()) return Status::Ok();
    const ReadColumn* process = nullptr;
    const ReadColumn* sequence = nullptr;
    RTL_TRY(Read("process", &process));
    RTL_TRY(Read("sequence", &sequence));
    std::erase_if(rows_, [&](uint32_t row) {
      return !kernels_.contains({NumberAt(*process, row), NumberAt(*sequence, row)});
    });
    return Status::Ok();
  }

  // Adds as many of the selected rows as the batch can take.
  Status Fill(tables::RowBuilder& row) {
    if (generation_ != row.generation()) {
      for (std::vector<int32_t>& keys : keys_) keys.clear();
      generation_ = row.generation();
    }
    size_t count = std::min(rows_.size() - next_, tables::kBatchRows - row.rows());
    const std::span<const tables::Column> columns = table_.columns;
    for (size_t i = 0; i < columns.size(); ++i) {
      const bool is_wanted = row.Builder(i) != nullptr;
      if (is_wanted && columns[i].type == ColumnType::kText) count = std::min(count, kTextRows);
    }
    for (size_t i = 0; i < columns.size(); ++i) {
      if (row.Builder(i) == nullptr) continue;
      const ReadColumn* column = nullptr;
      RTL_TRY(Read(i, &column));
      if (column->numbers.empty()) continue;  // all rows are NULL
      RTL_TRY(FillColumn(*column, i, count, row));
    }
    row.EndRows(count);
    next_ += count;
    return Status::Ok();
  }

  Status FillColumn(const ReadColumn& column, size_t i, size_t count, tables::RowBuilder& row) {
    tables::ColumnBuilder& builder = *row.Builder(i);
    const auto put = [&](const auto& set) {
      for (size_t k = 0; k < count; ++k) {
        const uint32_t at = rows_[next_ + k];
        if (column.present.empty() || column.present[at] != 0) set(row.rows() + k, at);
      }
    };
    switch (table_.columns[i].type) {
      case ColumnType::kText:
        put([&](size_t to, uint32_t at) { builder.SetText(to, TextAt(column, at)); });
        return Status::Ok();
      case ColumnType::kName:
        keys_[i].resize(column.texts.size(), -1);
        put([&](size_t to, uint32_t at) {
          int32_t& key = keys_[i][static_cast<size_t>(column.numbers[at])];
          if (key < 0) key = builder.dictionary().Key(TextAt(column, at));
          builder.Set(to, static_cast<uint64_t>(key));
        });
        return Status::Ok();
      case ColumnType::kInteger:
      case ColumnType::kReal:
        break;
    }
    uint64_t shift = 0;
    if (datetimes_ && IsMoment(table_.columns[i])) {
      if (!part().clock_shift) {
        return Status::Error("%s: %s does not say how its clock relates to the time of day",
                             part().folder.c_str(), part().label.c_str());
      }
      shift = static_cast<uint64_t>(*part().clock_shift);
    }
    put([&](size_t to, uint32_t at) {
      builder.Set(to, static_cast<uint64_t>(column.numbers[at]) + shift);
    });
    return Status::Ok();
  }

  const Table& table_;
  const tables::TableRequest request_;
  const bool datetimes_;
  const Choice choice_;
  size_t part_ = 0;
  size_t file_ = 0;
  std::unique_ptr<parquet::Reader> reader_;  // reader of the file file_
  size_t group_ = 0;                         // number of the next row group
  const parquet::RowGroup* of_group_ = nullptr;
  std::vector<ReadColumn> columns_;  // columns of the current row group
  std::vector<bool> is_read_;
  // By column: for each text its key in the builder; -1: none yet.
  std::vector<std::vector<int32_t>> keys_;
  uint32_t generation_ = 0;
  std::vector<uint32_t> rows_;  // selected rows of the current row group
  size_t next_ = 0;             // position in rows_
  // Selected kernels of the part: process and sequence.
  std::set<std::pair<int64_t, int64_t>> kernels_;
};

}  // namespace

bool Dataset::IsIn(const std::string& folder) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    // The tables that a rank writes first and last.
    if (name != "kernels" && name != "processes" && name != "steps" && name != "losses") continue;
    std::error_code ignored;  // an error means that this is no folder of a dataset
    for (fs::directory_iterator file(entry->path(), ignored); !ignored && file != end;
         file.increment(ignored)) {
      if (file->path().extension() == ".parquet") return true;
    }
  }
  return false;
}

Status Dataset::Open(const std::vector<std::string>& folders, std::unique_ptr<const Dataset>* out) {
  std::unique_ptr<Dataset> dataset(new Dataset);
  dataset->name_ = folders[0];
  if (folders.size() > 1) {
    dataset->name_ += " and " + std::to_string(folders.size() - 1) + " more";
  }
  // Absolute paths, because the process may change its working directory.
  std::vector<std::string> absolute;
  for (const std::string& folder : folders) {
    std::error_code error;
    const fs::path path = fs::absolute(folder, error);
    absolute.push_back(error ? folder : path.string());
  }
  fleet::Fleet fleet;
  RTL_TRY(fleet::Scan(absolute, &fleet));
  std::map<std::string, size_t> place;
  for (const fleet::RankState& rank : fleet.ranks) {
    if (!rank.has_files) continue;
    place[rank.label] = dataset->parts_.size();
    dataset->parts_.push_back({.label = rank.label,
                               .folder = rank.folder,
                               .rank = rank.rank,
                               .clock_shift = rank.clock_shift,
                               .has_only_summaries = rank.has_only_summaries,
                               .problems = rank.problems,
                               .files = {}});
  }
  for (const auto& [table, files] : fleet.tables) {
    for (const fleet::DataFile& file : files) {
      dataset->parts_[place.at(file.label)].files[table].push_back(file.path);
    }
  }
  dataset->notes_ = fleet::Describe(fleet, kMostNotes);
  *out = std::move(dataset);
  return Status::Ok();
}

Status Dataset::MakeReader(const Table& table, const tables::TableRequest& request, bool datetimes,
                           std::unique_ptr<tables::TableReader>* out) const {
  Choice choice;
  RTL_TRY(Choice::Make(name_, parts_, table, request, &choice));
  return tables::TableReader::Open(
      table, request.columns,
      std::make_unique<DatasetSource>(table, request, datetimes, std::move(choice)), out);
}

}  // namespace rtl::read
