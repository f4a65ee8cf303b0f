// SPDX-License-Identifier: MIT
#include "vgpu/wave/valu/valu_test_floats.h"

namespace vgpu::valu::test {
namespace {

constexpr uint32_t kFlags = 20;

// ---- div_scale, by cases whose result follows from the purpose of the factor

template <class T>
struct ScaleCase {
  const char* what;
  T value, denominator, numerator;
  T result;
  bool flag;
};

template <class T>
void ExpectScaled(const char* label, const ScaleCase<T>& c) {
  SCOPED_TRACE(c.what);
  RunSnippet(
      label,
      [&](TestMachine& m) {
        m.SetMode(kDefaultMode);
        for (int lane = 0; lane < kLanes; ++lane) {
          SetSource(m, 2, lane, c.value, 0);
          SetSource(m, 4, lane, c.denominator, 0);
          SetSource(m, 6, lane, c.numerator, 0);
        }
      },
      [&](TestMachine& m) {
        m.ForActive([&](int lane) {
          const uint64_t got =
              sizeof(T) == 8 ? m.Vgpr64(kResultRegister, lane) : m.Vgpr(kResultRegister, lane);
          ASSERT_EQ(got, BitsOf(c.result)) << "lane " << lane;
        });
        EXPECT_EQ(m.Sgpr64(kFlags), c.flag ? m.exec_before() : 0);
      });
}

const float kNanF = std::bit_cast<float>(0x7fc00000u);
const ScaleCase<float> kScaleCases[] = {
    {"ordinary numbers stay, the denominator", 3, 3, 7, 3, false},
    {"ordinary numbers stay, the numerator", 7, 3, 7, 7, false},
    {"a zero numerator", 0, 3, 0, kNanF, false},
    {"a zero denominator", 0, 0, 3, kNanF, false},
    {"a huge quotient: the denominator grows", 0x1p-3f, 0x1p-3f, 0x1p100f, 0x1p61f, true},
    {"a huge quotient: the numerator stays", 0x1p100f, 0x1p-3f, 0x1p100f, 0x1p100f, true},
    {"a denormal denominator grows", 0x1p-130f, 0x1p-130f, 0x1p-80f, 0x1p-66f, false},
    {"a numerator above a denormal grows too", 0x1p-80f, 0x1p-130f, 0x1p-80f, 0x1p-16f, false},
    {"a denormal reciprocal: both shrink", 0x1p127f, 0x1p127f, 0x1p10f, 0x1p63f, false},
    {"a denormal reciprocal: both shrink, numerator", 0x1p10f, 0x1p127f, 0x1p10f, 0x1p-54f, false},
    {"reciprocal and quotient denormal: denominator", 0x1p127f, 0x1p127f, 0x1p-5f, 0x1p63f, true},
    {"reciprocal and quotient denormal: numerator", 0x1p-5f, 0x1p127f, 0x1p-5f, 0x1p-5f, true},
    {"a denormal quotient: the numerator grows", 0x1p-80f, 0x1p60f, 0x1p-80f, 0x1p-16f, true},
    {"a denormal quotient: the denominator stays", 0x1p60f, 0x1p60f, 0x1p-80f, 0x1p60f, true},
    {"a tiny numerator: both grow", 0x1p-110f, 0x1p-20f, 0x1p-110f, 0x1p-46f, false},
    {"a tiny numerator: both grow, denominator", 0x1p-20f, 0x1p-20f, 0x1p-110f, 0x1p44f, false},
};
const ScaleCase<double> kScaleCasesDouble[] = {
    {"ordinary numbers stay", 3, 3, 7, 3, false},
    {"a zero denominator", 0, 0, 3, std::bit_cast<double>(0x7ff8000000000000), false},
    {"a huge quotient: the denominator grows", 0x1p-9, 0x1p-9, 0x1p900, 0x1p119, true},
    {"a denormal denominator grows", 0x1p-1030, 0x1p-1030, 0x1p-800, 0x1p-902, false},
    {"a denormal reciprocal: both shrink", 0x1p1023, 0x1p1023, 0x1p10, 0x1p895, false},
    {"a denormal quotient: the numerator grows", 0x1p-700, 0x1p500, 0x1p-700, 0x1p-572, true},
    {"a tiny numerator: both grow", 0x1p-1000, 0x1p-90, 0x1p-1000, 0x1p-872, false},
};

TEST(ValuDivision, ScaleMovesOperandsIntoRange) {
  for (const auto& c : kScaleCases) ExpectScaled("v_div_scale_f32", c);
  for (const auto& c : kScaleCasesDouble) ExpectScaled("v_div_scale_f64", c);
}

// ---- div_fmas

template <class T>
void ExpectFmas(const char* label, int scale) {
  Random random(SeedOf(label));
  for (int round = 0; round < kRounds; ++round) {
    const uint64_t scaled_lanes = random.Next();
    RunSnippet(
        label,
        [&](TestMachine& m) {
          m.SetMode(kDefaultMode);
          m.SetVcc(scaled_lanes);
          for (int lane = 0; lane < kLanes; ++lane) {
            for (const uint32_t number : {2, 4, 6}) {
              SetSource(m, number, lane, PickOperand<T>(&random), 0);
            }
          }
        },
        [&](TestMachine& m) {
          m.ForActive([&](int lane) {
            const T a = SourceBefore<T>(m, 2, lane);
            const T b = SourceBefore<T>(m, 4, lane);
            const T c = SourceBefore<T>(m, 6, lane);
            __float128 sum = SumToOdd(__float128(a) * __float128(b), __float128(c));
            const bool grows = std::fabs(c) >= 1;
            for (int i = 0; i < scale && (scaled_lanes >> lane & 1) != 0; ++i) {
              sum = grows ? sum * 2 : sum / 2;
            }
            T want = static_cast<T>(sum);
            if (IsNan(want)) want = NanOf<T>(a, b, c);
            const uint64_t got =
                sizeof(T) == 8 ? m.Vgpr64(kResultRegister, lane) : m.Vgpr(kResultRegister, lane);
            ASSERT_EQ(got, BitsOf(want)) << std::hex << BitsOf(a) << " " << BitsOf(b) << " "
                                         << BitsOf(c) << " " << (scaled_lanes >> lane & 1);
          });
        });
  }
}

TEST(ValuDivision, FmasScalesBackWhereVccSaysSo) {
  ExpectFmas<float>("v_div_fmas_f32", 64);
  ExpectFmas<double>("v_div_fmas_f64", 128);
}

// ---- div_fixup

// The result where denominator and numerator alone determine it; otherwise the magnitude of the
// quotient with their sign.
template <class T>
Bits<T> FixedUp(T quotient, T denominator, T numerator) {
  const Bits<T> sign = (BitsOf(denominator) ^ BitsOf(numerator)) & Format<T>::kSign;
  const Bits<T> bad = Format<T>::kSign | Format<T>::kInfinity | Format<T>::kQuiet;
  const auto x = static_cast<double>(numerator);
  const auto y = static_cast<double>(denominator);
  if (IsNan(numerator)) return BitsOf(MakeQuiet(numerator));
  if (IsNan(denominator)) return BitsOf(MakeQuiet(denominator));
  if ((x == 0 && y == 0) || (std::isinf(x) && std::isinf(y))) return bad;
  if (std::isinf(x) || y == 0) return sign | Format<T>::kInfinity;
  if (x == 0 || std::isinf(y)) return sign;
  const int precision = sizeof(T) == 8 ? 53 : sizeof(T) == 4 ? 24 : 11;
  const int most = sizeof(T) == 8 ? 1024 : sizeof(T) == 4 ? 128 : 16;
  const int ratio = ExponentOf(numerator) - ExponentOf(denominator);
  if (ratio > most) return sign | Format<T>::kInfinity;
  if (ratio < 3 - most - precision - (sizeof(T) == 2 ? 2 : 1)) return sign;
  return sign | (BitsOf(quotient) & ~Format<T>::kSign);
}

TEST(ValuDivision, FixupKnowsTheSpecialCases) {
  ExpectLanes("v_div_fixup_f32", FixedUp<float>);
  ExpectLanes("v_div_fixup_f64", FixedUp<double>);
  ExpectLanes("v_div_fixup_legacy_f16", FixedUp<Half>);
  ExpectLanes("v_div_fixup_f16", FixedUp<Half>, {.keeps_high = true});
}

// ---- The whole sequence: the quotient must be the correctly rounded one

template <class T>
void ExpectQuotients(const char* label, int rounds) {
  Random random(SeedOf(label));
  for (int round = 0; round < rounds; ++round) {
    RunSnippet(
        label,
        [&](TestMachine& m) {
          m.SetMode(kDefaultMode);
          for (int lane = 0; lane < kLanes; ++lane) {
            SetSource(m, 2, lane, PickOperand<T>(&random), 0);
            SetSource(m, 4, lane, PickOperand<T>(&random), 0);
          }
        },
        [&](TestMachine& m) {
          m.ForActive([&](int lane) {
            const T a = SourceBefore<T>(m, 2, lane);
            const T b = SourceBefore<T>(m, 4, lane);
            for (uint32_t number = 20; number < 28; ++number) m.Vgpr(number, lane);
            const uint64_t got =
                sizeof(T) == 8 ? m.Vgpr64(kResultRegister, lane) : m.Vgpr(kResultRegister, lane);
            uint64_t want = BitsOf(a / b);
            if (IsNan(a / b)) want = FixedUp<T>(a, b, a);
            ASSERT_EQ(got, want) << std::hex << BitsOf(a) << " / " << BitsOf(b);
          });
          m.Vcc();
          m.Sgpr64(kFlags);
        });
  }
}

TEST(ValuDivision, TheWholeSequenceRoundsCorrectly) {
  ExpectQuotients<float>("divide_f32", 200);
  ExpectQuotients<double>("divide_f64", 200);
}

}  // namespace
}  // namespace vgpu::valu::test
