// SPDX-License-Identifier: MIT
// valu_test_support.h: runs a vector instruction on many operands and compares every lane with a
// formula of the test's own.
//
//   ExpectLanes("v_add_f32", [](float a, float b) { return float(double(a) + double(b)); });
//
// The snippet reads its sources from v2, v4 and v6 (64-bit ones from the pairs that start there)
// and writes v10; 16-bit sources have something else in their high half. Operands are edge cases of
// their type, or random; the seed is fixed. Lanes that are disabled, and every other register, must
// keep their value (wave_test_support.h). Half of the runs use the loops for any x86-64.
//
// Where the formula gives a NaN, the instruction must give the first NaN among its sources, made
// quiet, or the positive quiet NaN if there is none.
#pragma once

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <sstream>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "vgpu/wave/wave_test_support.h"

namespace vgpu::valu {

extern bool g_wide_lanes;

namespace test {

using Half = _Float16;

constexpr uint32_t kDefaultMode = 0x3f0;  // denormals on, DX10 clamp, IEEE: what kernels start with
constexpr uint32_t kFlushMode = 0x300;    // the same with all denormals flushed
constexpr uint32_t kResultRegister = 10;
constexpr int kRounds = 24;

// splitmix64
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }

 private:
  uint64_t state_;
};

inline uint64_t SeedOf(std::string_view text) {
  uint64_t seed = 0xcbf29ce484222325;
  for (const char c : text) seed = (seed ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  return seed;
}

template <size_t size>
struct UnsignedOf;
template <>
struct UnsignedOf<2> {
  using Type = uint16_t;
};
template <>
struct UnsignedOf<4> {
  using Type = uint32_t;
};
template <>
struct UnsignedOf<8> {
  using Type = uint64_t;
};
template <class T>
using Bits = typename UnsignedOf<sizeof(T)>::Type;
template <class T>
Bits<T> BitsOf(T value) {
  return std::bit_cast<Bits<T>>(value);
}

template <class T>
constexpr bool kIsFloat =
    std::is_same_v<T, Half> || std::is_same_v<T, float> || std::is_same_v<T, double>;

// Sign, exponent and quiet bits of the float of a given size.
template <class T>
struct Format;
template <>
struct Format<Half> {
  static constexpr uint16_t kSign = 0x8000, kInfinity = 0x7c00, kQuiet = 0x200;
};
template <>
struct Format<float> {
  static constexpr uint32_t kSign = 0x80000000, kInfinity = 0x7f800000, kQuiet = 0x400000;
};
template <>
struct Format<double> {
  static constexpr uint64_t kSign = 1ull << 63, kInfinity = 0x7ffull << 52, kQuiet = 1ull << 51;
};
template <class T>
bool IsNan(T value) {
  return (BitsOf(value) & ~Format<T>::kSign) > Format<T>::kInfinity;
}
template <class T>
bool IsSignalling(T value) {
  return IsNan(value) && (BitsOf(value) & Format<T>::kQuiet) == 0;
}
template <class T>
bool IsDenormal(T value) {
  const auto magnitude = BitsOf(value) & ~Format<T>::kSign;
  return magnitude != 0 && (magnitude & Format<T>::kInfinity) == 0;
}
template <class T>
T FlushToZero(T value) {
  if (!IsDenormal(value)) return value;
  return std::bit_cast<T>(static_cast<Bits<T>>(BitsOf(value) & Format<T>::kSign));
}
template <class T>
T MakeQuiet(T nan) {
  return std::bit_cast<T>(static_cast<Bits<T>>(BitsOf(nan) | Format<T>::kQuiet));
}

inline constexpr uint16_t kHalfEdges[] = {
    0x0000, 0x8000, 0x3c00, 0xbc00, 0x3800, 0xb800, 0x3e00, 0x4100, 0xc100, 0x0001, 0x8001, 0x03ff,
    0x83ff, 0x0400, 0x8400, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7d01, 0xfe55, 0x4248, 0x6400};
inline constexpr uint32_t kFloatEdges[] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000, 0x3fc00000, 0x40200000,
    0xc0200000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x7f7fffff,
    0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7fa00001, 0xffc12345, 0x40490fdb, 0x4f000000,
    0xcf000000, 0x4f800000, 0x4b800001, 0x3effffff, 0xb58637bd};
inline constexpr uint64_t kDoubleEdges[] = {
    0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000,
    0x3fe0000000000000, 0x4004000000000000, 0xc004000000000000, 0x0000000000000001,
    0x8000000000000001, 0x000fffffffffffff, 0x0010000000000000, 0x8010000000000000,
    0x7fefffffffffffff, 0xffefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000,
    0x7ff8000000000000, 0x7ff4000000000001, 0xfff8123456789abc, 0x400921fb54442d18,
    0x41e0000000000000, 0xc1e0000000000000, 0x41efffffffe00000, 0x4340000000000001};
inline constexpr uint64_t kIntegerEdges[] = {0,          1,
                                             2,          3,
                                             0x7f,       0x80,
                                             0xff,       0x7fff,
                                             0x8000,     0xffff,
                                             31,         32,
                                             33,         63,
                                             64,         0x7fffffff,
                                             0x80000000, 0x80000001,
                                             0xfffffffe, 0xffffffff,
                                             0xffffff,   0x800000,
                                             0x7fffff,   0x12345678,
                                             0xdeadbeef, ~0ull,
                                             1ull << 63, (1ull << 63) - 1,
                                             1ull << 32, 0xfffffffffffffffe};

template <class T>
auto EdgeBits(uint64_t random) {
  if constexpr (std::is_same_v<T, Half>) {
    return kHalfEdges[random % std::size(kHalfEdges)];
  } else if constexpr (std::is_same_v<T, float>) {
    return kFloatEdges[random % std::size(kFloatEdges)];
  } else if constexpr (std::is_same_v<T, double>) {
    return kDoubleEdges[random % std::size(kDoubleEdges)];
  } else {
    return static_cast<Bits<T>>(kIntegerEdges[random % std::size(kIntegerEdges)]);
  }
}

// An edge case, any bits, or (floats) a number of ordinary size.
template <class T>
T PickOperand(Random* random) {
  const uint64_t kind = random->Next() % 4;
  const uint64_t bits = random->Next();
  if (kind == 0) return std::bit_cast<T>(static_cast<Bits<T>>(bits));
  if constexpr (kIsFloat<T>) {
    if (kind == 1) return static_cast<T>(static_cast<double>(static_cast<int32_t>(bits)) * 0x1p-20);
  }
  return std::bit_cast<T>(EdgeBits<T>(bits));
}

struct Options {
  uint32_t registers[4] = {2, 4, 6, 8};  // where the sources are; 10 is the accumulator
  uint32_t mode = kDefaultMode;
  int ulps = 0;             // how far a float result may be off
  bool keeps_high = false;  // a 16-bit result leaves the high half of the register alone
  bool to_high = false;     // the same, but it goes to the high half, and the low one stays
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
