// SPDX-License-Identifier: MIT
#include "parquet/encodings.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "parquet/thrift.h"

namespace rtl::parquet {
namespace {

// Packs values of `width` bits each, the lowest bit first. The last byte is padded with zeros.
template <typename Number>
void PackBits(std::span<const Number> values, int width, std::string* out) {
  if (width == 0) return;
  const size_t bytes = (values.size() * static_cast<size_t>(width) + 7) / 8;
  const size_t begin = out->size();
  out->resize(begin + bytes + 8);
  char* to = out->data() + begin;
  uint64_t word = 0;
  int used = 0;
  for (const uint64_t value : values) {
    word |= value << used;
    used += width;
    if (used < 64) continue;
    std::memcpy(to, &word, 8);
    to += 8;
    used -= 64;
    word = used == 0 ? 0 : value >> (width - used);
  }
  std::memcpy(to, &word, 8);
  out->resize(begin + bytes);
}

constexpr size_t kBlock = 128;
constexpr size_t kPart = 32;

// `block`: differences; the first `count` are those of values, the rest is padding.
void PutBlock(std::span<uint64_t, kBlock> block, size_t count, std::string* out) {
  int64_t least = std::numeric_limits<int64_t>::max();
  for (size_t i = 0; i < count; ++i) least = std::min(least, static_cast<int64_t>(block[i]));
  PutZigzag(least, out);
  int widths[kBlock / kPart] = {};
  for (size_t i = 0; i < count; ++i) block[i] -= static_cast<uint64_t>(least);
  std::fill(block.begin() + static_cast<std::ptrdiff_t>(count), block.end(), 0);
  for (size_t part = 0; part < kBlock / kPart; ++part) {
    uint64_t all = 0;
    for (size_t i = 0; i < kPart; ++i) all |= block[part * kPart + i];
    widths[part] = std::bit_width(all);
    out->push_back(static_cast<char>(widths[part]));
  }
  for (size_t part = 0; part * kPart < count; ++part) {
    PackBits(std::span<const uint64_t>(block).subspan(part * kPart, kPart), widths[part], out);
  }
}

}  // namespace

void PutDeltas(std::span<const int64_t> values, std::string* out) {
  PutVarint(kBlock, out);
  PutVarint(kBlock / kPart, out);
  PutVarint(values.size(), out);
  PutZigzag(values.empty() ? 0 : values[0], out);
  uint64_t block[kBlock];
  for (size_t at = 1; at < values.size(); at += kBlock) {
    const size_t count = std::min(kBlock, values.size() - at);
    for (size_t i = 0; i < count; ++i) {
      block[i] = static_cast<uint64_t>(values[at + i]) - static_cast<uint64_t>(values[at + i - 1]);
    }
    PutBlock(block, count, out);
  }
}

void PutRuns(std::span<const uint32_t> values, int width, std::string* out) {
  size_t first = 0;  // index of the first value that is not yet written
  const auto put_groups = [&](size_t end) {
    if (first == end) return;
    const size_t count = end - first;
    PutVarint((count + 7) / 8 << 1 | 1, out);
    const size_t whole = count / 8 * 8;
    PackBits(values.subspan(first, whole), width, out);
    if (whole < count) {
      uint32_t last[8] = {};
      std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(first + whole), count - whole, last);
      PackBits(std::span<const uint32_t>(last), width, out);
    }
    first = end;
  };
  for (size_t at = 0; at < values.size();) {
    size_t end = at + 1;
    while (end < values.size() && values[end] == values[at]) ++end;
    // Number of values that complete the last group.
    const size_t to_group = (8 - (at - first) % 8) % 8;
    if (end - at < to_group + 8) {
      at = end;
      continue;
    }
    put_groups(at + to_group);
    PutVarint((end - first) << 1, out);
    for (int bits = 0; bits < width; bits += 8) {
      out->push_back(static_cast<char>(values[at] >> bits));
    }
    first = at = end;
  }
  put_groups(values.size());
}

namespace {

// Reads `width` bits, beginning at the bit `at`.
uint64_t BitsAt(const char* bytes, size_t at, int width) {
  const char* const from = bytes + at / 8;
  const size_t shift = at % 8;
  uint64_t word = 0;
  std::memcpy(&word, from, 8);
  uint64_t value = word >> shift;
  if (shift + static_cast<size_t>(width) > 64) {
    value |= static_cast<uint64_t>(static_cast<uint8_t>(from[8])) << (64 - shift);
  }
  return width == 64 ? value : value & ((uint64_t{1} << width) - 1);
}

}  // namespace

bool TakeDeltas(std::string_view bytes, std::span<int64_t> out) {
  ThriftReader in(bytes);  // Thrift has the same varints
  const uint64_t block = in.Varint();
  const uint64_t parts = in.Varint();
  const uint64_t count = in.Varint();
  auto last = static_cast<uint64_t>(in.Zigzag());
  if (!in.ok() || count != out.size() || parts == 0 || parts > block || block > 65536) return false;
  const size_t per_part = block / parts;
  if (per_part * parts != block || per_part % 8 != 0) return false;
  if (out.empty()) return true;
  out[0] = static_cast<int64_t>(last);
  for (size_t at = 1; at < count;) {
    const auto least = static_cast<uint64_t>(in.Zigzag());
    const std::string_view widths = in.Consume(parts);
    for (size_t part = 0; part < parts && at < count; ++part) {
      const int width = in.ok() ? static_cast<uint8_t>(widths[part]) : 65;
      if (width > 64) return false;
      const std::string_view packed = in.Consume(per_part / 8 * static_cast<size_t>(width));
      if (!in.ok()) return false;
      const size_t end = std::min<size_t>(count, at + per_part);
      for (size_t bit = 0; at < end; ++at, bit += static_cast<size_t>(width)) {
        last += least + BitsAt(packed.data(), bit, width);
        out[at] = static_cast<int64_t>(last);
      }
    }
  }
  return in.ok();
}

bool TakeRuns(std::string_view bytes, int width, std::span<uint32_t> out) {
  if (width < 0 || width > 32) return false;
  ThriftReader in(bytes);
  for (size_t at = 0; at < out.size();) {
    const uint64_t head = in.Varint();
    if (!in.ok()) return false;
    if ((head & 1) == 0) {
      const std::string_view value = in.Consume((static_cast<size_t>(width) + 7) / 8);
      if (!in.ok() || head == 0) return false;
      const auto number = static_cast<uint32_t>(width == 0 ? 0 : BitsAt(value.data(), 0, width));
      const size_t count = std::min<uint64_t>(head >> 1, out.size() - at);
      std::fill_n(out.begin() + static_cast<std::ptrdiff_t>(at), count, number);
      at += count;
      continue;
    }
    const size_t groups = std::min<uint64_t>(head >> 1, (out.size() - at + 7) / 8);
    const std::string_view packed = in.Consume(groups * static_cast<size_t>(width));
    if (!in.ok() || groups == 0) return false;
    const size_t end = std::min(out.size(), at + groups * 8);
    for (size_t bit = 0; at < end; ++at, bit += static_cast<size_t>(width)) {
      out[at] = static_cast<uint32_t>(width == 0 ? 0 : BitsAt(packed.data(), bit, width));
    }
  }
  return true;
}

int WidthOf(size_t count) { return count < 2 ? 0 : std::bit_width(count - 1); }

bool Dictionary::Fill(std::span<const int64_t> values, size_t most) {
  values_.clear();
  positions_.resize(values.size());
  slots_.assign(256, 0);
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0 && values[i] == values[i - 1]) {
      positions_[i] = positions_[i - 1];
      continue;
    }
    positions_[i] = PositionOf(values[i]);
    if (values_.size() > most) return false;
  }
  return true;
}

uint32_t Dictionary::PositionOf(int64_t value) {
  if (values_.size() * 2 >= slots_.size()) Grow();
  const uint64_t hash = static_cast<uint64_t>(value) * 0x9e3779b97f4a7c15U;
  const size_t mask = slots_.size() - 1;
  for (size_t slot = hash >> 32 & mask;; slot = (slot + 1) & mask) {
    if (slots_[slot] == 0) {
      values_.push_back(value);
      slots_[slot] = static_cast<uint32_t>(values_.size());
      return slots_[slot] - 1;
    }
    if (values_[slots_[slot] - 1] == value) return slots_[slot] - 1;
  }
}

void Dictionary::Grow() {
  const std::vector<int64_t> values = std::move(values_);
  slots_.assign(slots_.size() * 4, 0);
  values_.clear();
  values_.reserve(values.size() * 2);
  for (const int64_t value : values) PositionOf(value);
}

}  // namespace rtl::parquet
