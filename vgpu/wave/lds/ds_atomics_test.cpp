// SPDX-License-Identifier: MIT
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "vgpu/wave/memory/atomic_test_cases.h"
#include "vgpu/wave/wave_test_support.h"

namespace vgpu::ds_atomics_test {
namespace {

constexpr uint32_t kAddress = 2;
constexpr uint32_t kData = 4;
constexpr uint32_t kSecondData = 6;
constexpr uint32_t kResult = 8;
constexpr uint32_t kOffset = 16;
constexpr uint32_t kDenormals = 0x3f0;  // MODE: denormals as they are

uint32_t Place(int lane) { return static_cast<uint32_t>(lane) * 24 + kOffset; }

// Memory, first and second data of one lane, and the expected memory contents.
struct Numbers {
  uint64_t old;
  uint64_t data;
  uint64_t second;
};

// numbers(lane) and expected(numbers): all of `bits` bits. `returns`: the old value comes back.
template <class N, class E>
void TestUpdate(const std::string& label, int bits, bool returns, N numbers, E expected,
                uint32_t mode = kDenormals) {
  const auto setup = [&](TestMachine& m) {
    m.SetMode(mode);
    for (int lane = 0; lane < kLanes; ++lane) {
      const Numbers n = numbers(lane);
      m.SetVgpr(kAddress, lane, Place(lane) - kOffset);
      if (bits == 64) {
        m.PokeLds<uint64_t>(Place(lane), n.old);
        m.SetVgpr64(kData, lane, n.data);
        m.SetVgpr64(kSecondData, lane, n.second);
      } else {
        m.PokeLds<uint32_t>(Place(lane), static_cast<uint32_t>(n.old));
        m.SetVgpr(kData, lane, static_cast<uint32_t>(n.data));
        m.SetVgpr(kSecondData, lane, static_cast<uint32_t>(n.second));
      }
    }
  };
  RunSnippet(label.c_str(), setup, [&](TestMachine& m) {
    m.ForActive([&](int lane) {
      const Numbers n = numbers(lane);
      const uint64_t want = expected(n);
      if (bits == 64) {
        EXPECT_EQ(m.PeekLds<uint64_t>(Place(lane)), want) << "lane " << lane;
        EXPECT_TRUE(!returns || m.Vgpr64(kResult, lane) == n.old);
        return;
      }
      EXPECT_EQ(m.PeekLds<uint32_t>(Place(lane)), static_cast<uint32_t>(want)) << "lane " << lane;
      EXPECT_TRUE(!returns || m.Vgpr(kResult, lane) == static_cast<uint32_t>(n.old));
    });
  });
}

Numbers IntegerNumbers(int lane, int bits) {
  const AtomicValues& values = kAtomicValues[lane % std::size(kAtomicValues)];
  const int shift = 64 - bits;
  return {values.old >> shift, values.data >> shift, values.compare >> shift};
}

template <class E>
void TestIntegers(const std::string& label, int bits, bool returns, E expected) {
  TestUpdate(
      label, bits, returns, [&](int lane) { return IntegerNumbers(lane, bits); }, expected);
}

// ds_<operation>_<type><bits> and ds_<operation>_rtn_<type><bits>
template <class E>
void TestBoth(const std::string& operation, const std::string& type, E expected) {
  for (const int bits : {32, 64}) {
    const std::string suffix = type + std::to_string(bits);
    const auto want = [&](const Numbers& n) { return expected(n, bits); };
    TestIntegers("ds_" + operation + "_" + suffix, bits, false, want);
    TestIntegers("ds_" + operation + "_rtn_" + suffix, bits, true, want);
  }
}

const AtomicCase& CaseNamed(const std::string& name) {
  for (const AtomicCase& atomic : kAtomicCases) {
    if (name == atomic.name) return atomic;
  }
  ADD_FAILURE() << name;
  return kAtomicCases[0];
}

TEST(DsAtomics, MatchTheSameOperationsInMemory) {
  struct Same {
    const char* operation;
    const char* type;
    const char* name;
  };
  constexpr Same kSame[] = {
      {"add", "u", "add"},  {"sub", "u", "sub"},  {"inc", "u", "inc"},  {"dec", "u", "dec"},
      {"min", "i", "smin"}, {"max", "i", "smax"}, {"min", "u", "umin"}, {"max", "u", "umax"},
      {"and", "b", "and"},  {"or", "b", "or"},    {"xor", "b", "xor"},
  };
  for (const Same& same : kSame) {
    const AtomicCase& atomic = CaseNamed(same.name);
    TestBoth(same.operation, same.type,
             [&](const Numbers& n, int bits) { return atomic.expected(n.old, n.data, 0, bits); });
  }
}

TEST(DsAtomics, SubtractMemoryFromTheOperand) {
  TestBoth("rsub", "u", [](const Numbers& n, int) { return n.data + ~n.old + 1; });
}

TEST(DsAtomics, ReplaceBitsUnderAMask) {
  TestBoth("mskor", "b", [](const Numbers& n, int) {
    const uint64_t kept = n.old - (n.old & n.data);
    return kept | n.second;
  });
}

TEST(DsAtomics, StoreWhenMemoryHoldsTheFirstOperand) {
  const auto numbers = [](int lane, int bits) {
    const uint64_t mask = ~uint64_t{0} >> (64 - bits);
    const uint64_t compare = 0x8000000012345678 & mask;
    const uint64_t old = lane % 3 == 0 ? compare : (compare ^ uint64_t{1} << (lane % bits));
    return Numbers{old, compare, (0x0f0f0f0f00000000 + static_cast<uint64_t>(lane)) & mask};
  };
  for (const int bits : {32, 64}) {
    const auto want = [](const Numbers& n) { return n.old == n.data ? n.second : n.old; };
    const auto make = [&](int lane) { return numbers(lane, bits); };
    const std::string suffix = "b" + std::to_string(bits);
    TestUpdate("ds_cmpst_" + suffix, bits, false, make, want);
    TestUpdate("ds_cmpst_rtn_" + suffix, bits, true, make, want);
  }
}

TEST(DsAtomics, ExchangeAndReturn) {
  for (const int bits : {32, 64}) {
    TestIntegers("ds_wrxchg_rtn_b" + std::to_string(bits), bits, true,
                 [](const Numbers& n) { return n.data; });
  }
}

TEST(DsAtomics, Wrap) {
  TestIntegers("ds_wrap_rtn_b32", 32, true,
               [](const Numbers& n) { return n.old < n.data ? n.old + n.second : n.old - n.data; });
}

TEST(DsAtomics, LanesUpdateTheSameAddressOneAfterTheOther) {
  RunSnippet(
      "ds_add_rtn_u32",
      [](TestMachine& m) {
        m.SetAllLanes(kAddress, 0);
        m.SetAllLanes(kData, 7);
        m.PokeLds<uint32_t>(kOffset, 1);
      },
      [](TestMachine& m) {
        uint32_t sum = 1;
        m.ForActive([&](int lane) {
          EXPECT_EQ(m.Vgpr(kResult, lane), sum);
          sum += 7;
        });
        EXPECT_EQ(m.PeekLds<uint32_t>(kOffset), sum);
      });
}

// --- floats

template <class F>
using BitsOf = std::conditional_t<sizeof(F) == 4, uint32_t, uint64_t>;

template <class F>
uint64_t ToBits(F value) {
  return std::bit_cast<BitsOf<F>>(value);
}

template <class F>
F FromBits(uint64_t bits) {
  return std::bit_cast<F>(static_cast<BitsOf<F>>(bits));
}

// Every pair of these numbers, distributed over the lanes.
template <class F>
Numbers FloatNumbers(int lane) {
  using Limits = std::numeric_limits<F>;
  const F values[] = {F{0},
                      -F{0},
                      F{1.5},
                      F{-2.25},
                      Limits::infinity(),
                      -Limits::infinity(),
                      Limits::quiet_NaN(),
                      Limits::denorm_min()};
  return {ToBits(values[lane / 8]), ToBits(values[lane % 8]), ToBits(F{42})};
}

// The smaller operand; of two zeros the negative one; the number if only one is a number.
template <class F>
uint64_t Smaller(const Numbers& n) {
  const F a = FromBits<F>(n.old);
  const F b = FromBits<F>(n.data);
  if (a != a) return n.data;
  if (b != b) return n.old;
  if (a == b) return std::signbit(b) ? n.data : n.old;
  return b < a ? n.data : n.old;
}

template <class F>
uint64_t Larger(const Numbers& n) {
  const F a = FromBits<F>(n.old);
  const F b = FromBits<F>(n.data);
  if (a != a) return n.data;
  if (b != b) return n.old;
  if (a == b) return std::signbit(b) ? n.old : n.data;
  return b > a ? n.data : n.old;
}

template <class F>
uint64_t StoredIfEqual(const Numbers& n) {
  return FromBits<F>(n.old) == FromBits<F>(n.data) ? n.second : n.old;
}

template <class F>
void TestFloats(const std::string& type) {
  constexpr int kBits = sizeof(F) * 8;
  TestUpdate("ds_min_" + type, kBits, false, FloatNumbers<F>, Smaller<F>);
  TestUpdate("ds_min_rtn_" + type, kBits, true, FloatNumbers<F>, Smaller<F>);
  TestUpdate("ds_max_" + type, kBits, false, FloatNumbers<F>, Larger<F>);
  TestUpdate("ds_max_rtn_" + type, kBits, true, FloatNumbers<F>, Larger<F>);
  TestUpdate("ds_cmpst_" + type, kBits, false, FloatNumbers<F>, StoredIfEqual<F>);
  TestUpdate("ds_cmpst_rtn_" + type, kBits, true, FloatNumbers<F>, StoredIfEqual<F>);
}

TEST(DsAtomics, CompareFloats) {
  TestFloats<float>("f32");
  TestFloats<double>("f64");
}

TEST(DsAtomics, AddFloats) {
  const auto numbers = [](int lane) {
    const float values[] = {0.f, 1.5f, -2.25f, 1e30f, 16777216.f, 1e-40f, -0.f, 3e38f};
    return Numbers{ToBits(values[lane / 8]), ToBits(values[lane % 8]), 0};
  };
  // Through double: exact, then rounded once.
  const auto want = [](const Numbers& n) {
    const double sum = double{FromBits<float>(n.old)} + double{FromBits<float>(n.data)};
    return ToBits(static_cast<float>(sum));
  };
  TestUpdate("ds_add_f32", 32, false, numbers, want);
  TestUpdate("ds_add_rtn_f32", 32, true, numbers, want);
}

TEST(DsAtomics, FlushDenormalSinglesWhenModeSaysSo) {
  const auto numbers = [](int lane) {
    const uint32_t values[] = {0,          0x80000001, 0x007fffff, 0x00800000,
                               0x80800001, 0x3fc00000, 0x80000000, 0x00400000};
    return Numbers{values[lane / 8], values[lane % 8], 0};
  };
  const auto flushed = [](uint64_t bits) -> uint64_t {
    return (bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits;
  };
  const auto sum = [](uint64_t a, uint64_t b) {
    return ToBits(FromBits<float>(a) + FromBits<float>(b));
  };
  constexpr uint32_t kFlushAll = 0x3c0;
  constexpr uint32_t kFlushResults = 0x3d0;
  for (const std::string label : {"ds_add_f32", "ds_add_rtn_f32"}) {
    const bool returns = label != "ds_add_f32";
    TestUpdate(
        label, 32, returns, numbers,
        [&](const Numbers& n) { return flushed(sum(flushed(n.old), flushed(n.data))); }, kFlushAll);
    TestUpdate(
        label, 32, returns, numbers, [&](const Numbers& n) { return flushed(sum(n.old, n.data)); },
        kFlushResults);
  }
}

}  // namespace
}  // namespace vgpu::ds_atomics_test
