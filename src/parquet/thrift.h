// SPDX-License-Identifier: MIT
// thrift.h: writes and reads the compact protocol of Thrift, which Parquet uses for headers and
// footers.
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

// Fields of a struct must be written in the order of their ids.
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
  // An element of a list.
  void Text(std::string_view value) {
    PutVarint(value.size(), &bytes_);
    bytes_ += value;
  }
  void Number(int64_t value) { PutZigzag(value, &bytes_); }
  // Begins a struct, as a field of another struct. BeginElement: as an element of a list, or as the
  // outermost one.
  void Begin(int id) {
    Field(id, ThriftType::kStruct);
    BeginElement();
  }
  void BeginElement() { last_.push_back(0); }
  void End() {
    bytes_.push_back('\0');
    last_.pop_back();
  }
  // Appends elements that another writer has made.
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
  std::string_view Consume(size_t count);
  // Reads the head of the next field of a struct. False: the struct has ended. `last`: the id of
  // the field before; zero at first.
  bool Field(int* last, ThriftType* type);
  // Calls visit(id, type) for each field of a struct. Fields for which it returns false are
  // skipped.
  template <typename Visit>
  void EachField(const Visit& visit) {
    int id = 0;
    ThriftType type{};
    while (Field(&id, &type)) {
      if (!visit(id, type)) Skip(type);
    }
  }
  // Calls `visit` for each element of a list that has this type. Others are skipped.
  template <typename Visit>
  void EachElement(ThriftType type, const Visit& visit) {
    ThriftType element{};
    const size_t count = List(&element);
    for (size_t i = 0; i < count && ok_; ++i) {
      if (element == type) {
        visit();
      } else {
        Skip(element);
      }
    }
  }
  // Reads the head of a list. Returns the number of elements, limited to the number of bytes left.
  size_t List(ThriftType* element);
  // Skips a value. `depth`: the number of structs around it, which is limited.
  void Skip(ThriftType type, int depth = 0);

 private:
  uint8_t Byte();

  std::string_view bytes_;
  bool ok_ = true;
};

}  // namespace rtl::parquet
