// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "vgpu/wave/valu/valu_test_support.h"

namespace vgpu::valu::test {
namespace {

using U32 = uint32_t;
using I32 = int32_t;
using U64 = uint64_t;
using I64 = int64_t;
using I128 = __int128;

constexpr I64 kMostU32 = 0xffffffff;
constexpr I64 kMostI32 = 0x7fffffff;
constexpr I64 kLeastI32 = -0x80000000ll;

U32 Low(I128 exact) { return static_cast<U32>(exact); }
U32 ClampUnsigned(I64 exact) { return Low(std::clamp<I64>(exact, 0, kMostU32)); }
U32 ClampSigned(I64 exact) { return Low(std::clamp(exact, kLeastI32, kMostI32)); }

TEST(ValuInteger, AddsAndSubtracts) {
  ExpectLanes("v_add_u32", [](U32 a, U32 b) { return Low(I64{a} + b); });
  ExpectLanes("v_sub_u32", [](U32 a, U32 b) { return Low(I64{a} - b); });
  ExpectLanes("v_subrev_u32", [](U32 a, U32 b) { return Low(I64{b} - a); });
  ExpectLanes("v_add_i32", [](I32 a, I32 b) { return Low(I64{a} + b); });
  ExpectLanes("v_sub_i32", [](I32 a, I32 b) { return Low(I64{a} - b); });
  ExpectLanes("v_add3_u32", [](U32 a, U32 b, U32 c) { return Low(I64{a} + b + c); });
}

TEST(ValuInteger, ClampSaturates) {
  ExpectLanes("v_add_u32_clamp", [](U32 a, U32 b) { return ClampUnsigned(I64{a} + b); });
  ExpectLanes("v_sub_u32_clamp", [](U32 a, U32 b) { return ClampUnsigned(I64{a} - b); });
  ExpectLanes("v_add_i32_clamp", [](I32 a, I32 b) { return ClampSigned(I64{a} + b); });
  ExpectLanes("v_sub_i32_clamp", [](I32 a, I32 b) { return ClampSigned(I64{a} - b); });
}

// An addition or subtraction with a mask of carries on both sides.
struct CarryCase {
  const char* label;
  I64 (*exact)(I64 a, I64 b, I64 carry);
  bool reads_carry;
  uint32_t carry_in;
  uint32_t carry_out;
};

I64 Plus(I64 a, I64 b, I64 carry) { return a + b + carry; }
I64 Minus(I64 a, I64 b, I64 carry) { return a - b - carry; }
I64 MinusReversed(I64 a, I64 b, I64 carry) { return b - a - carry; }

constexpr CarryCase kCarryCases[] = {
    {"v_add_co_u32", Plus, false, 0, kOperandVcc},
    {"v_add_co_u32_e64", Plus, false, 0, 20},
    {"v_sub_co_u32", Minus, false, 0, kOperandVcc},
    {"v_sub_co_u32_e64", Minus, false, 0, 20},
    {"v_subrev_co_u32", MinusReversed, false, 0, kOperandVcc},
    {"v_addc_co_u32", Plus, true, kOperandVcc, kOperandVcc},
    {"v_addc_co_u32_e64", Plus, true, 22, 20},
    {"v_subb_co_u32", Minus, true, kOperandVcc, kOperandVcc},
    {"v_subb_co_u32_e64", Minus, true, 22, 20},
    {"v_subbrev_co_u32", MinusReversed, true, kOperandVcc, kOperandVcc},
};

void CheckCarryCase(TestMachine& m, const CarryCase& c, uint64_t carries) {
  uint64_t carry_out = 0;
  m.ForActive([&](int lane) {
    const I64 carry = c.reads_carry ? static_cast<I64>(carries >> lane & 1) : 0;
    const I64 exact = c.exact(m.Before(2, lane), m.Before(4, lane), carry);
    EXPECT_EQ(m.Vgpr(kResultRegister, lane), Low(exact)) << "lane " << lane;
    if (exact < 0 || exact > kMostU32) carry_out |= uint64_t{1} << lane;
  });
  EXPECT_EQ(m.Sgpr64(c.carry_out), carry_out) << "disabled lanes have no carry";
}

TEST(ValuInteger, CarriesGoThroughMasks) {
  for (const CarryCase& c : kCarryCases) {
    Random random(SeedOf(c.label));
    for (int round = 0; round < kRounds; ++round) {
      const uint64_t carries = random.Next();
      RunSnippet(
          c.label,
          [&](TestMachine& m) {
            for (int lane = 0; lane < kLanes; ++lane) {
              m.SetVgpr(2, lane, PickOperand<U32>(&random));
              m.SetVgpr(4, lane, PickOperand<U32>(&random));
            }
            if (c.reads_carry) m.SetSgpr64(c.carry_in, carries);
          },
          [&](TestMachine& m) { CheckCarryCase(m, c, carries); });
    }
  }
}

template <class Factor>
void CheckMad64(TestMachine& m) {
  uint64_t carry_out = 0;
  m.ForActive([&](int lane) {
    const auto a = static_cast<Factor>(m.Before(2, lane));
    const auto b = static_cast<Factor>(m.Before(4, lane));
    const auto c = SourceBefore<U64>(m, 6, lane);
    const auto product = static_cast<U64>(I128{a} * b);
    const auto sum = static_cast<unsigned __int128>(product) + c;
    EXPECT_EQ(m.Vgpr64(kResultRegister, lane), static_cast<U64>(sum)) << "lane " << lane;
    if (sum >> 64 != 0) carry_out |= uint64_t{1} << lane;
  });
  EXPECT_EQ(m.Sgpr64(20), carry_out);
}

template <class Factor>
void ExpectMad64(const char* label) {
  Random random(SeedOf(label));
  for (int round = 0; round < kRounds; ++round) {
    RunSnippet(
        label,
        [&](TestMachine& m) {
          for (int lane = 0; lane < kLanes; ++lane) {
            m.SetVgpr(2, lane, PickOperand<U32>(&random));
            m.SetVgpr(4, lane, PickOperand<U32>(&random));
            m.SetVgpr64(6, lane, PickOperand<U64>(&random));
          }
        },
        CheckMad64<Factor>);
  }
}

TEST(ValuInteger, MultipliesAndAddsInto64Bits) {
  ExpectMad64<U32>("v_mad_u64_u32");
  ExpectMad64<I32>("v_mad_i64_i32");
}

TEST(ValuInteger, Multiplies) {
  ExpectLanes("v_mul_lo_u32", [](U32 a, U32 b) { return Low(I128{a} * b); });
  ExpectLanes("v_mul_hi_u32", [](U32 a, U32 b) { return Low(I128{a} * b >> 32); });
  ExpectLanes("v_mul_hi_i32", [](I32 a, I32 b) { return Low(I128{a} * b >> 32); });
}

// The low 24 bits as a number, without and with a sign.
I64 Short(U32 value) { return value % (1 << 24); }
I64 SignedShort(U32 value) {
  const I64 low = Short(value);
  return low >= 1 << 23 ? low - (1 << 24) : low;
}

TEST(ValuInteger, MultipliesShortFactors) {
  ExpectLanes("v_mul_u32_u24", [](U32 a, U32 b) { return Low(Short(a) * Short(b)); });
  ExpectLanes("v_mul_hi_u32_u24", [](U32 a, U32 b) { return Low(Short(a) * Short(b) >> 32); });
  ExpectLanes("v_mul_i32_i24", [](U32 a, U32 b) { return Low(SignedShort(a) * SignedShort(b)); });
  ExpectLanes("v_mul_hi_i32_i24",
              [](U32 a, U32 b) { return Low(SignedShort(a) * SignedShort(b) >> 32); });
  ExpectLanes("v_mad_u32_u24", [](U32 a, U32 b, U32 c) { return Low(Short(a) * Short(b) + c); });
  ExpectLanes("v_mad_u32_u24_clamp",
              [](U32 a, U32 b, U32 c) { return ClampUnsigned(Short(a) * Short(b) + c); });
  ExpectLanes("v_mad_i32_i24",
              [](U32 a, U32 b, I32 c) { return Low(SignedShort(a) * SignedShort(b) + c); });
  ExpectLanes("v_mad_i32_i24_clamp",
              [](U32 a, U32 b, I32 c) { return ClampSigned(SignedShort(a) * SignedShort(b) + c); });
}

template <class T, int position>
T Sorted3(T a, T b, T c) {
  std::array<T, 3> values = {a, b, c};
  std::sort(values.begin(), values.end());
  return values[position];
}

TEST(ValuInteger, FindsMinimumMaximumAndMedian) {
  ExpectLanes("v_min_i32", [](I32 a, I32 b) { return a < b ? a : b; });
  ExpectLanes("v_max_i32", [](I32 a, I32 b) { return a < b ? b : a; });
  ExpectLanes("v_min_u32", [](U32 a, U32 b) { return a < b ? a : b; });
  ExpectLanes("v_max_u32", [](U32 a, U32 b) { return a < b ? b : a; });
  ExpectLanes("v_min3_i32", Sorted3<I32, 0>);
  ExpectLanes("v_med3_i32", Sorted3<I32, 1>);
  ExpectLanes("v_max3_i32", Sorted3<I32, 2>);
  ExpectLanes("v_min3_u32", Sorted3<U32, 0>);
  ExpectLanes("v_med3_u32", Sorted3<U32, 1>);
  ExpectLanes("v_max3_u32", Sorted3<U32, 2>);
}

TEST(ValuInteger, AddsTheAbsoluteDifference) {
  ExpectLanes("v_sad_u32", [](U32 a, U32 b, U32 c) { return Low(std::abs(I64{a} - I64{b}) + c); });
  ExpectLanes("v_sad_u32_clamp",
              [](U32 a, U32 b, U32 c) { return ClampUnsigned(std::abs(I64{a} - I64{b}) + c); });
}

TEST(ValuInteger, CombinesShiftsAndAdditions) {
  ExpectLanes("v_lshl_add_u32", [](U32 a, U32 b, U32 c) { return Low((I128{a} << b % 32) + c); });
  ExpectLanes("v_add_lshl_u32", [](U32 a, U32 b, U32 c) { return Low((I128{a} + b) << c % 32); });
  ExpectLanes("v_xad_u32", [](U32 a, U32 b, U32 c) { return Low(I64{a ^ b} + c); });
}

}  // namespace
}  // namespace vgpu::valu::test
