// SPDX-License-Identifier: MIT
// Properties of many instructions: operands of every kind, input and output modifiers, MODE.
#include <cfenv>

#include "vgpu/wave/valu/valu_test_floats.h"

namespace vgpu::valu::test {
namespace {

constexpr uint32_t kModeDx10Clamp = 0x100;
constexpr uint32_t kModeIeee = 0x200;

template <class T>
T Negative(T value) {
  return std::bit_cast<T>(static_cast<Bits<T>>(BitsOf(value) ^ Format<T>::kSign));
}
template <class T>
T Magnitude(T value) {
  return std::bit_cast<T>(static_cast<Bits<T>>(BitsOf(value) & ~Format<T>::kSign));
}
// A result as bits, NaNs by the rule for these (already modified) sources.
template <class R, class... A>
Bits<R> Settled(R result, A... sources) {
  return BitsOf(IsNan(result) ? NanOf<R>(sources...) : result);
}

// ---- Source modifiers

template <class T>
Bits<T> NegatedPlusMagnitude(T a, T b) {
  return Settled(static_cast<T>(Sum(Negative(a), Magnitude(b))), Negative(a), Magnitude(b));
}

TEST(ValuModifiers, NegateAndTakeTheMagnitudeOfSources) {
  ExpectLanes("modify_neg_abs", NegatedPlusMagnitude<float>);
  ExpectLanes("modify_neg_abs_f16", NegatedPlusMagnitude<Half>);
  ExpectLanes("modify_neg_abs_f64", [](double a, double b) {
    const double sum = static_cast<double>(SumToOdd(-__float128(a), __float128(Magnitude(b))));
    return Settled(sum, Negative(a), Magnitude(b));
  });
  ExpectLanes("modify_neg_of_abs", [](float a, float b, float c) {
    const float x = Negative(Magnitude(a));
    return Settled(FusedMultiplyAdd(x, b, Negative(c)), x, b, Negative(c));
  });
  ExpectLanes("modify_min_f64",
              [](double a, double b) { return Lesser(a, Negative(Magnitude(b))); });
}

TEST(ValuModifiers, ApplyToCompares) {
  RunSnippet(
      "modify_compare",
      [](TestMachine& m) {
        m.SetMode(kDefaultMode);
        Random random(5);
        for (int lane = 0; lane < kLanes; ++lane) {
          SetSource(m, 2, lane, PickOperand<float>(&random), 0);
          SetSource(m, 4, lane, PickOperand<float>(&random), 0);
        }
      },
      [](TestMachine& m) {
        uint64_t answers = 0;
        m.ForActive([&](int lane) {
          const float a = SourceBefore<float>(m, 2, lane);
          const float b = SourceBefore<float>(m, 4, lane);
          if (-a < std::fabs(b)) answers |= uint64_t{1} << lane;
        });
        EXPECT_EQ(m.Sgpr64(20), answers);
      });
}

// ---- Output modifiers

// Scaled, flushed, and without a negative zero.
template <class T>
T Multiplied(T product, double factor) {
  const T flushed = FlushToZero(product);
  const T scaled = FlushToZero(static_cast<T>(static_cast<Wide<T>>(flushed) * factor));
  return Magnitude(scaled) == T(0) ? T(0) : scaled;
}
template <class T>
Bits<T> ProductTimes(T a, T b, double factor) {
  const T x = FlushToZero(a);
  const T y = FlushToZero(b);
  const T product = Product(x, y);
  if (IsNan(product)) return BitsOf(NanOf<T>(x, y));
  return BitsOf(Multiplied(product, factor));
}

TEST(ValuModifiers, ScaleTheResult) {
  const Options scales = {.mode = 0};
  ExpectLanes(
      "modify_mul2", [](float a, float b) { return ProductTimes(a, b, 2); }, scales);
  ExpectLanes(
      "modify_mul4", [](float a, float b) { return ProductTimes(a, b, 4); }, scales);
  ExpectLanes(
      "modify_div2", [](float a, float b) { return ProductTimes(a, b, 0.5); }, scales);
  ExpectLanes(
      "modify_div2_f16", [](Half a, Half b) { return ProductTimes(a, b, 0.5); }, scales);
  ExpectLanes(
      "modify_mul2_f64", [](double a, double b) { return ProductTimes(a, b, 2); }, scales);
}

TEST(ValuModifiers, DoNotScaleWithDenormalResultsOrIeee) {
  ExpectLanes("modify_mul2", Product<float>, {.mode = kDefaultMode & ~kModeIeee});
  ExpectLanes("modify_mul2",
              [](float a, float b) {
                const float product = Product(FlushToZero(a), FlushToZero(b));
                return Settled(FlushToZero(product), a, b);
              },
              {.mode = kModeIeee});
}

template <class T>
T Clamped(T value) {
  if (IsNan(value) || !(static_cast<double>(value) > 0)) return T(0);
  return static_cast<double>(value) < 1 ? value : T(1);
}

TEST(ValuModifiers, ClampToTheUnitInterval) {
  ExpectLanes("modify_clamp", [](float a, float b) { return Clamped(Sum(a, b)); });
  ExpectLanes("modify_clamp_f16", [](Half a, Half b) { return Clamped(Sum(a, b)); });
  ExpectLanes("modify_clamp_f64", [](double a, double b) { return Clamped(a + b); });
  ExpectLanes("modify_max_clamp", [](float a) { return Clamped(a); });
}

TEST(ValuModifiers, ClampKeepsNansWithoutDx10Clamp) {
  const auto expected = [](float a, float b) {
    const float sum = Sum(a, b);
    return Settled(IsNan(sum) ? sum : Clamped(sum), a, b);
  };
  ExpectLanes("modify_clamp", expected, {.mode = kDefaultMode & ~kModeDx10Clamp});
}

TEST(ValuModifiers, ClampComesAfterTheScale) {
  const auto expected = [](float a, float b) {
    return Clamped(Multiplied(Product(FlushToZero(a), FlushToZero(b)), 2));
  };
  ExpectLanes("modify_mul2_clamp", expected, {.mode = kModeDx10Clamp});
}

// ---- MODE: denormals

constexpr uint32_t kSingleIn = 0x10;
constexpr uint32_t kSingleOut = 0x20;
constexpr uint32_t kWideIn = 0x40;
constexpr uint32_t kWideOut = 0x80;

template <class T>
Bits<T> SumWithFlush(T a, T b, bool flush_in, bool flush_out) {
  const T x = flush_in ? FlushToZero(a) : a;
  const T y = flush_in ? FlushToZero(b) : b;
  const T sum = Sum(x, y);
  return Settled(flush_out ? FlushToZero(sum) : sum, x, y);
}

TEST(ValuMode, FlushesDenormalsOfSingleSeparately) {
  const uint32_t others = kWideIn | kWideOut | kModeIeee;
  ExpectLanes("flush_add_f32", [](float a, float b) { return SumWithFlush(a, b, true, true); },
              {.mode = others});
  ExpectLanes("flush_add_f32", [](float a, float b) { return SumWithFlush(a, b, false, true); },
              {.mode = others | kSingleIn});
  ExpectLanes("flush_add_f32", [](float a, float b) { return SumWithFlush(a, b, true, false); },
              {.mode = others | kSingleOut});
  ExpectLanes("flush_add_f16", Sum<Half>, {.mode = others});
}

TEST(ValuMode, FlushesDenormalsOfHalfAndDoubleTogether) {
  const uint32_t others = kSingleIn | kSingleOut | kModeIeee;
  ExpectLanes("flush_add_f16", [](Half a, Half b) { return SumWithFlush(a, b, true, true); },
              {.mode = others});
  ExpectLanes("flush_add_f16", [](Half a, Half b) { return SumWithFlush(a, b, true, false); },
              {.mode = others | kWideOut});
  ExpectLanes("flush_add_f64",
              [](double a, double b) {
                const double sum = FlushToZero(a) + FlushToZero(b);
                return Settled(FlushToZero(sum), a, b);
              },
              {.mode = others});
  ExpectLanes("flush_add_f32", Sum<float>, {.mode = others});
}

TEST(ValuMode, FlushesInMaximumAndCompareButNotInMoves) {
  ExpectLanes("flush_max_f32", [](float a) { return Greater(FlushToZero(a), FlushToZero(a)); },
              {.mode = kFlushMode});
  ExpectLanes("flush_mov", [](uint32_t a) { return a; }, {.mode = kFlushMode});
  Options selects_first = {.mode = kFlushMode};
  selects_first.prepare = [](TestMachine& m) { m.SetVcc(~uint64_t{0}); };
  ExpectLanes(
      "flush_cndmask", [](uint32_t a) { return a; }, selects_first);
  RunSnippet(
      "flush_cmp_f32",
      [](TestMachine& m) {
        m.SetMode(kFlushMode);
        m.SetAllLanes(2, 0x00000001);
        m.SetAllLanes(4, 0x807fffff);
      },
      [](TestMachine& m) { EXPECT_EQ(m.Vcc(), m.exec_before()); });
}

// ---- MODE: rounding

constexpr int kHostRounding[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

// The operation as the host rounds it; volatile keeps the compiler from computing it itself.
template <class T, class F>
T RoundedAs(uint32_t rounding, F operation) {
  std::fesetround(kHostRounding[rounding]);
  volatile T result = operation();
  std::fesetround(FE_TONEAREST);
  return result;
}

template <uint32_t rounding>
void ExpectRounding() {
  const Options single = {.mode = kDefaultMode | rounding};
  const Options wide = {.mode = kDefaultMode | rounding << 2};
  ExpectLanes(
      "round_add_f32",
      [](float a, float b) {
        volatile float x = a;
        volatile float y = b;
        return RoundedAs<float>(rounding, [&] { return x + y; });
      },
      single);
  ExpectLanes(
      "round_mul_f64",
      [](double a, double b) {
        volatile double x = a;
        volatile double y = b;
        return RoundedAs<double>(rounding, [&] { return x * y; });
      },
      wide);
  ExpectLanes(
      "round_cvt_f32_i32",
      [](int32_t a) {
        volatile int32_t x = a;
        return RoundedAs<float>(rounding, [&] { return static_cast<float>(x); });
      },
      single);
  ExpectLanes(
      "round_rndne_f32", [](float a) { return static_cast<float>(std::nearbyint(double{a})); },
      single);
}

TEST(ValuMode, RoundsAsItSays) {
  ExpectRounding<0>();
  ExpectRounding<1>();
  ExpectRounding<2>();
  ExpectRounding<3>();
}

// The sum of two halves is exact in double, so that its neighbours are found by comparing.
template <uint32_t rounding>
Half RoundedHalfSum(Half a, Half b) {
  const double exact = static_cast<double>(a) + static_cast<double>(b);
  const Half nearest = static_cast<Half>(exact);
  const double value = static_cast<double>(nearest);
  const bool up = rounding == 1 || (rounding == 3 && exact < 0);
  if (exact == 0)
    return rounding == 2 && BitsOf(a) != BitsOf(b) ? static_cast<Half>(-0.0f) : nearest;
  if (std::isnan(exact) || std::isinf(exact) || value == exact) return nearest;
  if (up == (value > exact)) return nearest;
  const int step = (value > 0) == up ? 1 : -1;
  return std::bit_cast<Half>(static_cast<uint16_t>(BitsOf(nearest) + step));
}

TEST(ValuMode, RoundsHalvesAsItSaysForDouble) {
  ExpectLanes("round_add_f16", RoundedHalfSum<1>, {.mode = kDefaultMode | 1 << 2});
  ExpectLanes("round_add_f16", RoundedHalfSum<2>, {.mode = kDefaultMode | 2 << 2});
  ExpectLanes("round_add_f16", RoundedHalfSum<3>, {.mode = kDefaultMode | 3 << 2});
}

// ---- Operands

Options WithScalars() {
  Options options;
  options.registers[0] = 4;
  options.prepare = [](TestMachine& m) { m.SetSgpr64(4, 0x400921fb54442d18); };
  return options;
}

TEST(ValuOperands, SingleConstantsAndScalars) {
  const Options options = WithScalars();
  ExpectLanes(
      "operand_scalar_f32", [](float b) { return Sum(std::bit_cast<float>(0x54442d18), b); },
      options);
  ExpectLanes(
      "operand_literal_f32", [](float b) { return Product(std::bit_cast<float>(0x40490fdb), b); },
      options);
  ExpectLanes(
      "operand_inline_f32", [](float b) { return Product(std::bit_cast<float>(0x3e22f983), b); },
      options);
  ExpectLanes(
      "operand_inline_integer", [](float b) { return Sum(std::bit_cast<float>(1), b); }, options);
}

TEST(ValuOperands, HalfAndDoubleConstants) {
  const Options options = WithScalars();
  ExpectLanes(
      "operand_inline_f16", [](Half b) { return Product(static_cast<Half>(-4.0f), b); }, options);
  ExpectLanes(
      "operand_literal_f16",
      [](Half b) { return Product(std::bit_cast<Half>(uint16_t{0x4248}), b); }, options);
  ExpectLanes(
      "operand_inline_f64", [](double b) { return Product(0.5, b); }, options);
  ExpectLanes(
      "operand_scalar_f64", [](double b) { return 3.141592653589793 + b; }, options);
}

TEST(ValuOperands, SixtyFourBitIntegers) {
  ExpectLanes("operand_negative_i64", [](uint32_t a) { return ~uint64_t{0} >> a % 64; });
  RunSnippet(
      "operand_scalar_i64",
      [](TestMachine& m) {
        m.SetSgpr64(4, 0xffffffff00000000);
        for (int lane = 0; lane < kLanes; ++lane) {
          m.SetVgpr64(4, lane, static_cast<uint64_t>((lane - 32) * 0x10000000ll));
        }
      },
      [](TestMachine& m) {
        uint64_t answers = 0;
        m.ForActive([&](int lane) {
          if (-0x100000000ll < (lane - 32) * 0x10000000ll) answers |= uint64_t{1} << lane;
        });
        EXPECT_EQ(m.Vcc(), answers);
      });
}

TEST(ValuOperands, ADestinationMayBeASource) {
  RunSnippet(
      "operand_same_register", [](TestMachine&) {},
      [](TestMachine& m) {
        m.ForActive([&](int lane) { EXPECT_EQ(m.Vgpr(10, lane), 2 * m.Before(10, lane)); });
      });
}

TEST(ValuOperands, TheLastRegistersWork) {
  RunSnippet(
      "operand_last_pair",
      [](TestMachine& m) {
        m.SetMode(kDefaultMode);
        for (int lane = 0; lane < kLanes; ++lane) {
          m.SetVgpr64(254, lane, BitsOf(1.5 * lane));
          m.SetVgpr64(2, lane, BitsOf(0.25));
        }
      },
      [](TestMachine& m) {
        m.ForActive([&](int lane) {
          const uint64_t got = m.Vgpr(254, lane) | uint64_t{m.Vgpr(255, lane)} << 32;
          EXPECT_EQ(got, BitsOf(1.5 * lane + 0.25));
        });
      });
}

}  // namespace
}  // namespace vgpu::valu::test
