// SPDX-License-Identifier: MIT
// proto_message.h: reads the fields of a message in protobuf's encoding one after the other. The
// bytes are not trusted.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace rtl::import {

struct ProtoField {
  uint32_t number = 0;
  uint64_t value = 0;           // a number of any width
  std::string_view bytes = {};  // a text or a message
  bool is_bytes = false;

  double Double() const {
    double number_value = 0;
    memcpy(&number_value, &value, sizeof number_value);
    return number_value;
  }
};

class ProtoMessage {
 public:
  explicit ProtoMessage(std::string_view bytes) : rest_(bytes) {}

  // False: the message has ended, or its bytes are damaged.
  bool Next(ProtoField* field) {
    uint64_t key = 0;
    if (rest_.empty() || !Varint(&key)) return false;
    field->number = static_cast<uint32_t>(key >> 3);
    field->is_bytes = (key & 7) == 2;
    field->bytes = {};
    field->value = 0;
    if (field->number == 0 || key >> 32 != 0) return Damaged();
    switch (key & 7) {
      case 0:
        return Varint(&field->value);
      case 1:
        return Fixed(8, &field->value);
      case 2: {
        uint64_t length = 0;
        if (!Varint(&length)) return false;
        if (length > rest_.size()) return Damaged();
        field->bytes = rest_.substr(0, length);
        rest_.remove_prefix(length);
        return true;
      }
      case 5:
        return Fixed(4, &field->value);
      default:
        return Damaged();
    }
  }
  bool damaged() const { return damaged_; }

 private:
  bool Damaged() {
    damaged_ = true;
    return false;
  }
  bool Varint(uint64_t* value) {
    *value = 0;
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      *value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return true;
    }
    return Damaged();
  }
  bool Fixed(size_t bytes, uint64_t* value) {
    if (rest_.size() < bytes) return Damaged();
    memcpy(value, rest_.data(), bytes);
    rest_.remove_prefix(bytes);
    return true;
  }

  std::string_view rest_;
  bool damaged_ = false;
};

}  // namespace rtl::import
