// SPDX-License-Identifier: MIT
// valu_test_support.h: runs a vector instruction on many operands and compares every lane with a
// formula of the test.
//
//   ExpectLanes("v_add_f32", [](float a, float b) { return float(double(a) + double(b)); });
//
// The snippet reads its sources from v2, v4 and v6 (64-bit ones from the pairs that start there)
// and writes v10; the high half of 16-bit sources holds other bits. Operands are edge cases of
// their type, or random; the seed is fixed. Disabled lanes, and every other register, must keep
// their value (wave_test_support.h). Half of the runs use the loops for any x86-64.
//
// Where the formula gives a NaN, the instruction must give the first NaN among its sources, made
// quiet, or the positive quiet NaN if there is none.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <tuple>
#include <type_traits>
#include <utility>

#include "vgpu/wave/valu/valu_test_operands.h"
#include "vgpu/wave/wave_test_support.h"

namespace vgpu::valu {

extern bool g_wide_lanes;

namespace test {

constexpr uint32_t kDefaultMode = 0x3f0;  // denormals on, DX10 clamp, IEEE: what kernels start with
constexpr uint32_t kFlushMode = 0x300;    // the same with all denormals flushed
constexpr uint32_t kResultRegister = 10;
constexpr int kRounds = 24;

struct Options {
  uint32_t registers[4] = {2, 4, 6, 8};  // where the sources are; 10 is the accumulator
  uint32_t mode = kDefaultMode;
  int ulps = 0;             // allowed error of a float result
  bool keeps_high = false;  // a 16-bit result leaves the high half of the register alone
  bool to_high = false;     // a 16-bit result goes to the high half and leaves the low half alone
  void (*prepare)(TestMachine&) = nullptr;  // more set-up
};

template <class T>
void SetSource(TestMachine& m, uint32_t number, int lane, T value, uint32_t junk) {
  if constexpr (sizeof(T) == 8) {
    m.SetVgpr64(number, lane, BitsOf(value));
  } else if constexpr (sizeof(T) == 2) {
    m.SetVgpr(number, lane, BitsOf(value) | junk << 16);
  } else {
    m.SetVgpr(number, lane, BitsOf(value));
  }
}
template <class T>
T SourceBefore(const TestMachine& m, uint32_t number, int lane) {
  if constexpr (sizeof(T) == 8) {
    const uint64_t low = m.Before(number, lane);
    return std::bit_cast<T>(low | static_cast<uint64_t>(m.Before(number + 1, lane)) << 32);
  } else {
    return std::bit_cast<T>(static_cast<Bits<T>>(m.Before(number, lane)));
  }
}

// The NaN that an instruction with these sources gives, in the type of its result.
template <class R, class... A>
R NanOf(A... sources) {
  R nan = std::bit_cast<R>(static_cast<Bits<R>>(Format<R>::kInfinity | Format<R>::kQuiet));
  bool found = false;
  const auto look = [&](auto source) {
    if constexpr (std::is_same_v<decltype(source), R>) {
      if (!found && IsNan(source)) {
        found = true;
        nan = MakeQuiet(source);
      }
    }
  };
  (look(sources), ...);
  return nan;
}

template <class R>
bool IsNear(R got, R want, int ulps) {
  if (BitsOf(got) == BitsOf(want)) return true;
  if (ulps == 0 || IsNan(got) || IsNan(want)) return false;
  if ((BitsOf(got) ^ BitsOf(want)) & Format<R>::kSign) return false;
  const int64_t difference = static_cast<int64_t>(BitsOf(got)) - static_cast<int64_t>(BitsOf(want));
  return std::llabs(difference) <= ulps;
}

// The whole register after a result was written to it.
template <class R>
uint64_t RegisterAfter(R result, uint32_t old, const Options& options) {
  const uint64_t bits = BitsOf(result);
  if (options.to_high) return (old & 0xffff) | bits << 16;
  if (options.keeps_high) return (old & 0xffff0000) | bits;
  return bits;
}

template <class R>
R ResultIn(uint64_t bits, const Options& options) {
  return std::bit_cast<R>(static_cast<Bits<R>>(options.to_high ? bits >> 16 : bits));
}

template <class R, class... A, size_t... i>
void CheckLane(TestMachine& m, int lane, R (*expected)(A...), const Options& options,
               std::index_sequence<i...>) {
  const std::tuple<A...> sources(SourceBefore<A>(m, options.registers[i], lane)...);
  R want = std::apply(expected, sources);
  if constexpr (kIsFloat<R>) {
    if (IsNan(want)) want = NanOf<R, A...>(std::get<i>(sources)...);
  }
  const uint32_t old = m.Before(kResultRegister, lane);
  const uint64_t got =
      sizeof(R) == 8 ? m.Vgpr64(kResultRegister, lane) : m.Vgpr(kResultRegister, lane);
  if constexpr (kIsFloat<R>) {
    if (IsNear(ResultIn<R>(got, options), want, options.ulps)) want = ResultIn<R>(got, options);
  }
  const uint64_t wanted = RegisterAfter(want, old, options);
  if (got == wanted) return;
  std::ostringstream operands;
  ((operands << std::hex << " 0x" << uint64_t{BitsOf(std::get<i>(sources))}), ...);
  FAIL() << "lane " << lane << ", sources" << operands.str() << std::hex << ": got 0x" << got
         << ", want 0x" << wanted;
}

template <class R, class... A, size_t... i>
void ExpectLanesOf(const char* label, R (*expected)(A...), const Options& options,
                   std::index_sequence<i...> indexes) {
  Random random(SeedOf(label));
  const bool had_wide_lanes = g_wide_lanes;
  for (int round = 0; round < kRounds && !testing::Test::HasFatalFailure(); ++round) {
    g_wide_lanes = had_wide_lanes && round % 2 == 0;
    RunSnippet(
        label,
        [&](TestMachine& m) {
          m.SetMode(options.mode);
          for (int lane = 0; lane < kLanes; ++lane) {
            (SetSource<A>(m, options.registers[i], lane, PickOperand<A>(&random),
                          static_cast<uint32_t>(random.Next())),
             ...);
          }
          if (options.prepare != nullptr) options.prepare(m);
        },
        [&](TestMachine& m) {
          m.ForActive([&](int lane) { CheckLane(m, lane, expected, options, indexes); });
        });
  }
  g_wide_lanes = had_wide_lanes;
}

// `expected` is a function, or a lambda without captures, of the plain sources.
template <class R, class... A>
void ExpectLanes(const char* label, R (*expected)(A...), const Options& options = {}) {
  SCOPED_TRACE(label);
  ExpectLanesOf(label, expected, options, std::index_sequence_for<A...>());
}
template <class F>
void ExpectLanes(const char* label, F expected, const Options& options = {}) {
  ExpectLanes(label, +expected, options);
}

}  // namespace test
}  // namespace vgpu::valu
