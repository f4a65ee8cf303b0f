// SPDX-License-Identifier: MIT
#include <string>

#include "vgpu/wave/valu/valu_test_support.h"

namespace vgpu::valu::test {
namespace {

constexpr uint32_t kMaskRegister = 20;

// The relation of two operands.
enum Order : unsigned { kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8 };

template <class T>
Order OrderOf(T a, T b) {
  if constexpr (std::is_same_v<T, Half>) {
    return OrderOf(static_cast<float>(a), static_cast<float>(b));
  } else {
    if (a < b) return kLess;
    if (a > b) return kGreater;
    return a == b ? kEqual : kUnordered;
  }
}

struct Relation {
  const char* name;
  unsigned holds;  // for which orders
};

constexpr unsigned kAnyOrdered = kLess | kEqual | kGreater;
constexpr Relation kFloatRelations[] = {
    {"f", 0},
    {"lt", kLess},
    {"eq", kEqual},
    {"le", kLess | kEqual},
    {"gt", kGreater},
    {"lg", kLess | kGreater},
    {"ge", kGreater | kEqual},
    {"o", kAnyOrdered},
    {"u", kUnordered},
    {"nge", kLess | kUnordered},
    {"nlg", kEqual | kUnordered},
    {"ngt", kLess | kEqual | kUnordered},
    {"nle", kGreater | kUnordered},
    {"neq", kLess | kGreater | kUnordered},
    {"nlt", kGreater | kEqual | kUnordered},
    {"tru", kAnyOrdered | kUnordered},
};
constexpr Relation kIntegerRelations[] = {
    {"f", 0},
    {"lt", kLess},
    {"eq", kEqual},
    {"le", kLess | kEqual},
    {"gt", kGreater},
    {"ne", kLess | kGreater},
    {"ge", kGreater | kEqual},
    {"t", kAnyOrdered},
};

// Runs a compare of A with B; `holds` is the expected answer of each lane. Disabled lanes give 0.
template <class A, class B, class F>
void ExpectAnswers(const std::string& label, uint32_t mask_register, bool to_exec, F holds) {
  Random random(SeedOf(label));
  const bool had_wide_lanes = g_wide_lanes;
  for (int round = 0; round < 8; ++round) {
    g_wide_lanes = had_wide_lanes && round % 2 == 0;
    RunSnippet(
        label.c_str(),
        [&](TestMachine& m) {
          m.SetMode(kDefaultMode);
          for (int lane = 0; lane < kLanes; ++lane) {
            const A a = PickOperand<A>(&random);
            SetSource(m, 2, lane, a, static_cast<uint32_t>(random.Next()));
            SetSource(m, 4, lane, PickOperand<B>(&random), static_cast<uint32_t>(random.Next()));
            if (std::is_same_v<A, B> && random.Next() % 4 == 0) SetSource(m, 4, lane, a, 0);
          }
        },
        [&](TestMachine& m) {
          uint64_t answers = 0;
          m.ForActive([&](int lane) {
            const A a = SourceBefore<A>(m, 2, lane);
            const B b = SourceBefore<B>(m, 4, lane);
            if (holds(a, b)) answers |= uint64_t{1} << lane;
          });
          EXPECT_EQ(m.Sgpr64(mask_register), answers);
          if (to_exec) {
            EXPECT_EQ(m.Exec(), answers);
          }
        });
  }
  g_wide_lanes = had_wide_lanes;
}

template <class A, class B, class F>
void ExpectAllForms(const std::string& relation, const std::string& type, F holds) {
  const std::string plain = "v_cmp_" + relation + "_" + type;
  ExpectAnswers<A, B>(plain, kOperandVcc, false, holds);
  ExpectAnswers<A, B>(plain + "_e64", kMaskRegister, false, holds);
  ExpectAnswers<A, B>("v_cmpx_" + relation + "_" + type, kOperandVcc, true, holds);
}

template <class T, size_t count>
void ExpectRelations(const Relation (&relations)[count], const char* type) {
  for (const Relation& relation : relations) {
    ExpectAllForms<T, T>(relation.name, type,
                         [&](T a, T b) { return (OrderOf(a, b) & relation.holds) != 0; });
  }
}

TEST(ValuCompare, FloatsHaveSixteenRelations) {
  ExpectRelations<Half>(kFloatRelations, "f16");
  ExpectRelations<float>(kFloatRelations, "f32");
  ExpectRelations<double>(kFloatRelations, "f64");
}

TEST(ValuCompare, IntegersHaveEightRelations) {
  ExpectRelations<int16_t>(kIntegerRelations, "i16");
  ExpectRelations<uint16_t>(kIntegerRelations, "u16");
  ExpectRelations<int32_t>(kIntegerRelations, "i32");
  ExpectRelations<uint32_t>(kIntegerRelations, "u32");
  ExpectRelations<int64_t>(kIntegerRelations, "i64");
  ExpectRelations<uint64_t>(kIntegerRelations, "u64");
}

// The bit of the class mask to which a number belongs.
template <class T>
unsigned ClassBit(T value) {
  if (IsNan(value)) return IsSignalling(value) ? 0 : 1;
  const auto magnitude = BitsOf(value) & ~Format<T>::kSign;
  unsigned distance = 2;  // from the zeros outwards: zero, denormal, normal, infinity
  if (magnitude == 0) distance = 0;
  if (IsDenormal(value)) distance = 1;
  if (magnitude == Format<T>::kInfinity) distance = 3;
  const bool negative = (BitsOf(value) & Format<T>::kSign) != 0;
  return negative ? 5 - distance : 6 + distance;
}

template <class T>
void ExpectClasses(const char* type) {
  ExpectAllForms<T, uint32_t>(
      "class", type, [](T a, uint32_t classes) { return (classes >> ClassBit(a) & 1) != 0; });
}

TEST(ValuCompare, DistinguishesClasses) {
  ExpectClasses<Half>("f16");
  ExpectClasses<float>("f32");
  ExpectClasses<double>("f64");
}

TEST(ValuCompare, EveryClassBitSelectsItsClass) {
  constexpr uint32_t kOfClass[] = {0x7fa00001, 0xffc00000, 0xff800000, 0xc0000000, 0x80000001,
                                   0x80000000, 0x00000000, 0x00000001, 0x40000000, 0x7f800000};
  for (uint32_t bit = 0; bit < 10; ++bit) {
    RunSnippet(
        "v_cmp_class_f32",
        [&](TestMachine& m) {
          m.SetAllLanes(4, 1u << bit);
          for (int lane = 0; lane < kLanes; ++lane) m.SetVgpr(2, lane, kOfClass[lane % 10]);
        },
        [&](TestMachine& m) {
          uint64_t answers = 0;
          m.ForActive([&](int lane) {
            if (static_cast<uint32_t>(lane) % 10 == bit) answers |= uint64_t{1} << lane;
          });
          EXPECT_EQ(m.Vcc(), answers) << "class bit " << bit;
        });
  }
}

}  // namespace
}  // namespace vgpu::valu::test
