// SPDX-License-Identifier: MIT
#include "btree/table_builder.h"

#include <algorithm>
#include <numeric>

namespace rtl::btree {
namespace {

// The size of the payload, the row id, and a record of kMostColumns numbers.
constexpr size_t kMostCellBytes = 2 + kMostVarintBytes + 2 + 9 * TableBuilder::kMostColumns;
constexpr int kMostDepth = 20;
// first size of a batch, which grows, because most traces are small
constexpr size_t kFirstRows = 64;

int64_t GetNumber(const uint8_t* at, uint8_t type) {
  if (type == kNullType) return kNull;
  if (type >= kZeroType) return type - static_cast<int64_t>(kZeroType);
  uint64_t value = at[0] < 0x80 ? 0 : ~uint64_t{0};
  for (size_t i = 0; i < kBytesOfType[type]; ++i) value = value << 8 | at[i];
  return static_cast<int64_t>(value);
}

}  // namespace

bool TableBuilder::Add(int64_t id, std::initializer_list<int64_t> values) {
  if ((rows_ + 1) * Stride() > batch_.size()) [[unlikely]]
    batch_.resize(std::max(kFirstRows * Stride(), 2 * batch_.size()));
  int64_t* const row = &batch_[rows_++ * Stride()];
  row[0] = id;
  for (size_t column = 0; column < columns_; ++column) row[1 + column] = values.begin()[column];
  return rows_ >= batch_rows_;
}

// A record begins with the size of its header and the types of its columns, the row id's first.
size_t TableBuilder::Encode(const int64_t* row, uint8_t* cell) const {
  uint8_t record[kMostCellBytes];
  uint8_t* value = record + 2 + columns_;
  record[0] = static_cast<uint8_t>(value - record);
  record[1] = kNullType;
  for (size_t column = 0; column < columns_; ++column) {
    const int64_t number = row[1 + column];
    const uint8_t type = number == kNull ? uint8_t{kNullType} : TypeOf(number);
    const size_t width = kBytesOfType[type];
    record[2 + column] = type;
    if (width == 0) continue;
    const uint64_t big = __builtin_bswap64(static_cast<uint64_t>(number) << (64 - 8 * width));
    memcpy(value, &big, sizeof big);  // bytes after `width` are overwritten by the next value
    value += width;
  }
  const auto size = static_cast<size_t>(value - record);
  uint8_t* at = PutVarint(cell, size);
  at = PutVarint(at, static_cast<uint64_t>(row[0]));
  memcpy(at, record, size);
  return static_cast<size_t>(at - cell) + size;
}

Status TableBuilder::ReadCells(const PageFile& file, const uint8_t* page,
                               std::vector<Cell>* cells) const {
  cells->clear();
  const uint8_t* const end = page + file.page_bytes();
  const size_t count = GetBig(page + kCellCountOffset, 2);
  if (kLeafHeaderBytes + kPlaceBytes * count > file.page_bytes()) return file.Damaged();
  for (size_t i = 0; i < count; ++i) {
    const size_t place = GetBig(page + kLeafHeaderBytes + kPlaceBytes * i, 2);
    if (place >= file.page_bytes()) return file.Damaged();
    const uint8_t* const cell = page + place;
    uint64_t size = 0;
    uint64_t id = 0;
    const uint8_t* at = GetVarint(cell, end, &size);
    if (at != nullptr) at = GetVarint(at, end, &id);
    if (at == nullptr || size > file.page_bytes() - kBytesOfFullRow ||
        size > static_cast<size_t>(end - at) ||
        (!cells->empty() && cells->back().id >= static_cast<int64_t>(id))) {
      return file.Damaged();
    }
    cells->push_back({static_cast<int64_t>(id), cell, static_cast<size_t>(at - cell) + size});
  }
  return Status::Ok();
}

Status TableBuilder::Adopt(PageFile* file, uint32_t root) {
  root_ = root;
  leaves_.clear();
  return AdoptPage(file, root, 0);
}

Status TableBuilder::AdoptPage(PageFile* file, uint32_t number, int depth) {
  if (depth > kMostDepth || leaves_.size() > file->pages()) return file->Damaged();
  std::vector<uint8_t> page(file->page_bytes());
  RTL_TRY(file->Read(number, page.data()));
  if (page[0] == kLeafPage) {
    std::vector<Cell> cells;
    RTL_TRY(ReadCells(*file, page.data(), &cells));
    if (!cells.empty() && !leaves_.empty() && cells.front().id <= leaves_.back().last)
      return file->Damaged();
    if (!cells.empty()) leaves_.push_back({cells.back().id, number});
    if (cells.empty() && number != root_) file->GiveBack(number);
    return Status::Ok();
  }
  const size_t count = GetBig(&page[kCellCountOffset], 2);
  if (page[0] != kInteriorPage || kInteriorHeaderBytes + kPlaceBytes * count > page.size())
    return file->Damaged();
  if (number != root_) file->GiveBack(number);
  for (size_t i = 0; i < count; ++i) {
    const size_t place = GetBig(&page[kInteriorHeaderBytes + kPlaceBytes * i], 2);
    if (place + 4 > page.size()) return file->Damaged();
    RTL_TRY(AdoptPage(file, GetBig(&page[place], 4), depth + 1));
  }
  return AdoptPage(file, GetBig(&page[kRightChildOffset], 4), depth + 1);
}

void TableBuilder::SortBatch() {
  order_.resize(rows_);
  std::iota(order_.begin(), order_.end(), 0);
  const auto id = [this](uint32_t place) { return batch_[place * Stride()]; };
  const auto less = [&](uint32_t a, uint32_t b) { return id(a) < id(b); };
  if (!std::is_sorted(order_.begin(), order_.end(), less))
    std::stable_sort(order_.begin(), order_.end(), less);
}

// The end of the batch's rows from `first` on, in the order of ids, that belong to this leaf.
size_t TableBuilder::EndOfRows(size_t leaf, size_t first) const {
  if (leaf + 1 == leaves_.size()) return order_.size();
  const auto end = std::partition_point(
      order_.begin() + static_cast<ptrdiff_t>(first), order_.end(),
      [&](uint32_t place) { return batch_[place * Stride()] <= leaves_[leaf].last; });
  return static_cast<size_t>(end - order_.begin());
}

// Leaves that follow each other and get rows are merged together, so that no leaf stays half empty.
Status TableBuilder::Write(PageFile* file, std::vector<int64_t>* twice) {
  SortBatch();
  merged_.clear();
  size_t first = 0;
  for (size_t i = 0; i < leaves_.size();) {
    const size_t begin = i;
    size_t last = first;
    for (; i < leaves_.size(); ++i) {
      const size_t end = EndOfRows(i, last);
      if (end == last) break;
      last = end;
    }
    if (i == begin) {
      merged_.push_back(leaves_[i++]);
    } else {
      RTL_TRY(Merge(file, std::span(leaves_).subspan(begin, i - begin), first, last, twice));
    }
    first = last;
  }
  if (first != order_.size()) RTL_TRY(Merge(file, {}, first, order_.size(), twice));
  leaves_.swap(merged_);
  rows_ = 0;
  return Status::Ok();
}

// Reads the rows of some leaves, in the order of ids.
class TableBuilder::OldRows {
 public:
  // `read` gets the page numbers of the leaves that were read: these pages may be overwritten.
  OldRows(const TableBuilder& table, const PageFile& file, std::span<const Leaf> leaves,
          std::vector<uint32_t>* read)
      : table_(table), file_(file), leaves_(leaves), read_(read), page_(file.page_bytes()) {}

  // The present row; null at the end.
  const Cell* cell() const { return at_ < cells_.size() ? &cells_[at_] : nullptr; }
  Status Next() {
    ++at_;
    return Load();
  }
  Status Load() {
    while (at_ >= cells_.size() && !leaves_.empty()) {
      RTL_TRY(file_.Read(leaves_.front().page, page_.data()));
      RTL_TRY(table_.ReadCells(file_, page_.data(), &cells_));
      if (leaves_.front().page != table_.root_) read_->push_back(leaves_.front().page);
      leaves_ = leaves_.subspan(1);
      at_ = 0;
    }
    return Status::Ok();
  }
  // The size of all cells of the present leaf, with their offsets.
  size_t bytes() const {
    size_t total = 0;
    for (const Cell& cell : cells_) total += cell.size + kPlaceBytes;
    return total;
  }

 private:
  const TableBuilder& table_;
  const PageFile& file_;
  std::span<const Leaf> leaves_;  // leaves that are still to be read
  std::vector<uint32_t>* const read_;
  std::vector<uint8_t> page_;
  std::vector<Cell> cells_;
  size_t at_ = 0;
};

// Merges the rows `first` to `last` of the batch with the rows of the leaves, and writes them to as
// many leaves as they need.
Status TableBuilder::Merge(PageFile* file, std::span<const Leaf> leaves, size_t first, size_t last,
                           std::vector<int64_t>* twice) {
  reusable_.clear();
  OldRows old(*this, *file, leaves, &reusable_);
  RTL_TRY(old.Load());
  LeafPage page(file->page_bytes());
  size_t most = file->page_bytes();
  uint8_t bytes[kMostCellBytes];
  // The last leaf of the table is filled up, because new rows mostly follow it. Any other single
  // leaf is split into equal parts.
  if (leaves.size() == 1 && leaves.data() != &leaves_.back()) {
    size_t total = old.bytes();
    for (size_t i = first; i < last; ++i) total += Encode(Row(i), bytes) + kPlaceBytes;
    const size_t room = file->page_bytes() - kLeafHeaderBytes - kMostCellBytes;
    most = total / (total / room + 1) + kMostCellBytes;
  }
  int64_t before = 0;
  for (size_t i = first; i < last; ++i) {
    const int64_t id = Row(i)[0];
    for (; old.cell() != nullptr && old.cell()->id < id;) {
      RTL_TRY(Put(file, &page, *old.cell(), most));
      RTL_TRY(old.Next());
    }
    if ((old.cell() != nullptr && old.cell()->id == id) || (i != first && before == id)) {
      if (twice != nullptr) twice->push_back(id);
      continue;
    }
    before = id;
    RTL_TRY(Put(file, &page, {id, bytes, Encode(Row(i), bytes)}, most));
  }
  while (old.cell() != nullptr) {
    RTL_TRY(Put(file, &page, *old.cell(), most));
    RTL_TRY(old.Next());
  }
  RTL_TRY(WriteLeaf(file, &page));
  for (const uint32_t number : reusable_) file->GiveBack(number);
  return Status::Ok();
}

Status TableBuilder::Put(PageFile* file, LeafPage* page, const Cell& cell, size_t most) {
  const bool takes = page->empty() || page->used() < most;
  uint8_t* at = takes ? page->Add(cell.id, cell.size) : nullptr;
  if (at == nullptr) {
    RTL_TRY(WriteLeaf(file, page));
    at = page->Add(cell.id, cell.size);
  }
  memcpy(at, cell.bytes, cell.size);
  return Status::Ok();
}

Status TableBuilder::WriteLeaf(PageFile* file, LeafPage* page) {
  uint32_t number = 0;
  if (reusable_.empty()) {
    number = file->Take();
  } else {
    number = reusable_.back();
    reusable_.pop_back();
  }
  RTL_TRY(file->Write(number, page->Complete()));
  merged_.push_back({page->last(), number});
  page->Clear();
  return Status::Ok();
}

Status TableBuilder::Finish(PageFile* file, std::vector<int64_t>* twice) {
  RTL_TRY(Write(file, twice));
  if (leaves_.empty() || leaves_[0].page == root_) return Status::Ok();
  if (leaves_.size() == 1) {
    std::vector<uint8_t> page(file->page_bytes());
    RTL_TRY(file->Read(leaves_[0].page, page.data()));
    RTL_TRY(file->Write(root_, page.data()));
    file->GiveBack(leaves_[0].page);
    leaves_[0].page = root_;
    return Status::Ok();
  }
  return WriteAbove(file, root_, leaves_);
}

Status TableBuilder::Find(const PageFile& file, int64_t id, std::span<int64_t> values,
                          bool* found) const {
  *found = false;
  for (size_t place = 0; place < rows_; ++place) {
    const int64_t* const row = &batch_[place * Stride()];
    if (row[0] != id) continue;
    std::copy_n(row + 1, columns_, values.begin());
    *found = true;
    return Status::Ok();
  }
  const auto leaf = std::partition_point(leaves_.begin(), leaves_.end(),
                                         [&](const Leaf& each) { return each.last < id; });
  if (leaf == leaves_.end()) return Status::Ok();
  std::vector<uint8_t> page(file.page_bytes());
  std::vector<Cell> cells;
  RTL_TRY(file.Read(leaf->page, page.data()));
  RTL_TRY(ReadCells(file, page.data(), &cells));
  const auto cell = std::partition_point(cells.begin(), cells.end(),
                                         [&](const Cell& each) { return each.id < id; });
  if (cell == cells.end() || cell->id != id) return Status::Ok();
  *found = DecodeRow(*cell, values);
  return *found ? Status::Ok() : file.Damaged();
}

// Decodes the columns of a row that this class has written.
bool TableBuilder::DecodeRow(const Cell& cell, std::span<int64_t> values) const {
  const uint8_t* const end = cell.bytes + cell.size;
  uint64_t number = 0;
  const uint8_t* record = GetVarint(cell.bytes, end, &number);
  record = GetVarint(record, end, &number);
  if (static_cast<size_t>(end - record) < 2 + columns_ || record[0] != 2 + columns_) return false;
  const uint8_t* value = record + record[0];
  for (size_t column = 0; column < columns_; ++column) {
    const uint8_t type = record[2 + column];
    if (type > kOneType || kBytesOfType[type] > end - value) return false;
    values[column] = GetNumber(value, type);
    value += kBytesOfType[type];
  }
  return true;
}

}  // namespace rtl::btree
