// SPDX-License-Identifier: MIT
// valu_inputs.h: prepares what one parameter of a formula reads, for all 64 lanes.
//
// Input<P> is constructed before the lane loop and gives the loop a pointer (pointer()). Read turns
// the value at that pointer into the parameter of one lane. Source operands are numbered by the
// plain parameters only.
#pragma once

#include <cstdint>

#include "vgpu/wave/valu/valu_operands.h"
#include "vgpu/wave/valu/valu_types.h"

namespace vgpu::valu {

// A source operand: any type with TypeTraits.
template <class P>
class Input {
 public:
  static constexpr SourceKind kKind = kKindOf<P>;
  static constexpr bool kIsSource = true;
  static constexpr bool kIsWide = Is64Bit(kKind);
  using Element = std::conditional_t<kIsWide, uint64_t, uint32_t>;

  Input(const Wave& wave, const Instruction& instruction, int source) {
    if constexpr (kIsWide) {
      row_ = ReadRow64(wave, instruction, source, kKind, &scratch_);
    } else {
      row_ = ReadRow(wave, instruction, source, kKind, &scratch_);
    }
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  const Element* pointer() const { return row_; }
  [[gnu::always_inline]] static P Read(const Element* row, int lane) {
    return FromBits<P>(static_cast<BitsOf<P>>(row[lane]));
  }

 private:
  const Element* row_;
  std::conditional_t<kIsWide, LaneRow64, LaneRow> scratch_;  // written only when it is needed
};

// Base of the markers, which take no source operand.
struct MarkerInput {
  static constexpr bool kIsSource = false;
};

template <class T>
class Input<Destination<T>> : public MarkerInput {
 public:
  static_assert(sizeof(T) <= 4, "no instruction accumulates into a register pair");

  Input(const Wave& wave, const Instruction& instruction, int) : row_(wave.vgpr[instruction.dst]) {}

  const uint32_t* pointer() const { return row_; }
  [[gnu::always_inline]] static Destination<T> Read(const uint32_t* row, int lane) {
    return {FromBits<T>(static_cast<BitsOf<T>>(row[lane]))};
  }

 private:
  const uint32_t* row_;
};

// A value that all lanes have in common.
template <class P>
class CommonInput : public MarkerInput {
 public:
  explicit CommonInput(P value) : value_(value) {}

  const P* pointer() const { return &value_; }
  [[gnu::always_inline]] static P Read(const P* value, int) { return *value; }

 private:
  P value_;
};

template <class T>
class Input<Literal<T>> : public CommonInput<Literal<T>> {
 public:
  Input(const Wave&, const Instruction& instruction, int)
      : CommonInput<Literal<T>>({FromBits<T>(static_cast<BitsOf<T>>(instruction.literal))}) {}
};

template <>
class Input<Saturate> : public CommonInput<Saturate> {
 public:
  Input(const Wave&, const Instruction& instruction, int) : CommonInput({instruction.clamp}) {}
};

template <>
class Input<SmallOverflow> : public CommonInput<SmallOverflow> {
 public:
  Input(const Wave& wave, const Instruction&, int)
      : CommonInput({(wave.mode & kModeFp16Ovfl) != 0}) {}
};

template <>
class Input<ByteSelect> : public CommonInput<ByteSelect> {
 public:
  Input(const Wave&, const Instruction& instruction, int)
      : CommonInput({static_cast<U32>(instruction.op_sel >> 2 << 3)}) {}
};

// A mask as one value per lane.
template <class P>
class MaskInput : public MarkerInput {
 public:
  explicit MaskInput(uint64_t mask) { ExpandMask(mask, &row_); }

  const uint32_t* pointer() const { return row_.lane; }
  [[gnu::always_inline]] static P Read(const uint32_t* row, int lane) { return {row[lane] != 0}; }

 private:
  LaneRow row_;
};

template <>
class Input<LaneBit> : public MaskInput<LaneBit> {
 public:
  Input(const Wave& wave, const Instruction& instruction, int)
      : MaskInput(ReadScalar64(wave, instruction, instruction.src[2])) {}
};

template <>
class Input<VccBit> : public MaskInput<VccBit> {
 public:
  Input(const Wave& wave, const Instruction&, int) : MaskInput(wave.vcc()) {}
};

template <>
class Input<LaneIndex> : public MarkerInput {
 public:
  Input(const Wave&, const Instruction&, int) {}

  const uint32_t* pointer() const { return nullptr; }
  [[gnu::always_inline]] static LaneIndex Read(const uint32_t*, int lane) {
    return {static_cast<uint32_t>(lane)};
  }
};

}  // namespace vgpu::valu
