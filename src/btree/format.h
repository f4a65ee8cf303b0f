// SPDX-License-Identifier: MIT
// format.h: the format of a table in an SQLite file (https://www.sqlite.org/fileformat2.html,
// sections 1.3, 1.6 and 2.1).
//
// A table is a tree of pages. Leaves hold rows in the order of their row ids. An interior page
// holds, for each child, the number of the child's page and the largest row id in the child.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace rtl::btree {

// The database's header, at the beginning of page 1. Numbers are big-endian.
inline constexpr size_t kDatabaseHeaderBytes = 100;
inline constexpr size_t kPageSizeOffset = 16;  // 2 bytes; the value 1 means 65536
// 1 byte: number of unused bytes at the end of each page
inline constexpr size_t kReservedOffset = 20;
inline constexpr size_t kChangeCounterOffset = 24;  // 4 bytes
inline constexpr size_t kPageCountOffset = 28;      // 4 bytes
inline constexpr size_t kFirstFreePageOffset = 32;  // 4 bytes
inline constexpr size_t kFreePageCountOffset = 36;  // 4 bytes
// 4 bytes: value of the change counter when the page count was written
inline constexpr size_t kVersionValidOffset = 92;

inline constexpr uint8_t kInteriorPage = 0x05;
inline constexpr uint8_t kLeafPage = 0x0d;
// The header of a page, which on page 1 follows the database's header: type (1 byte), first free
// block (2), number of cells (2), where the cells begin (2; 0 means 65536), fragmented bytes (1),
// and the right-most child of an interior page (4). The offsets of the cells follow, 2 bytes each.
inline constexpr size_t kCellCountOffset = 3;
inline constexpr size_t kCellsBeginOffset = 5;
inline constexpr size_t kRightChildOffset = 8;
inline constexpr size_t kLeafHeaderBytes = 8;
inline constexpr size_t kInteriorHeaderBytes = 12;
inline constexpr size_t kPlaceBytes = 2;

inline constexpr size_t kMostVarintBytes = 9;

// The serial type in a record's header says what a column holds.
inline constexpr uint64_t kNullType = 0;
inline constexpr uint64_t kZeroType = 8;
inline constexpr uint64_t kRealType = 7;
inline constexpr uint64_t kOneType = 9;
// The number of bytes of a value, by its serial type. SQLite uses 10 and 11 internally, so no file
// has them. Types from 12 on are texts or bytes.
inline constexpr uint64_t kFirstTextType = 12;
inline constexpr uint8_t kBytesOfType[kFirstTextType] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0};
inline uint64_t BytesOf(uint64_t type) {
  return type < kFirstTextType ? kBytesOfType[type] : (type - kFirstTextType) / 2;
}
// If the record of a row is longer than a page's bytes less this number, it continues in overflow
// pages.
inline constexpr size_t kBytesOfFullRow = 35;

// The serial type of a number.
inline uint8_t TypeOf(int64_t value) {
  if (value == 0) return kZeroType;
  if (value == 1) return kOneType;
  // The number of bits that the value needs, with one sign bit.
  const int bits = 65 - __builtin_clzll(static_cast<uint64_t>(value ^ (value >> 63)) | 1);
  constexpr uint8_t kTypes[] = {1, 1, 2, 3, 4, 5, 5, 6, 6};  // indexed by the number of bytes
  return kTypes[(bits + 7) / 8];
}

inline uint32_t GetBig(const uint8_t* at, size_t bytes) {
  uint32_t value = 0;
  for (size_t i = 0; i < bytes; ++i) value = value << 8 | at[i];
  return value;
}

inline void PutBig(uint8_t* at, uint64_t value, size_t bytes) {
  for (size_t i = bytes; i-- > 0; value >>= 8) at[i] = static_cast<uint8_t>(value);
}

// The size of the pages, from the database's header.
inline size_t PageBytes(const uint8_t* header) {
  const size_t bytes = GetBig(header + kPageSizeOffset, 2);
  return bytes == 1 ? 65536 : bytes;
}

// Reads a varint: seven bits in each byte, the highest first; a ninth byte has eight. Returns the
// address after the varint, or null if the varint does not end before `end`.
inline const uint8_t* GetVarint(const uint8_t* at, const uint8_t* end, uint64_t* out) {
  if (at < end && *at < 0x80) [[likely]] {
    *out = *at;
    return at + 1;
  }
  uint64_t value = 0;
  for (size_t i = 0; i < kMostVarintBytes; ++i) {
    if (at == end) return nullptr;
    const uint8_t byte = *at++;
    if (i == kMostVarintBytes - 1) {
      *out = value << 8 | byte;
      return at;
    }
    value = value << 7 | (byte & 0x7f);
    if (byte < 0x80) break;
  }
  *out = value;
  return at;
}

inline size_t VarintBytes(uint64_t value) {
  size_t bytes = 1;
  while (bytes < kMostVarintBytes && value >> (7 * bytes) != 0) ++bytes;
  return bytes;
}

// Writes a varint. Returns the address after it.
inline uint8_t* PutVarint(uint8_t* at, uint64_t value) {
  const size_t bytes = VarintBytes(value);
  size_t left = bytes;
  if (bytes == kMostVarintBytes) {
    at[--left] = static_cast<uint8_t>(value);
    value >>= 8;
  }
  for (bool last = bytes != kMostVarintBytes; left > 0; last = false, value >>= 7) {
    at[--left] = static_cast<uint8_t>((value & 0x7f) | (last ? 0 : 0x80));
  }
  return at + bytes;
}

}  // namespace rtl::btree
