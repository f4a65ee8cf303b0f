// SPDX-License-Identifier: MIT
// operands.h: the value of a scalar source operand (any code below 256).
//
// The decoder refuses instructions with reserved operand codes, so that reading cannot fail.
#pragma once

#include <cstdint>

#include "vgpu/wave/instruction.h"
#include "vgpu/wave/wave.h"

namespace vgpu {

// The apertures of gfx9: bits 32-63 of an address in group (LDS) or private (scratch) memory.
constexpr uint32_t kSharedApertureHigh = 0x10000;
constexpr uint32_t kPrivateApertureHigh = 0x20000;

// True for the codes ReadScalar32 knows. `code` is below 256.
bool IsScalarOperand(uint32_t code);

// Reads codes 128-255. Not inline, so that ReadScalar32 stays short.
uint32_t ReadConstant32(const Wave& wave, const Instruction& instruction, uint32_t code);

inline uint32_t ReadScalar32(const Wave& wave, const Instruction& instruction, uint32_t code) {
  if (code < kOperandInlineFirst) return wave.sgpr[code];
  return ReadConstant32(wave, instruction, code);
}

// A 64-bit integer or untyped operand: a register pair, a sign-extended inline integer, the bits of
// an inline float as a double (s_mov_b64 s[0:1], 1.0), or a literal (zero-extended).
uint64_t ReadScalar64(const Wave& wave, const Instruction& instruction, uint32_t code);

// The bits of a 64-bit float operand: as ReadScalar64, except that a literal is the high half.
uint64_t ReadScalarF64(const Wave& wave, const Instruction& instruction, uint32_t code);

// A 16-bit float operand: inline floats become halves.
uint32_t ReadScalarF16(const Wave& wave, const Instruction& instruction, uint32_t code);

// A register, or a pair of them, as a T of 4 or 8 bytes.
template <class T>
inline T ReadSgpr(const Wave& wave, uint32_t code) {
  if constexpr (sizeof(T) == 8) return static_cast<T>(wave.Sgpr64(code));
  return static_cast<T>(wave.sgpr[code]);
}
template <class T>
inline void WriteSgpr(Wave& wave, uint32_t code, T value) {
  if constexpr (sizeof(T) == 8) {
    wave.SetSgpr64(code, static_cast<uint64_t>(value));
  } else {
    wave.sgpr[code] = static_cast<uint32_t>(value);
  }
}

// A source operand, as a T of 4 or 8 bytes.
template <class T>
inline T ReadSource(const Wave& wave, const Instruction& instruction, int source) {
  const uint32_t code = instruction.src[source];
  if constexpr (sizeof(T) == 8) return static_cast<T>(ReadScalar64(wave, instruction, code));
  return static_cast<T>(ReadScalar32(wave, instruction, code));
}

}  // namespace vgpu
