// SPDX-License-Identifier: MIT
// packing.h: writes a record as its difference from an earlier record of the same chunk, the key. A
// launch and its kernel then take 64 bytes of the spool instead of 248.
//
// A key is a record that was written whole. A chunk has kKeys keys at a time: one for each
// remainder of (type + size in words) modulo kKeys. docs/formats/spool.md is the specification.
//
// Threads    any
// Errors     Unpack returns false for bytes that Packer cannot have made
// Why        docs/adr/0126-packed-records.md
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <bit>

#include "model/records.h"

namespace rtl::spool {

inline constexpr uint32_t kKeys = 4;
// of a whole record; the codes of so many words fill 4 bytes
inline constexpr size_t kMostPackedWords = 17;
inline constexpr size_t kMostPackedBytes = kMostPackedWords * 8;
inline constexpr uint16_t kPackedBit = 0x8000;  // a bit of the type
inline constexpr uint32_t kKeyShift = 12;       // position in the type of the number of the key
// offset of the differences
inline constexpr size_t kPackedStart = sizeof(RecordHeader) + sizeof(uint32_t);
// Packing may write this many bytes beyond the place of the whole record.
inline constexpr size_t kPackSlack = 24;

inline uint32_t KeyNumber(uint16_t type, size_t words) {
  return static_cast<uint32_t>((type + words) % kKeys);
}

inline bool IsPacked(RecordHeader head) {
  return (static_cast<uint16_t>(head.type) & kPackedBit) != 0;
}

inline RecordType TypeOfPacked(RecordHeader head) {
  constexpr uint16_t kOther = kPackedBit | (kKeys - 1) << kKeyShift;
  return static_cast<RecordType>(static_cast<uint16_t>(head.type) & ~kOther);
}

inline uint32_t KeyOfPacked(RecordHeader head) {
  return static_cast<uint16_t>(head.type) >> kKeyShift & (kKeys - 1);
}

inline uint64_t LoadWord(const void* from) {
  uint64_t word;
  memcpy(&word, from, sizeof word);
  return word;
}

// Packs a record at `at`, all except its header.
class Packer {
 public:
  explicit Packer(char* at) : at_(at), out_(at + kPackedStart) {}

  // HOT: once per word.
  [[gnu::always_inline]] void Add(uint64_t word, uint64_t key) {
    const uint64_t difference = word - key;
    if (difference != 0) {
      // 1: 2 bytes, 2: 4 bytes, 3: 8 bytes, signed.
      const uint32_t code =
          1u + (difference + 0x8000 > 0xffff) + (difference + 0x8000'0000 > 0xffff'ffff);
      memcpy(out_, &difference, sizeof difference);
      out_ += size_t{1} << code;
      codes_ |= code << shift_;
    }
    shift_ += 2;
  }

  // Returns the size of the packed record.
  [[gnu::always_inline]] size_t Finish() {
    memcpy(at_ + sizeof(RecordHeader), &codes_, sizeof codes_);
    constexpr uint64_t kZeros = 0;  // zeros after the last difference
    memcpy(out_, &kZeros, sizeof kZeros);
    return (static_cast<size_t>(out_ - at_) + 7) & ~size_t{7};
  }

 private:
  char* const at_;
  char* out_;
  uint32_t codes_ = 0;
  uint32_t shift_ = 0;
};

// Unpacks the records of a chunk. Has the chunk's keys and the last unpacked record.
class Unpacker {
 public:
  // Called for each whole record, which may become a key.
  void Keep(const RecordHeader* record, size_t bytes) {
    const size_t words = bytes / 8;
    if (words > kMostPackedWords || words < 2) return;
    memcpy(keys_[KeyNumber(static_cast<uint16_t>(record->type), words)], record, bytes);
  }

  // Unpacks the record at `at`, of which `available` bytes may be read. False if these bytes are
  // impossible. Otherwise *bytes is the packed size, and record() the whole record.
  bool Unpack(const char* at, size_t available, size_t* bytes) {
    const auto head = std::bit_cast<RecordHeader>(LoadWord(at));
    const size_t size = size_t{head.units} * 8;
    const uint64_t* const key = keys_[KeyOfPacked(head)];
    auto whole = std::bit_cast<RecordHeader>(key[0]);
    if (size < 2 * sizeof(uint64_t) || size > available || size > kMostPackedBytes) return false;
    if (whole.type != TypeOfPacked(head) || whole.units == 0) return false;
    whole.thread = head.thread;
    record_[0] = std::bit_cast<uint64_t>(whole);
    uint32_t codes;
    memcpy(&codes, at + sizeof head, sizeof codes);
    size_t from = kPackedStart;
    for (size_t i = 1; i < whole.units; ++i, codes >>= 2) {
      const uint32_t code = codes & 3;
      const size_t width = code == 0 ? 0 : size_t{1} << code;
      if (from + width > size) return false;
      record_[i] = key[i] + Difference(at + from, code);
      from += width;
    }
    *bytes = size;
    return codes == 0;
  }

  const char* record() const { return reinterpret_cast<const char*>(record_); }
  size_t record_bytes() const { return size_t{std::bit_cast<RecordHeader>(record_[0]).units} * 8; }

 private:
  static uint64_t Difference(const char* at, uint32_t code) {
    int64_t difference = 0;
    if (code == 1) {
      int16_t narrow;
      memcpy(&narrow, at, sizeof narrow);
      difference = narrow;
    } else if (code == 2) {
      int32_t narrow;
      memcpy(&narrow, at, sizeof narrow);
      difference = narrow;
    } else if (code == 3) {
      memcpy(&difference, at, sizeof difference);
    }
    return static_cast<uint64_t>(difference);
  }

  uint64_t keys_[kKeys][kMostPackedWords] = {};  // zeros: there is no key
  uint64_t record_[kMostPackedWords] = {};
};

}  // namespace rtl::spool
