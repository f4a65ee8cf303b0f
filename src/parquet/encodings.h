// SPDX-License-Identifier: MIT
// encodings.h: writes and reads Parquet's encodings of integers. The bytes read are not trusted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rtl::parquet {

// DELTA_BINARY_PACKED: blocks of 128 differences. Each quarter of a block has its own bit width.
void PutDeltas(std::span<const int64_t> values, std::string* out);

// RLE: runs of equal values, and groups of eight values of `width` bits each.
void PutRuns(std::span<const uint32_t> values, int width, std::string* out);

// Numbers from the Parquet format.
enum Encoding { kPlain = 0, kRle = 3, kDelta = 5, kDictionary = 8 };
enum PageType { kDataPage = 0, kDictionaryPage = 2 };
inline constexpr int kZstd = 6;

// Read as many values as `out` has. False: `bytes` has fewer. The kPadding bytes after `bytes` must
// be readable memory.
inline constexpr size_t kPadding = 16;
bool TakeDeltas(std::string_view bytes, std::span<int64_t> out);
bool TakeRuns(std::string_view bytes, int width, std::span<uint32_t> out);

// The number of bits that a position below `count` needs.
int WidthOf(size_t count);

// Numbers the different values of a column in the order of their first occurrence.
//
// Memory     kept for the next column
class Dictionary {
 public:
  // Numbers the values. False: more than `most` of them differ, and the dictionary cannot be used.
  bool Fill(std::span<const int64_t> values, size_t most);

  const std::vector<int64_t>& values() const { return values_; }
  const std::vector<uint32_t>& positions() const { return positions_; }

 private:
  uint32_t PositionOf(int64_t value);
  void Grow();

  std::vector<int64_t> values_;
  std::vector<uint32_t> positions_;
  std::vector<uint32_t> slots_;  // 1 + a position in values_; 0: free
};

}  // namespace rtl::parquet
