// SPDX-License-Identifier: MIT
// valu_map.h: makes an instruction handler from a formula for one lane.
//
//   {isa::V_v_add_f32, Map<[](float a, float b) { return a + b; }>}
//
// Map computes all 64 lanes in a counted loop, which the compiler vectorises, and then writes the
// enabled ones. Inactive lanes compute on whatever they hold, so a formula must be defined for
// every bit pattern. MapActive computes only the enabled lanes, for formulas that call the C
// library. Compare and CompareExec write the lanes' answers to a scalar mask (and to EXEC).
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/handlers.h"
#include "vgpu/wave/valu/valu_inputs.h"
#include "vgpu/wave/valu/valu_loops.h"
#include "vgpu/wave/valu/valu_operands.h"
#include "vgpu/wave/valu/valu_types.h"

namespace vgpu::valu {

// The number of the source operand that parameter `index` reads.
template <class... P>
constexpr int SourceNumber(size_t index) {
  constexpr bool kIsSource[] = {Input<P>::kIsSource..., false};
  int number = 0;
  for (size_t i = 0; i < index; ++i) number += kIsSource[i] ? 1 : 0;
  return number;
}

enum class LaneSet : uint8_t { kAll, kActive };

template <auto formula, class F>
struct Handlers;

template <auto formula, class R, class... P>
struct Handlers<formula, R (*)(P...)> {
  using Traits = ResultTraits<R>;
  using Value = typename Traits::Value;
  using Float = typename OutputFloat<Value>::Type;
  static constexpr bool kUsesFloat = kIsFloat<Value> || (kIsFloat<P> || ... || false);
  static constexpr bool kIsSingle =
      std::is_same_v<Value, float> ||
      (!kIsFloat<Value> && (std::is_same_v<P, float> || ... || false));

  static constexpr bool kSaturates = (std::is_same_v<P, Saturate> || ... || false);

  // The lane loop, with its inputs prepared.
  template <LaneSet lane_set>
  static void Loop(uint64_t mask, OutRow<R>* out, LaneRow* flags, InputPointer<P>... in) {
    bool any_nan = false;
    if constexpr (lane_set == LaneSet::kActive) {
      ForEachLane(mask, [&](int lane) {
        any_nan |= PutLane<R>(formula(Input<P>::Read(in, lane)...), lane, out, flags);
      });
    } else if (g_wide_lanes) {
      any_nan = AllLanesWide<formula, R, P...>(out, flags, in...);
    } else {
      any_nan = AllLanesBase<formula, R, P...>(out, flags, in...);
    }
    if constexpr (kIsFloat<Value>) {
      if (any_nan) [[unlikely]]
        FixNans<Value, P...>(out, in...);
    }
  }

  template <LaneSet lane_set, size_t... index>
  static void Compute(const Wave& wave, const Instruction& instruction, uint64_t mask,
                      OutRow<R>* out, LaneRow* flags, std::index_sequence<index...>) {
    Loop<lane_set>(mask, out, flags,
                   Input<P>(wave, instruction, SourceNumber<P...>(index)).pointer()...);
  }

  // The results of all lanes, rounded and modified as MODE and the instruction say.
  template <LaneSet lane_set>
  static void Finished(const Wave& wave, const Instruction& instruction, uint64_t mask,
                       OutRow<R>* out, LaneRow* flags) {
    constexpr auto kIndexes = std::index_sequence_for<P...>();
    if constexpr (kUsesFloat) {
      const ScopedRounding rounding(wave.mode, kIsSingle);
      Compute<lane_set>(wave, instruction, mask, out, flags, kIndexes);
    } else {
      Compute<lane_set>(wave, instruction, mask, out, flags, kIndexes);
    }
    if constexpr (!std::is_void_v<Float>) {
      if (NeedsFinish<Float>(wave, instruction)) FinishRow<Float>(wave, instruction, out);
    }
  }

  static void Store(Wave& wave, const Instruction& instruction, const OutRow<R>& out,
                    uint64_t mask) {
    if constexpr (Traits::kToHalf) {
      StoreHalfRow(wave, instruction, out, mask);
    } else if constexpr (sizeof(Value) == 8) {
      StoreRow64(wave, instruction, out, mask);
    } else {
      StoreRow(wave, instruction, out, mask);
    }
  }

  // False, with a fault, for the clamp modifier of an instruction that cannot clamp.
  static bool ClampIsValid(Wave& wave, const Instruction& instruction) {
    if (!instruction.clamp || kSaturates || !std::is_void_v<Float>) return true;
    return FailIllegal(wave, instruction, "clamp of an instruction that has none");
  }

  template <LaneSet lane_set>
  static bool Map(Wave& wave, const Instruction& instruction, ExecutionContext&) {
    if (!ControlsAreValid(wave, instruction) || !ClampIsValid(wave, instruction)) [[unlikely]]
      return false;
    const uint64_t mask = WriteMask(wave, instruction);
    if (mask == 0 && !Traits::kHasFlag) return true;
    OutRow<R> out;
    LaneRow flags;
    if constexpr (lane_set == LaneSet::kActive) {
      out = {};
      flags = {};
    }
    Finished<lane_set>(wave, instruction, mask, &out, &flags);
    Store(wave, instruction, out, mask);
    if constexpr (Traits::kHasFlag) wave.SetSgpr64(instruction.sdst, PackMask(flags) & mask);
    return true;
  }

  // The answers of all enabled lanes; 0 for the others.
  static bool Compare(Wave& wave, const Instruction& instruction, uint64_t* answers) {
    if (!ControlsAreValid(wave, instruction)) [[unlikely]]
      return false;
    LaneRow flags;
    Compute<LaneSet::kAll>(wave, instruction, ~uint64_t{0}, nullptr, &flags,
                           std::index_sequence_for<P...>());
    *answers = PackMask(flags) & WriteMask(wave, instruction);
    wave.SetSgpr64(instruction.dst & 0x7f, *answers);
    return true;
  }
};

template <auto formula>
using HandlersOf = Handlers<formula, decltype(+formula)>;

template <auto formula>
bool Map(Wave& wave, const Instruction& instruction, ExecutionContext& context) {
  return HandlersOf<formula>::template Map<LaneSet::kAll>(wave, instruction, context);
}

template <auto formula>
bool MapActive(Wave& wave, const Instruction& instruction, ExecutionContext& context) {
  return HandlersOf<formula>::template Map<LaneSet::kActive>(wave, instruction, context);
}

template <auto formula>
bool Compare(Wave& wave, const Instruction& instruction, ExecutionContext&) {
  uint64_t answers = 0;
  return HandlersOf<formula>::Compare(wave, instruction, &answers);
}

template <auto formula>
bool CompareExec(Wave& wave, const Instruction& instruction, ExecutionContext&) {
  uint64_t answers = 0;
  if (!HandlersOf<formula>::Compare(wave, instruction, &answers)) return false;
  wave.set_exec(answers);
  return true;
}

}  // namespace vgpu::valu
