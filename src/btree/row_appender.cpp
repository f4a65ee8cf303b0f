// SPDX-License-Identifier: MIT
#include "btree/row_appender.h"

#include <algorithm>
#include <bit>

namespace rtl::btree {
namespace {

constexpr size_t kLinkBytes = 4;  // the number of the next overflow page

// The size of a record's header, which has its own size and the types of the values.
size_t HeaderBytes(std::span<const Value> values) {
  size_t bytes = 1;
  for (const Value& value : values) bytes += VarintBytes(value.type());
  return bytes < 0x80 ? bytes : bytes + 1;
}

// Writes a record. Returns the address after it.
uint8_t* PutRecord(uint8_t* at, size_t header, std::span<const Value> values) {
  at = PutVarint(at, header);
  for (const Value& value : values) at = PutVarint(at, value.type());
  for (const Value& value : values) at = value.Put(at);
  return at;
}

}  // namespace

Value::Value(double number) : number_(std::bit_cast<int64_t>(number)), type_(kRealType) {}

uint8_t* Value::Put(uint8_t* at) const {
  const size_t size = bytes();
  if (type_ >= kFirstTextType) {
    if (size != 0) memcpy(at, text_, size);
  } else {
    const uint64_t big = __builtin_bswap64(static_cast<uint64_t>(number_));
    memcpy(at, reinterpret_cast<const uint8_t*>(&big) + sizeof big - size, size);
  }
  return at + size;
}

Status RowAppender::Begin(PageFile* file, uint32_t root) {
  file_ = file;
  root_ = root;
  page_.assign(file->page_bytes(), 0);
  begin_ = page_.size();
  cells_ = 0;
  last_id_ = 0;
  leaves_.clear();
  RTL_TRY(file->Read(root, page_.data()));
  const bool empty = page_[0] == kLeafPage && GetBig(&page_[kCellCountOffset], 2) == 0;
  std::fill(page_.begin(), page_.end(), 0);
  return empty ? Status::Ok() : file->Damaged();
}

Status RowAppender::Append(int64_t id, std::span<const Value> values) {
  const size_t header = HeaderBytes(values);
  size_t record = header;
  for (const Value& value : values) record += value.bytes();
  if (record > page_.size() - kBytesOfFullRow) return AppendLong(id, values, header, record);
  const size_t head = VarintBytes(record) + VarintBytes(static_cast<uint64_t>(id));
  uint8_t* at = MakeRoom(head + record);
  if (at == nullptr) {
    RTL_TRY(WriteLeaf());
    at = MakeRoom(head + record);
  }
  at = PutVarint(at, record);
  at = PutVarint(at, static_cast<uint64_t>(id));
  PutRecord(at, header, values);
  last_id_ = id;
  return Status::Ok();
}

// Reserves room for a cell in the page. Returns its address, or null if the page is full.
uint8_t* RowAppender::MakeRoom(size_t bytes) {
  if (kLeafHeaderBytes + kPlaceBytes * (cells_ + 1) + bytes > begin_) return nullptr;
  begin_ -= bytes;
  PutBig(&page_[kLeafHeaderBytes + kPlaceBytes * cells_++], begin_, kPlaceBytes);
  return &page_[begin_];
}

// Writes a long record: its first part into the leaf, the rest into a list of overflow pages.
Status RowAppender::AppendLong(int64_t id, std::span<const Value> values, size_t header,
                               size_t record) {
  std::vector<uint8_t> bytes(record);
  PutRecord(bytes.data(), header, values);
  const size_t usable = page_.size();
  const size_t least = (usable - 12) * 32 / 255 - 23;
  const size_t filling = least + (record - least) % (usable - kLinkBytes);
  const size_t local = filling <= usable - kBytesOfFullRow ? filling : least;
  const uint32_t first = file_->Take();
  std::vector<uint8_t> overflow(usable);
  uint32_t number = first;
  for (size_t done = local; done < record;) {
    const size_t part = std::min(usable - kLinkBytes, record - done);
    const uint32_t next = done + part < record ? file_->Take() : 0;
    PutBig(overflow.data(), next, kLinkBytes);
    memcpy(&overflow[kLinkBytes], &bytes[done], part);
    RTL_TRY(file_->Write(number, overflow.data()));
    number = next;
    done += part;
  }
  const size_t head = VarintBytes(record) + VarintBytes(static_cast<uint64_t>(id));
  uint8_t* at = MakeRoom(head + local + kLinkBytes);
  if (at == nullptr) {
    RTL_TRY(WriteLeaf());
    at = MakeRoom(head + local + kLinkBytes);
  }
  at = PutVarint(at, record);
  at = PutVarint(at, static_cast<uint64_t>(id));
  memcpy(at, bytes.data(), local);
  PutBig(at + local, first, kLinkBytes);
  last_id_ = id;
  return Status::Ok();
}

void RowAppender::Complete() {
  page_[0] = kLeafPage;
  PutBig(&page_[kCellCountOffset], cells_, 2);
  PutBig(&page_[kCellsBeginOffset], begin_, 2);  // 65536 is written as 0
}

Status RowAppender::WriteLeaf() {
  Complete();
  leaves_.push_back({last_id_, file_->Take()});
  RTL_TRY(file_->Write(leaves_.back().page, page_.data()));
  std::fill(page_.begin(), page_.end(), 0);
  begin_ = page_.size();
  cells_ = 0;
  return Status::Ok();
}

Status RowAppender::Finish() {
  if (leaves_.empty()) {
    Complete();
    return file_->Write(root_, page_.data());
  }
  RTL_TRY(WriteLeaf());
  return WriteAbove(file_, root_, leaves_);
}

}  // namespace rtl::btree
