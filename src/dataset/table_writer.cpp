// SPDX-License-Identifier: MIT
#include "dataset/table_writer.h"

#include <errno.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <numeric>

namespace rtl::dataset {
namespace {

constexpr size_t kGroupsOfFile = 16;
// Most bytes of texts that are kept for the next row group.
constexpr size_t kMostTextBytes = size_t{4} << 20;

}  // namespace

Status MakeFolder(const std::string& path) {
  if (mkdir(path.c_str(), 0777) == 0 || errno == EEXIST) return Status::Ok();
  return Status::ErrnoError(errno, "cannot create the folder %s", path.c_str());
}

std::string LabelOf(int32_t rank, std::string_view host, uint32_t pid) {
  if (rank >= 0) return fmt::format("rank-{:05}", rank);
  std::string name(host);
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '.') c = '_';
  }
  return fmt::format("none-{}-{}", name, pid);
}

Owner OwnerOf(const std::string& label, int32_t rank) {
  return {.label = label,
          .rank = rank < 0 ? "" : std::to_string(rank),
          .host = {},
          .world = 0,
          .realtime_minus_boottime = {}};
}

TableWriter::TableWriter(std::string folder, const Table& table, const Owner& owner,
                         const std::vector<std::string_view>& order)
    : folder_(std::move(folder)),
      table_(table.name),
      label_(owner.label),
      buffers_(table.columns.size()) {
  for (const tables::Column& column : table.columns) {
    columns_.push_back({column.name, TypeOf(column.type)});
  }
  for (const std::string_view name : order) {
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].name == name) order_.push_back(i);
    }
  }
  Describe(kSchemaKey, kSchema);
  Describe(kRankKey, owner.rank);
  Describe(kWorldKey, std::to_string(owner.world));
  Describe(kHostKey, owner.host);
  Describe(kShiftKey, owner.realtime_minus_boottime);
}

void TableWriter::Describe(std::string key, std::string value) {
  pairs_.emplace_back(std::move(key), std::move(value));
}

void TableWriter::MakeRoom(Buffer* buffer, size_t row) {
  if (buffer->numbers.capacity() == buffer->numbers.size()) {
    buffer->numbers.reserve(
        std::clamp<size_t>(row * 4, 64, std::max(row + 1, parquet::kGroupRows)));
  }
  if (buffer->numbers.size() == row) return;
  buffer->present.resize(buffer->numbers.size(), 1);
  buffer->present.resize(row, 0);
  buffer->numbers.resize(row, 0);
}

int64_t TableWriter::PositionOf(Buffer* buffer, std::string_view text) {
  const auto known = buffer->positions.find(text);
  if (known != buffer->positions.end()) return known->second;
  const auto position = static_cast<int64_t>(buffer->texts.size());
  buffer->texts.emplace_back(text);
  buffer->text_bytes += text.size() + sizeof(std::string);
  buffer->positions.emplace(buffer->texts.back(), position);
  return position;
}

void TableWriter::SetText(size_t column, std::string_view text) {
  Buffer* const buffer = &buffers_[column];
  Put(buffer, rows_, PositionOf(buffer, text));
}

void TableWriter::AppendColumn(const tables::ColumnValues& values, std::span<const uint32_t> rows,
                               Buffer* buffer) const {
  const auto put = [&](const auto& value_of) {
    if (values.nulls == 0) {
      for (size_t i = 0; i < rows.size(); ++i) Put(buffer, rows_ + i, value_of(rows[i]));
      return;
    }
    for (size_t i = 0; i < rows.size(); ++i) {
      if (!values.IsNull(rows[i])) Put(buffer, rows_ + i, value_of(rows[i]));
    }
  };
  switch (values.type) {
    case tables::ColumnType::kInteger:
    case tables::ColumnType::kReal:  // a double has its bits in the integer
      return put([&](uint32_t row) { return values.integers()[row]; });
    case tables::ColumnType::kText:
      return put([&](uint32_t row) { return PositionOf(buffer, (*values.texts)[row]); });
    case tables::ColumnType::kName:
      break;
  }
  if (buffer->known_texts != values.texts) {
    buffer->known_texts = values.texts;
    buffer->known.assign(values.texts->size(), -1);
  }
  put([&](uint32_t row) {
    const auto key = static_cast<size_t>(values.keys()[row]);
    int64_t& position = buffer->known[key];
    if (position < 0) position = PositionOf(buffer, (*values.texts)[key]);
    return position;
  });
}

Status TableWriter::Append(const tables::Batch& batch, std::span<const uint32_t> rows) {
  while (!rows.empty()) {
    const size_t count = std::min(rows.size(), parquet::kGroupRows - rows_);
    for (size_t i = 0; i < buffers_.size(); ++i) {
      AppendColumn(batch.columns[i], rows.first(count), &buffers_[i]);
    }
    rows_ += count;
    rows = rows.subspan(count);
    if (rows_ == parquet::kGroupRows) RTL_TRY(WriteGroup());
  }
  return Status::Ok();
}

void TableWriter::Sort() {
  std::vector<const int64_t*> keys;
  for (const size_t column : order_) {
    const Buffer& buffer = buffers_[column];
    // In a column with values, a row without one has 0. A column without any value has no numbers
    // and cannot order rows.
    if (buffer.numbers.size() == rows_) keys.push_back(buffer.numbers.data());
  }
  const auto is_before = [&](uint32_t a, uint32_t b) {
    for (const int64_t* key : keys) {
      if (key[a] != key[b]) return key[a] < key[b];
    }
    return false;
  };
  std::vector<uint32_t> order(rows_);
  std::iota(order.begin(), order.end(), 0U);
  if (std::is_sorted(order.begin(), order.end(), is_before)) return;
  std::stable_sort(order.begin(), order.end(), is_before);
  std::vector<int64_t> numbers(rows_);
  std::vector<uint8_t> present(rows_);
  const auto apply = [&](auto* values, auto* sorted) {
    if (values->empty()) return;
    for (size_t i = 0; i < rows_; ++i) (*sorted)[i] = (*values)[order[i]];
    values->swap(*sorted);
  };
  for (Buffer& buffer : buffers_) {
    apply(&buffer.numbers, &numbers);
    apply(&buffer.present, &present);
  }
}

Status TableWriter::Open() {
  RTL_TRY(MakeFolder(folder_));
  RTL_TRY(MakeFolder(folder_ + "/" + table_));
  const std::string name = fmt::format("{}/{}-{:06}.parquet", table_, label_, files_.size());
  RTL_TRY(parquet::Writer::Create(folder_ + "/" + name, columns_, &file_));
  files_.push_back({.name = name});
  return Status::Ok();
}

Status TableWriter::WriteGroup() {
  if (rows_ == 0) return Status::Ok();
  for (Buffer& buffer : buffers_) {
    if (!buffer.numbers.empty() && buffer.numbers.size() < rows_) MakeRoom(&buffer, rows_);
  }
  Sort();
  std::vector<parquet::Values> values;
  std::vector<std::vector<std::string_view>> texts(buffers_.size());
  for (size_t i = 0; i < buffers_.size(); ++i) {
    const Buffer& buffer = buffers_[i];
    texts[i].assign(buffer.texts.begin(), buffer.texts.end());
    values.push_back({buffer.numbers, buffer.present, texts[i]});
  }
  if (file_ == nullptr) RTL_TRY(Open());
  RTL_TRY(file_->WriteGroup(rows_, values));
  Clear();
  return ++groups_ < kGroupsOfFile ? Status::Ok() : EndFile();
}

void TableWriter::Clear() {
  rows_ = 0;
  for (Buffer& buffer : buffers_) {
    buffer.numbers.clear();
    buffer.present.clear();
    if (buffer.text_bytes <= kMostTextBytes) continue;
    buffer.positions.clear();
    buffer.texts.clear();
    buffer.text_bytes = 0;
    buffer.known_texts = nullptr;
  }
}

Status TableWriter::EndFile(bool even_empty) {
  RTL_TRY(WriteGroup());
  if (file_ == nullptr && even_empty && files_.empty()) RTL_TRY(Open());
  if (file_ == nullptr) return Status::Ok();
  for (const auto& [key, value] : pairs_) file_->Describe(key, value);
  RTL_TRY(file_->Commit());
  files_.back().rows = file_->rows();
  files_.back().bytes = file_->bytes();
  file_ = nullptr;
  groups_ = 0;
  return Status::Ok();
}

}  // namespace rtl::dataset
