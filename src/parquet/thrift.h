// SPDX-License-Identifier: MIT
// thrift.h: the compact protocol of Thrift, in which Parquet keeps its headers and its footer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rtl::parquet {

enum class ThriftType : uint8_t {
  kTrue = 1,
  kFalse = 2,
  kByte = 3,
  kI16 = 4,
  kI32 = 5,
  kI64 = 6,
  kDouble = 7,
  kBinary = 8,
  kList = 9,
  kSet = 10,
  kMap = 11,
  kStruct = 12,
  kUuid = 13,
};

inline void PutVarint(uint64_t value, std::string* out) {
  for (; value >= 128; value >>= 7) out->push_back(static_cast<char>(value | 128));
  out->push_back(static_cast<char>(value));
}

inline void PutZigzag(int64_t value, std::string* out) {
  PutVarint(static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63), out);
}

// Fields of a struct are written in the order of their ids.
class ThriftWriter {
 public:
  void I32(int id, int64_t value) {
    Field(id, ThriftType::kI32);
    PutZigzag(value, &bytes_);
  }
  void I64(int id, int64_t value) {
    Field(id, ThriftType::kI64);
    PutZigzag(value, &bytes_);
  }
  void Binary(int id, std::string_view value) {
    Field(id, ThriftType::kBinary);
    Text(value);
  }
  void List(int id, ThriftType element, size_t count);
  // Elements of a list.
  void Text(std::string_view value) {
    PutVarint(value.size(), &bytes_);
    bytes_ += value;
  }
  void Number(int64_t value) { PutZigzag(value, &bytes_); }
  // A struct: a field of another, or an element or a whole message without a field.
  void Begin(int id) {
    Field(id, ThriftType::kStruct);
    BeginElement();
  }
  void BeginElement() { last_.push_back(0); }
  void End() {
    bytes_.push_back('\0');
    last_.pop_back();
  }
  // Elements that another writer has written.
  void Append(std::string_view bytes) { bytes_ += bytes; }

  const std::string& bytes() const { return bytes_; }

 private:
  void Field(int id, ThriftType type);

  std::string bytes_;
  std::vector<int> last_{0};  // the last id of each open struct
};

// Reads bytes that are not trusted: after the first error every value is zero and ok() is false.
class ThriftReader {
 public:
  explicit ThriftReader(std::string_view bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }
  size_t left() const { return bytes_.size(); }
  uint64_t Varint();
  int64_t Zigzag();
  std::string_view Binary();
  // The next `count` bytes.
  std::string_view Take(size_t count);
  // The next field of a struct: false at its end. `last` is the id before, zero at the beginning.
  bool Field(int* last, ThriftType* type);
  // The number of elements, at most one for each byte left.
  size_t List(ThriftType* element);
  // Passes over a value. `depth` limits structs in structs.
  void Skip(ThriftType type, int depth = 0);

 private:
  uint8_t Byte();

  std::string_view bytes_;
  bool ok_ = true;
};

}  // namespace rtl::parquet
