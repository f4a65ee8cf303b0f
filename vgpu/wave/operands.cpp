// SPDX-License-Identifier: MIT
#include "vgpu/wave/operands.h"

#include <array>

namespace vgpu {
namespace {

constexpr uint32_t kLastPositive = 192;  // 129-192 are 1-64
constexpr uint32_t kLastNegative = 208;  // 193-208 are -1 to -16
constexpr uint32_t kSharedLimit = kOperandSharedBase + 1;
constexpr uint32_t kPrivateBase = kOperandSharedBase + 2;
constexpr uint32_t kInverseTwoPi = kOperandInlineLast;

// 0.5, -0.5, 1, -1, 2, -2, 4, -4, 1 / (2 pi): codes 240-248 in each width.
constexpr std::array<uint32_t, 9> kFloats = {0x3f000000, 0xbf000000, 0x3f800000,
                                             0xbf800000, 0x40000000, 0xc0000000,
                                             0x40800000, 0xc0800000, 0x3e22f983};
constexpr std::array<uint64_t, 9> kDoubles = {
    0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000,
    0xbff0000000000000, 0x4000000000000000, 0xc000000000000000,
    0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882};
constexpr std::array<uint32_t, 9> kHalves = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000,
                                             0xc000, 0x4400, 0xc400, 0x3118};

bool IsInlineFloat(uint32_t code) { return code >= kOperandFloatFirst && code <= kInverseTwoPi; }

bool IsAperture(uint32_t code) {
  return code >= kOperandSharedBase && code <= kOperandPrivateLimit;
}

// Only bits 32-63 of an aperture's ends are significant; the limits end in 0xffffffff.
uint32_t ApertureHigh(uint32_t code) {
  const bool shared = code <= kSharedLimit;
  return shared ? kSharedApertureHigh : kPrivateApertureHigh;
}

uint64_t Aperture64(uint32_t code) {
  const uint64_t base = static_cast<uint64_t>(ApertureHigh(code)) << 32;
  const bool is_base = code == kOperandSharedBase || code == kPrivateBase;
  return is_base ? base : base | 0xffffffff;
}

}  // namespace

bool IsScalarOperand(uint32_t code) {
  if (code < kOperandInlineFirst) return true;
  if (code <= kLastNegative) return true;
  if (IsAperture(code) || IsInlineFloat(code)) return true;
  return code == kOperandVccz || code == kOperandExecz || code == kOperandScc ||
         code == kOperandLiteral;
}

uint32_t ReadConstant32(const Wave& wave, const Instruction& instruction, uint32_t code) {
  if (code <= kLastPositive) return code - kOperandInlineFirst;
  if (code <= kLastNegative) return kLastPositive - code;
  if (code == kOperandLiteral) return instruction.literal;
  if (IsInlineFloat(code)) return kFloats[code - kOperandFloatFirst];
  if (IsAperture(code)) return ApertureHigh(code);
  if (code == kOperandVccz) return wave.vcc() == 0;
  if (code == kOperandExecz) return wave.exec() == 0;
  return wave.scc;
}

uint64_t ReadScalar64(const Wave& wave, const Instruction& instruction, uint32_t code) {
  if (code < kOperandInlineFirst) return wave.Sgpr64(code);
  if (code > kLastPositive && code <= kLastNegative) {
    return static_cast<uint64_t>(static_cast<int64_t>(kLastPositive) - code);
  }
  if (IsInlineFloat(code)) return kDoubles[code - kOperandFloatFirst];
  if (IsAperture(code)) return Aperture64(code);
  return ReadConstant32(wave, instruction, code);
}

uint64_t ReadScalarF64(const Wave& wave, const Instruction& instruction, uint32_t code) {
  if (code == kOperandLiteral) return static_cast<uint64_t>(instruction.literal) << 32;
  return ReadScalar64(wave, instruction, code);
}

uint32_t ReadScalarF16(const Wave& wave, const Instruction& instruction, uint32_t code) {
  if (IsInlineFloat(code)) return kHalves[code - kOperandFloatFirst];
  return ReadScalar32(wave, instruction, code);
}

}  // namespace vgpu
