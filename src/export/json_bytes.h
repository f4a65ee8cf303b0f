// SPDX-License-Identifier: MIT
// json_bytes.h: writes JSON into memory that grows. For the few shapes that occur by the million.
//
// Memory     as much as the longest text so far
#pragma once

#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace rtl::exporting {

class JsonBytes {
 public:
  std::string_view text() const { return {bytes_.data(), used_}; }
  void Clear() { used_ = 0; }

  void Raw(std::string_view text) {
    char* const at = Room(text.size());
    memcpy(at, text.data(), text.size());
    used_ += text.size();
  }
  void Number(uint64_t value) {
    char* const at = Room(kMostDigits);
    used_ += static_cast<size_t>(std::to_chars(at, at + kMostDigits, value).ptr - at);
  }
  // Writes for example `,"key":12`; `key` includes all text before the number.
  void Field(std::string_view key, uint64_t value) {
    Raw(key);
    Number(value);
  }
  // Writes nanoseconds as microseconds.
  void Time(uint64_t nanoseconds) {
    Number(nanoseconds / 1000);
    const auto rest = static_cast<uint32_t>(nanoseconds % 1000);
    char* const at = Room(4);
    at[0] = '.';
    at[1] = static_cast<char>('0' + rest / 100);
    at[2] = static_cast<char>('0' + rest / 10 % 10);
    at[3] = static_cast<char>('0' + rest % 10);
    used_ += 4;
  }
  // `text` must be UTF-8.
  void Quoted(std::string_view text) {
    Raw("\"");
    for (const char c : text) Character(c);
    Raw("\"");
  }

 private:
  static constexpr size_t kMostDigits = 20;

  char* Room(size_t bytes) {
    if (bytes_.size() - used_ < bytes) [[unlikely]]
      bytes_.resize(bytes_.size() * 2 + bytes);
    return bytes_.data() + used_;
  }
  void Character(char c) {
    constexpr char kDigits[] = "0123456789abcdef";
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      const char escaped[] = {'\\', c};
      Raw({escaped, 2});
    } else if (code >= 0x20) {
      *Room(1) = c;
      ++used_;
    } else {
      const char escaped[] = {'\\', 'u', '0', '0', kDigits[code >> 4], kDigits[code & 15]};
      Raw({escaped, 6});
    }
  }

  std::vector<char> bytes_ = std::vector<char>(1024);
  size_t used_ = 0;
};

}  // namespace rtl::exporting
