// SPDX-License-Identifier: MIT
#include "parquet/thrift.h"

namespace rtl::parquet {

void ThriftWriter::Field(int id, ThriftType type) {
  const int step = id - last_.back();
  if (step > 0 && step < 16) {
    bytes_.push_back(static_cast<char>(step << 4 | static_cast<int>(type)));
  } else {
    bytes_.push_back(static_cast<char>(type));
    PutZigzag(id, &bytes_);
  }
  last_.back() = id;
}

void ThriftWriter::List(int id, ThriftType element, size_t count) {
  Field(id, ThriftType::kList);
  if (count < 15) {
    bytes_.push_back(static_cast<char>(count << 4 | static_cast<size_t>(element)));
    return;
  }
  bytes_.push_back(static_cast<char>(0xf0 | static_cast<int>(element)));
  PutVarint(count, &bytes_);
}

uint8_t ThriftReader::Byte() {
  if (bytes_.empty()) {
    ok_ = false;
    return 0;
  }
  const auto byte = static_cast<uint8_t>(bytes_.front());
  bytes_.remove_prefix(1);
  return byte;
}

std::string_view ThriftReader::Consume(size_t count) {
  if (count > bytes_.size()) ok_ = false;
  if (!ok_) return {};
  const std::string_view taken = bytes_.substr(0, count);
  bytes_.remove_prefix(count);
  return taken;
}

uint64_t ThriftReader::Varint() {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const uint8_t byte = Byte();
    value |= static_cast<uint64_t>(byte & 127) << shift;
    if (byte < 128) return ok_ ? value : 0;
  }
  ok_ = false;
  return 0;
}

int64_t ThriftReader::Zigzag() {
  const uint64_t value = Varint();
  return static_cast<int64_t>(value >> 1 ^ (~(value & 1) + 1));
}

std::string_view ThriftReader::Binary() { return Consume(Varint()); }

bool ThriftReader::Field(int* last, ThriftType* type) {
  const uint8_t head = Byte();
  if (head == 0 || !ok_) return false;
  *type = static_cast<ThriftType>(head & 15);
  const int64_t id = head >> 4 != 0 ? *last + (head >> 4) : Zigzag();
  if (id <= 0 || id > 32767) ok_ = false;
  *last = static_cast<int>(id);
  return ok_;
}

size_t ThriftReader::List(ThriftType* element) {
  const uint8_t head = Byte();
  *element = static_cast<ThriftType>(head & 15);
  const uint64_t count = head >> 4 == 15 ? Varint() : head >> 4;
  if (count > bytes_.size()) ok_ = false;
  return ok_ ? count : 0;
}

void ThriftReader::Skip(ThriftType type, int depth) {
  if (depth > 16) ok_ = false;
  if (!ok_) return;
  switch (type) {
    case ThriftType::kTrue:
    case ThriftType::kFalse:
      return;
    case ThriftType::kByte:
      Consume(1);
      return;
    case ThriftType::kI16:
    case ThriftType::kI32:
    case ThriftType::kI64:
      Varint();
      return;
    case ThriftType::kDouble:
      Consume(8);
      return;
    case ThriftType::kBinary:
      Binary();
      return;
    case ThriftType::kUuid:
      Consume(16);
      return;
    case ThriftType::kList:
    case ThriftType::kSet: {
      ThriftType element{};
      const size_t count = List(&element);
      // A boolean takes a byte in a list, and none in a struct.
      const bool is_flag = element == ThriftType::kTrue || element == ThriftType::kFalse;
      for (size_t i = 0; i < count && ok_; ++i) {
        Skip(is_flag ? ThriftType::kByte : element, depth + 1);
      }
      return;
    }
    case ThriftType::kStruct:
      return EachField([&](int, ThriftType field) {
        Skip(field, depth + 1);
        return true;
      });
    case ThriftType::kMap:  // Parquet has no maps
      break;
  }
  ok_ = false;
}

}  // namespace rtl::parquet
