// SPDX-License-Identifier: MIT
// buffer_format.h: converts elements of typed buffers between memory and registers. An element has
// one to four components, whose form the descriptor names.
//
// Threads    any
#pragma once

#include <cstdint>
#include <optional>

namespace vgpu {

enum class NumberFormat : uint8_t {
  kUnsignedNormalized = 0,  // 0 to 1
  kSignedNormalized = 1,    // -1 to 1
  kUnsignedScaled = 2,      // whole numbers that become floats
  kSignedScaled = 3,
  kUnsigned = 4,
  kSigned = 5,
  kFloat = 7,
};

struct BufferFormat {
  uint32_t components;
  uint32_t bits;  // of each: 8, 16 or 32
  NumberFormat number;
  uint8_t select[4];  // for x, y, z and w of a load: 0 and 1 are constants, n is component n - 4

  uint32_t Bytes() const { return components * bits / 8; }
  bool IsInteger() const {
    return number == NumberFormat::kUnsigned || number == NumberFormat::kSigned;
  }
};

// From the fourth word of a buffer's descriptor. nullopt for forms that are not modelled: packed
// ones, and 8 bits of float.
std::optional<BufferFormat> FormatOf(uint32_t word3);

// Reads an element. Components arrive as in registers of 32 bits: as integers, or as floats.
void ReadElement(const BufferFormat& format, const uint8_t* memory, uint32_t out[4]);
// Writes an element from as many values of `in` as the format has components.
void WriteElement(const BufferFormat& format, const uint32_t in[4], uint8_t* memory);

// Convert between float and half precision, as bits.
uint32_t HalfBits(uint32_t single);
uint32_t FloatOfHalf(uint32_t half);

}  // namespace vgpu
