// SPDX-License-Identifier: MIT
// encodings.h: Parquet's encodings of integers, appended to a string, and read from bytes that are
// not trusted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rtl::parquet {

// DELTA_BINARY_PACKED: blocks of 128 differences in four parts, each with a width of its own.
void PutDeltas(std::span<const int64_t> values, std::string* out);

// RLE: runs of equal values, others in groups of eight of `width` bits each.
void PutRuns(std::span<const uint32_t> values, int width, std::string* out);

// Numbers of the format.
enum Encoding { kPlain = 0, kRle = 3, kDelta = 5, kDictionary = 8 };
enum PageType { kDataPage = 0, kDictionaryPage = 2 };
inline constexpr int kZstd = 6;

// Read as many values as `out` has. False: `bytes` has not as many. Memory: kPadding bytes after
// `bytes` can be read.
inline constexpr size_t kPadding = 16;
bool TakeDeltas(std::string_view bytes, std::span<int64_t> out);
bool TakeRuns(std::string_view bytes, int width, std::span<uint32_t> out);

// The bits of the greatest of `count` positions.
int WidthOf(size_t count);

// Numbers the different values of a column in the order of their first occurrence.
//
// Memory     kept from one column to the next
class Dictionary {
 public:
  // Takes `values`; false, and useless, when more than `most` of them differ.
  bool Take(std::span<const int64_t> values, size_t most);

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
