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
  page_ = LeafPage(file->page_bytes());
  leaves_.clear();
  std::vector<uint8_t> page(file->page_bytes());
  RTL_TRY(file->Read(root, page.data()));
  const bool empty = page[0] == kLeafPage && GetBig(&page[kCellCountOffset], 2) == 0;
  return empty ? Status::Ok() : file->Damaged();
}

Status RowAppender::Append(int64_t id, std::span<const Value> values) {
  const size_t header = HeaderBytes(values);
  size_t record = header;
  for (const Value& value : values) record += value.bytes();
  if (record > page_.size() - kBytesOfFullRow) return AppendLong(id, values, header, record);
  uint8_t* at = nullptr;
  RTL_TRY(BeginCell(id, record, record, &at));
  PutRecord(at, header, values);
  return Status::Ok();
}

// Begins the cell of a record: *out gets the address after the record's size and the row id, where
// the cell has `rest` more bytes.
Status RowAppender::BeginCell(int64_t id, size_t record, size_t rest, uint8_t** out) {
  const auto row = static_cast<uint64_t>(id);
  const size_t bytes = VarintBytes(record) + VarintBytes(row) + rest;
  uint8_t* at = page_.Add(id, bytes);
  if (at == nullptr) {
    RTL_TRY(WriteLeaf());
    at = page_.Add(id, bytes);
  }
  *out = PutVarint(PutVarint(at, record), row);
  return Status::Ok();
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
  uint8_t* at = nullptr;
  RTL_TRY(BeginCell(id, record, local + kLinkBytes, &at));
  memcpy(at, bytes.data(), local);
  PutBig(at + local, first, kLinkBytes);
  return Status::Ok();
}

Status RowAppender::WriteLeaf() {
  leaves_.push_back({page_.last(), file_->Take()});
  RTL_TRY(file_->Write(leaves_.back().page, page_.Complete()));
  page_.Clear();
  return Status::Ok();
}

Status RowAppender::Finish() {
  if (leaves_.empty()) return file_->Write(root_, page_.Complete());
  RTL_TRY(WriteLeaf());
  return WriteAbove(file_, root_, leaves_);
}

}  // namespace rtl::btree
