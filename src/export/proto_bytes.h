// SPDX-License-Identifier: MIT
// proto_bytes.h: writes protobuf into memory with enough room. For the few packets that occur by
// the million; rare packets use a library.
//
// Memory     none of its own; every call may write up to kSlack bytes beyond those that it adds
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace rtl::exporting {

static_assert(std::endian::native == std::endian::little, "numbers are stored as they lie");

enum class Wire : uint32_t { kVarint = 0, kFixed64 = 1, kBytes = 2 };

// The key of a field, which is before the field's value.
template <typename Field>
constexpr uint32_t KeyOf(Field field, Wire wire) {
  return static_cast<uint32_t>(field) << 3 | static_cast<uint32_t>(wire);
}

constexpr size_t VarintSize(uint64_t value) {
  return (static_cast<size_t>(std::bit_width(value | 1)) + 6) / 7;
}

class ProtoBytes {
 public:
  static constexpr size_t kSlack = 8;
  static constexpr size_t kMaxVarint = 10;

  explicit ProtoBytes(char* at) : at_(at) {}
  char* end() const { return at_; }

  void Varint(uint64_t value) {
    while (value >= kOneStore) {  // large values are mostly times
      Put(Spread(static_cast<uint32_t>(value & (kOneStore - 1))) | 0x80808080u, 4);
      value >>= 28;
    }
    const size_t size = VarintSize(value);
    const uint32_t more = 0x80808080u & ((uint32_t{1} << (8 * (size - 1))) - 1);
    Put(Spread(static_cast<uint32_t>(value)) | more, size);
  }

  template <typename Field>
  void Number(Field field, uint64_t value) {
    Key<Field>(field, Wire::kVarint);
    Varint(value);
  }

  template <typename Field>
  void Fixed64(Field field, uint64_t value) {
    Key<Field>(field, Wire::kFixed64);
    Put(value, sizeof value);
  }

  template <typename Field>
  void Text(Field field, const char* text, size_t size) {
    Key<Field>(field, Wire::kBytes);
    Varint(size);
    Copy(text, size);
  }

  void Copy(const char* bytes, size_t size) {
    if (size == 0) return;  // `bytes` may be null
    std::memcpy(at_, bytes, size);
    at_ += size;
  }

  template <typename Field>
  void Key(Field field, Wire wire) {
    const uint32_t key = KeyOf(field, wire);
    if (key < 0x80) {
      Put(key, 1);
    } else {
      Put((key & 0x7F) | 0x80 | (key >> 7) << 8, 2);
    }
  }

  // Begins a message whose length takes `length_bytes` bytes. The length is known when the message
  // is closed.
  template <typename Field>
  char* Open(Field field, size_t length_bytes) {
    Key(field, Wire::kBytes);
    return at_ += length_bytes;
  }
  void CloseShort(char* begin) { begin[-1] = static_cast<char>(at_ - begin); }
  void Close(char* begin) {
    const auto size = static_cast<uint32_t>(at_ - begin);
    begin[-2] = static_cast<char>(size | 0x80);
    begin[-1] = static_cast<char>(size >> 7);
  }

  // Writes the first `size` bytes of a value, which has at most kSlack bytes.
  template <typename Unsigned>
  void Put(Unsigned bytes, size_t size) {
    static_assert(sizeof bytes <= kSlack);
    std::memcpy(at_, &bytes, sizeof bytes);
    at_ += size;
  }

 private:
  static constexpr uint64_t kOneStore = uint64_t{1} << 28;

  // Puts seven bits into each byte, without a branch, because the number of bytes is hard to
  // predict.
  static uint32_t Spread(uint32_t bits) {
    return (bits & 0x7F) | (bits & 0x3F80) << 1 | (bits & 0x1FC000) << 2 | (bits & 0xFE00000) << 3;
  }

  char* at_;
};

}  // namespace rtl::exporting
