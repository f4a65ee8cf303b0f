// SPDX-License-Identifier: MIT
#include "vgpu/wave/wave_test_support.h"

namespace vgpu::sopc_test {
namespace {

constexpr uint32_t kFirst = 6;
constexpr uint32_t kSecond = 8;

int64_t S32(uint32_t value) { return static_cast<int32_t>(value); }

template <class F>
void TestCompare(const char* label, F expected) {
  for (const uint32_t a : kEdgeValues) {
    for (const uint32_t b : kEdgeValues) {
      SCOPED_TRACE(testing::Message() << std::hex << a << ", " << b);
      RunSnippet(
          label,
          [&](TestMachine& m) {
            m.SetSgpr(kFirst, a);
            m.SetSgpr(kSecond, b);
            m.SetScc(!expected(a, b));
          },
          [&](TestMachine& m) { EXPECT_EQ(m.Scc(), expected(a, b)); });
    }
  }
}

TEST(Sopc, ComparesSigned) {
  TestCompare("s_cmp_eq_i32", [](uint32_t a, uint32_t b) { return (a ^ b) == 0; });
  TestCompare("s_cmp_lg_i32", [](uint32_t a, uint32_t b) { return (a ^ b) != 0; });
  TestCompare("s_cmp_gt_i32", [](uint32_t a, uint32_t b) { return S32(a) - S32(b) > 0; });
  TestCompare("s_cmp_ge_i32", [](uint32_t a, uint32_t b) { return S32(a) - S32(b) >= 0; });
  TestCompare("s_cmp_lt_i32", [](uint32_t a, uint32_t b) { return S32(a) - S32(b) < 0; });
  TestCompare("s_cmp_le_i32", [](uint32_t a, uint32_t b) { return S32(a) - S32(b) <= 0; });
}

TEST(Sopc, ComparesUnsigned) {
  const auto difference = [](uint32_t a, uint32_t b) { return int64_t{a} - int64_t{b}; };
  TestCompare("s_cmp_eq_u32", [](uint32_t a, uint32_t b) { return (a ^ b) == 0; });
  TestCompare("s_cmp_lg_u32", [](uint32_t a, uint32_t b) { return (a ^ b) != 0; });
  TestCompare("s_cmp_gt_u32", [&](uint32_t a, uint32_t b) { return difference(a, b) > 0; });
  TestCompare("s_cmp_ge_u32", [&](uint32_t a, uint32_t b) { return difference(a, b) >= 0; });
  TestCompare("s_cmp_lt_u32", [&](uint32_t a, uint32_t b) { return difference(a, b) < 0; });
  TestCompare("s_cmp_le_u32", [&](uint32_t a, uint32_t b) { return difference(a, b) <= 0; });
}

TEST(Sopc, Compares64Bits) {
  const uint64_t values[] = {0, 1, 0x100000000, 0xffffffff, 0xffffffff00000000, ~uint64_t{0}};
  for (const uint64_t a : values) {
    for (const uint64_t b : values) {
      const bool equal = (a ^ b) == 0;
      const auto setup = [&](TestMachine& m) {
        m.SetSgpr64(kFirst, a);
        m.SetSgpr64(kSecond, b);
      };
      RunSnippet("s_cmp_eq_u64", setup, [&](TestMachine& m) { EXPECT_EQ(m.Scc(), equal); });
      RunSnippet("s_cmp_lg_u64", setup, [&](TestMachine& m) { EXPECT_EQ(m.Scc(), !equal); });
    }
  }
}

TEST(Sopc, TestsSingleBits) {
  const uint64_t value = 0x8000000180000002;
  for (uint32_t bit = 0; bit < 70; ++bit) {
    const bool low = value >> (bit % 32) & 1;
    const bool wide = value >> (bit % 64) & 1;
    const auto setup = [&](TestMachine& m) {
      m.SetSgpr64(kFirst, value);
      m.SetSgpr(kSecond, bit);
    };
    RunSnippet("s_bitcmp0_b32", setup, [&](TestMachine& m) { EXPECT_EQ(m.Scc(), !low); });
    RunSnippet("s_bitcmp1_b32", setup, [&](TestMachine& m) { EXPECT_EQ(m.Scc(), low); });
    RunSnippet("s_bitcmp0_b64", setup, [&](TestMachine& m) { EXPECT_EQ(m.Scc(), !wide); });
    RunSnippet("s_bitcmp1_b64", setup, [&](TestMachine& m) { EXPECT_EQ(m.Scc(), wide); });
  }
}

TEST(GprIndexMode, StartsWithAnIndexAndTheOperandsItAppliesTo) {
  RunSnippet(
      "s_set_gpr_idx_on",
      [](TestMachine& m) {
        m.SetM0(0xabcdefff);
        m.SetSgpr(kFirst, 0x1105);
        m.SetMode(0x3f0);
      },
      [](TestMachine& m) {
        EXPECT_EQ(m.M0(), 0xabcd9f05u);
        EXPECT_EQ(m.Mode(), 0x3f0u | 1u << 27);
      });
}

TEST(GprIndexMode, MovesTheSelectedOperandsOnly) {
  const auto setup = [](TestMachine& m) { m.SetSgpr(kFirst, 7); };
  RunSnippet("gpr_idx_source", setup, [](TestMachine& m) {
    EXPECT_EQ(m.M0() & 0xf0ff, 0x1007u);
    m.ForActive([&](int lane) { EXPECT_EQ(m.Vgpr(4, lane), m.Before(17, lane)); });
  });
  RunSnippet("gpr_idx_result", setup, [](TestMachine& m) {
    EXPECT_EQ(m.M0() & 0xf0ff, 0x8007u);
    m.ForActive([&](int lane) { EXPECT_EQ(m.Vgpr(11, lane), m.Before(10, lane)); });
  });
  RunSnippet("gpr_idx_second", setup, [](TestMachine& m) {
    EXPECT_EQ(m.M0() & 0xf0ff, 0x2007u);
    m.ForActive(
        [&](int lane) { EXPECT_EQ(m.Vgpr(4, lane), m.Before(10, lane) + m.Before(27, lane)); });
  });
}

TEST(GprIndexMode, EndsAndLeavesScalarInstructionsAlone) {
  const auto setup = [](TestMachine& m) { m.SetSgpr(kFirst, 7); };
  RunSnippet("gpr_idx_off", setup, [](TestMachine& m) {
    EXPECT_EQ(m.M0() & 0xf0ff, 0x9007u);
    m.ForActive([&](int lane) { EXPECT_EQ(m.Vgpr(4, lane), m.Before(10, lane)); });
  });
  RunSnippet("gpr_idx_scalar", setup, [](TestMachine& m) {
    EXPECT_EQ(m.M0() & 0xf0ff, 0xb007u);
    EXPECT_EQ(m.Sgpr(4), 7 + m.SgprBefore(kSecond));
    EXPECT_FALSE(m.Scc());
  });
}

}  // namespace
}  // namespace vgpu::sopc_test
