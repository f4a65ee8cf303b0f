// SPDX-License-Identifier: MIT
#include "tables/table_reader.h"

#include <fnmatch.h>

#include <algorithm>

#include "tables/row_source.h"

namespace rtl::tables {
namespace {

constexpr size_t kMostBatchText = 64u << 20;

std::unique_ptr<RowSource> MakeSource(TableId table) {
  switch (table) {
    case TableId::kKernels:
      return MakeKernelSource();
    case TableId::kCalls:
      return MakeCallSource();
    case TableId::kCopies:
    case TableId::kBarriers:
    case TableId::kRanges:
    case TableId::kOperators:
    case TableId::kEvents:
    case TableId::kSamples:
      return MakeSpanSource(table);
    default:
      return MakeSmallSource(table);
  }
}

}  // namespace

RowBuilder::RowBuilder(std::vector<ColumnBuilder*> builders) : builders_(std::move(builders)) {
  for (ColumnBuilder* const builder : builders_) {
    if (builder != nullptr && builder->type() == ColumnType::kText) texts_.push_back(builder);
  }
}

bool RowBuilder::has_full_text() const {
  return std::any_of(texts_.begin(), texts_.end(), [](const ColumnBuilder* builder) {
    return builder->text_bytes() > kMostBatchText;
  });
}

Batch RowBuilder::Finish(const std::vector<size_t>& columns) {
  Batch batch{.rows = rows_, .columns = {}};
  bool is_trimmed = false;
  for (const size_t column : columns) {
    ColumnBuilder& builder = *builders_[column];
    batch.columns.push_back(builder.Finish(rows_));
    is_trimmed |= builder.dictionary().Trim();
  }
  if (is_trimmed) ++generation_;
  rows_ = 0;
  return batch;
}

Status Processes::Load(query::TraceReader& trace, std::optional<int32_t> rank) {
  rank_ = rank;
  RTL_TRY(trace.tables().Processes(&all_));
  for (size_t i = 0; i < all_.size(); ++i) place_.emplace(all_[i].id, i);
  const bool is_there = !rank || std::any_of(all_.begin(), all_.end(), [&](const auto& process) {
    return process.rank == *rank;
  });
  if (is_there) return Status::Ok();
  return Status::Error("%s: no process in it has rank %d", trace.path().c_str(), *rank);
}

const query::Process* Processes::FindOther(int64_t id) const {
  const auto found = place_.find(id);
  if (found == place_.end()) return nullptr;
  last_ = &all_[found->second];
  return last_;
}

bool NamesOfTable::Matches(const std::string& name) const {
  return !pattern_ || fnmatch(pattern_->c_str(), name.c_str(), 0) == 0;
}

TableReader::TableReader() = default;
TableReader::~TableReader() = default;

Status TableReader::ChooseColumns(const std::vector<std::string>& names) {
  if (names.empty()) {
    for (size_t i = 0; i < table_->columns.size(); ++i) columns_.push_back(i);
  }
  for (const std::string& name : names) {
    const size_t place = table_->Find(name);
    if (place == table_->columns.size()) {
      return Status::Error("the table %s has no column %s", table_->name, name.c_str());
    }
    if (std::count(columns_.begin(), columns_.end(), place) > 0) {
      return Status::Error("column %s of the table %s is given twice", name.c_str(), table_->name);
    }
    columns_.push_back(place);
  }
  std::vector<ColumnBuilder*> by_column(kMostColumns, nullptr);
  builders_.reserve(columns_.size());
  for (const size_t column : columns_) {
    by_column[column] = &builders_.emplace_back(table_->columns[column].type);
  }
  rows_ = std::make_unique<RowBuilder>(std::move(by_column));
  return Status::Ok();
}

Status TableReader::Open(query::TraceReader& trace, const Table& table, const TableRequest& request,
                         std::unique_ptr<TableReader>* out) {
  std::unique_ptr<TableReader> reader;
  RTL_TRY(Open(table, request.columns, MakeSource(table.id), &reader));
  const Status opened = reader->source_->Open(trace, request, *reader->rows_);
  trace.Select(nullptr);  // the cursors keep the selection
  RTL_TRY(opened);
  *out = std::move(reader);
  return Status::Ok();
}

Status TableReader::Open(const Table& table, const std::vector<std::string>& columns,
                         std::unique_ptr<RowSource> source, std::unique_ptr<TableReader>* out) {
  std::unique_ptr<TableReader> reader(new TableReader());
  reader->table_ = &table;
  RTL_TRY(reader->ChooseColumns(columns));
  reader->source_ = std::move(source);
  *out = std::move(reader);
  return Status::Ok();
}

Status TableReader::Next(Batch* out) {
  // Does not read again after the end, because a cursor would start over.
  if (!is_at_end_) RTL_TRY(source_->AddRows(*rows_));
  is_at_end_ = !rows_->is_full();
  *out = rows_->Finish(columns_);
  return Status::Ok();
}

}  // namespace rtl::tables
