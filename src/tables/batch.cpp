// SPDX-License-Identifier: MIT
#include "tables/batch.h"

#include <algorithm>
#include <utility>

#include "export/utf8.h"

namespace rtl::tables {
namespace {

constexpr size_t kMostTexts = 65536;          // of a dictionary, before Trim clears it
constexpr size_t kMostTextBytes = 16u << 20;  // of a dictionary, before Trim clears it
constexpr size_t kNoRun = SIZE_MAX;

size_t WidthOf(ColumnType type) { return type == ColumnType::kName ? 4 : 8; }

std::shared_ptr<uint64_t[]> Words(size_t count) {
  return std::shared_ptr<uint64_t[]>(new uint64_t[count]);
}

// Sets the values of the rows from `begin` to `end`.
void Fill(ColumnType type, size_t begin, size_t end, uint64_t value, uint64_t* values) {
  if (type == ColumnType::kName) {
    auto* const keys = reinterpret_cast<int32_t*>(values);
    std::fill(keys + begin, keys + end, static_cast<int32_t>(value));
  } else {
    std::fill(values + begin, values + end, value);
  }
}

// The values of a column of which every value is missing. All such columns share them.
Bytes Zeros() {
  static const Bytes zeros = std::shared_ptr<uint64_t[]>(new uint64_t[kBatchRows]());
  return zeros;
}

}  // namespace

int32_t Dictionary::Key(std::string_view text) {
  std::string repaired;
  text = exporting::RepairUtf8(text, &repaired);
  const auto known = keys_.find(text);
  if (known != keys_.end()) return known->second;
  const auto key = static_cast<int32_t>(texts_.size());
  texts_.Add(text);
  keys_.emplace(text, key);
  shared_ = nullptr;
  return key;
}

std::shared_ptr<const TextList> Dictionary::Texts() {
  if (shared_ == nullptr) shared_ = std::make_shared<TextList>(texts_);
  return shared_;
}

bool Dictionary::Trim() {
  if (texts_.size() < kMostTexts && texts_.bytes.size() < kMostTextBytes) return false;
  keys_.clear();
  texts_ = TextList();
  shared_ = nullptr;
  return true;
}

void ColumnBuilder::MakeRoom() {
  stored_ = Words(kBatchRows * WidthOf(type_) / sizeof(uint64_t));
  mask_ = std::shared_ptr<uint64_t[]>(new uint64_t[kMaskWords]());
  set_ = 0;
  filled_ = 0;
  is_stored_ = true;
  const size_t run = std::exchange(run_, kNoRun);
  for (size_t row = 0; row < run; ++row) Store(row, value_);
}

void ColumnBuilder::Store(size_t row, uint64_t value) {
  Fill(type_, filled_, row, 0, stored_.get());  // rows without a value
  Fill(type_, row, row + 1, value, stored_.get());
  filled_ = row + 1;
  mask_[row / 64] |= uint64_t{1} << (row % 64);
  ++set_;
}

void ColumnBuilder::SetOther(size_t row, uint64_t value) {
  if (row == 0) {
    value_ = value;
    run_ = 1;
    return;
  }
  if (!is_stored_) MakeRoom();
  Store(row, value);
}

void ColumnBuilder::SetText(size_t row, std::string_view text) {
  while (lines_.size() < row) lines_.Add({});
  std::string repaired;
  lines_.Add(exporting::RepairUtf8(text, &repaired));
  Set(row, 0);
}

Bytes ColumnBuilder::Repeated(uint64_t value) {
  if (repeated_ != nullptr && repeated_value_ == value) return repeated_;
  const std::shared_ptr<uint64_t[]> words = Words(kBatchRows);
  Fill(type_, 0, kBatchRows, value, words.get());
  repeated_ = words;
  repeated_value_ = value;
  return repeated_;
}

ColumnValues ColumnBuilder::Finish(size_t rows) {
  ColumnValues out;
  out.type = type_;
  if (!is_stored_ && run_ > 0 && run_ < rows) MakeRoom();
  if (is_stored_) {
    Fill(type_, filled_, rows, 0, stored_.get());
    out.nulls = rows - set_;
    if (out.nulls > 0) out.valid = mask_;
    out.values = stored_;
  } else if (run_ == rows) {
    out.values = Repeated(value_);
  } else {
    out.nulls = rows;
    out.valid = out.values = Zeros();
  }
  if (type_ == ColumnType::kName) out.texts = dictionary_.Texts();
  if (type_ == ColumnType::kText) {
    while (lines_.size() < rows) lines_.Add({});
    out.texts = std::make_shared<TextList>(std::exchange(lines_, {}));
  }
  run_ = 0;
  is_stored_ = false;
  stored_ = nullptr;
  mask_ = nullptr;
  return out;
}

}  // namespace rtl::tables
