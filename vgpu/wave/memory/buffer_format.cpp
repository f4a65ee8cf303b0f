// SPDX-License-Identifier: MIT
#include "vgpu/wave/memory/buffer_format.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "vgpu/wave/memory_words.h"
#include "vgpu/wave/valu/valu_math.h"

namespace vgpu {
namespace {

constexpr uint32_t kOne = 1;  // the selection of the constant 1
constexpr uint32_t kFirstComponent = 4;

struct Form {
  uint32_t components, bits;
};
// By the data format of the descriptor. Forms without components are packed, or do not exist.
constexpr Form kForms[16] = {{0, 0}, {1, 8}, {1, 16}, {2, 8},  {1, 32}, {2, 16}, {0, 0},  {0, 0},
                             {0, 0}, {0, 0}, {4, 8},  {2, 32}, {4, 16}, {3, 32}, {4, 32}, {0, 0}};

// An element of at most 16 bytes, as memory has it. It is read and written at once.
class Element {
 public:
  explicit Element(const BufferFormat& format) : format_(format) {}

  void Load(const uint8_t* memory) {
    const uint32_t bytes = format_.Bytes();
    if (bytes % sizeof(uint32_t) == 0) return LoadDwords(memory, words_, bytes / sizeof(uint32_t));
    words_[0] = bytes == 1 ? LoadWord<uint8_t>(memory) : LoadWord<uint16_t>(memory);
  }
  void Store(uint8_t* memory) const {
    const uint32_t bytes = format_.Bytes();
    if (bytes % sizeof(uint32_t) == 0) return StoreDwords(memory, words_, bytes / sizeof(uint32_t));
    if (bytes == 1) return StoreWord<uint8_t>(memory, static_cast<uint8_t>(words_[0]));
    StoreWord<uint16_t>(memory, static_cast<uint16_t>(words_[0]));
  }

  uint32_t Get(uint32_t component) const {
    const uint32_t at = component * format_.bits;
    return words_[at / 32] >> at % 32 & Mask();
  }
  void Set(uint32_t component, uint32_t value) {
    const uint32_t at = component * format_.bits;
    words_[at / 32] |= (value & Mask()) << at % 32;
  }

 private:
  uint32_t Mask() const { return ~0u >> (32 - format_.bits); }

  const BufferFormat& format_;
  uint32_t words_[4] = {};
};

int32_t SignExtended(uint32_t value, uint32_t bits) {
  return static_cast<int32_t>(value << (32 - bits)) >> (32 - bits);
}

uint32_t FloatBits(double value) { return std::bit_cast<uint32_t>(static_cast<float>(value)); }

// The largest value of so many bits.
double Limit(uint32_t bits) { return std::ldexp(1.0, static_cast<int>(bits)) - 1; }

uint32_t Expand(const BufferFormat& format, uint32_t raw) {
  const uint32_t bits = format.bits;
  const int32_t with_sign = SignExtended(raw, bits);
  switch (format.number) {
    case NumberFormat::kUnsigned:
      return raw;
    case NumberFormat::kSigned:
      return static_cast<uint32_t>(with_sign);
    case NumberFormat::kUnsignedScaled:
      return FloatBits(raw);
    case NumberFormat::kSignedScaled:
      return FloatBits(with_sign);
    case NumberFormat::kUnsignedNormalized:
      return FloatBits(raw / Limit(bits));
    case NumberFormat::kSignedNormalized:
      return FloatBits(std::max(with_sign / Limit(bits - 1), -1.0));
    case NumberFormat::kFloat:
      break;
  }
  if (bits == 32) return raw;
  return FloatOfHalf(raw);
}

uint32_t Narrow(const BufferFormat& format, uint32_t value) {
  const uint32_t bits = format.bits;
  const auto number = static_cast<double>(std::bit_cast<float>(value));
  const double finite = std::isnan(number) ? 0 : number;
  switch (format.number) {
    case NumberFormat::kUnsignedNormalized:
      return static_cast<uint32_t>(std::nearbyint(std::clamp(finite, 0.0, 1.0) * Limit(bits)));
    case NumberFormat::kSignedNormalized:
      return static_cast<uint32_t>(
          static_cast<int64_t>(std::nearbyint(std::clamp(finite, -1.0, 1.0) * Limit(bits - 1))));
    case NumberFormat::kUnsignedScaled:
      return static_cast<uint32_t>(std::clamp(finite, 0.0, Limit(bits)));
    case NumberFormat::kSignedScaled:
      return static_cast<uint32_t>(
          static_cast<int64_t>(std::clamp(finite, -Limit(bits - 1) - 1, Limit(bits - 1))));
    case NumberFormat::kUnsigned:
    case NumberFormat::kSigned:
      return value;
    case NumberFormat::kFloat:
      break;
  }
  if (bits == 32) return value;
  return HalfBits(value);
}

}  // namespace

uint32_t HalfBits(uint32_t single) {
  return std::bit_cast<uint16_t>(valu::ToHalf(std::bit_cast<float>(single)));
}

uint32_t FloatOfHalf(uint32_t half) {
  const auto value = std::bit_cast<valu::Half>(static_cast<uint16_t>(half));
  return std::bit_cast<uint32_t>(static_cast<float>(value));
}

std::optional<BufferFormat> FormatOf(uint32_t word3) {
  const Form form = kForms[word3 >> 15 & 15];
  const auto number = static_cast<NumberFormat>(word3 >> 12 & 7);
  constexpr uint8_t kReserved = 6;
  if (form.components == 0 || static_cast<uint8_t>(number) == kReserved) return std::nullopt;
  if (number == NumberFormat::kFloat && form.bits == 8) return std::nullopt;
  BufferFormat format = {form.components, form.bits, number, {}};
  for (int i = 0; i < 4; ++i) format.select[i] = word3 >> (3 * i) & 7;
  return format;
}

void ReadElement(const BufferFormat& format, const uint8_t* memory, uint32_t out[4]) {
  const uint32_t one = format.IsInteger() ? 1 : FloatBits(1);
  uint32_t components[4] = {0, 0, 0, one};
  Element element(format);
  element.Load(memory);
  for (uint32_t i = 0; i < format.components; ++i) {
    components[i] = Expand(format, element.Get(i));
  }
  for (int i = 0; i < 4; ++i) {
    const uint32_t select = format.select[i];
    if (select >= kFirstComponent) {
      out[i] = components[select - kFirstComponent];
    } else {
      out[i] = select == kOne ? one : 0;
    }
  }
}

void WriteElement(const BufferFormat& format, const uint32_t in[4], uint8_t* memory) {
  Element element(format);
  for (uint32_t i = 0; i < format.components; ++i) element.Set(i, Narrow(format, in[i]));
  element.Store(memory);
}

}  // namespace vgpu
