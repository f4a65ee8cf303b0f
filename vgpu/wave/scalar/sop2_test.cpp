// SPDX-License-Identifier: MIT
#include <bit>
#include <cstdlib>

#include "vgpu/wave/wave_test_support.h"

namespace vgpu::sop2_test {
namespace {

constexpr uint32_t kResult = 4;
constexpr uint32_t kFirst = 6;
constexpr uint32_t kSecond = 8;

// The result of an operation, and SCC after it.
struct Expected {
  uint64_t value;
  bool scc;
};

int64_t S32(uint64_t value) { return static_cast<int32_t>(value); }
bool FitsSigned(int64_t value) { return value >= INT32_MIN && value <= INT32_MAX; }

constexpr uint64_t kWideValues[] = {0,
                                    1,
                                    2,
                                    0x7fffffff,
                                    0x80000000,
                                    0xffffffff,
                                    0x100000000,
                                    0x7fffffffffffffff,
                                    0x8000000000000000,
                                    0xfffffffffffffffe,
                                    0xffffffffffffffff,
                                    0x0123456789abcdef,
                                    0xf0f0f0f00f0f0f0f};

constexpr uint64_t kSecondValues[] = {0,      1,       2,          31,         32,         0x7f,
                                      0x8000, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff, 0xa1305};

// expected(a, b, scc) for all pairs of edge values.
template <class F>
void Test32(const char* label, F expected) {
  for (const uint64_t a : kEdgeValues) {
    for (const uint64_t b : kSecondValues) {
      const bool scc = (a ^ b) & 4;
      SCOPED_TRACE(testing::Message() << std::hex << a << ", " << b << ", SCC " << scc);
      RunSnippet(
          label,
          [&](TestMachine& m) {
            m.SetSgpr(kFirst, static_cast<uint32_t>(a));
            m.SetSgpr(kSecond, static_cast<uint32_t>(b));
            m.SetScc(scc);
          },
          [&](TestMachine& m) {
            const Expected want = expected(a, b, scc);
            EXPECT_EQ(m.Sgpr(kResult), static_cast<uint32_t>(want.value));
            EXPECT_EQ(m.Scc(), want.scc);
          });
    }
  }
}

template <class F>
void Test64(const char* label, F expected) {
  for (const uint64_t a : kWideValues) {
    for (const uint64_t b : kWideValues) {
      const bool scc = (a ^ b) & 2;
      SCOPED_TRACE(testing::Message() << std::hex << a << ", " << b << ", SCC " << scc);
      RunSnippet(
          label,
          [&](TestMachine& m) {
            m.SetSgpr64(kFirst, a);
            m.SetSgpr64(kSecond, b);
            m.SetScc(scc);
          },
          [&](TestMachine& m) {
            const Expected want = expected(a, b, scc);
            EXPECT_EQ(m.Sgpr64(kResult), want.value);
            EXPECT_EQ(m.Scc(), want.scc);
          });
    }
  }
}

// The second source of shifts and bit fields is one register.
template <class F>
void Test64By32(const char* label, F expected) {
  for (const uint64_t a : kWideValues) {
    for (const uint32_t b : {0u, 1u, 31u, 32u, 63u, 64u, 65u, 0xffffffffu, 0x10000u, 0x200004u,
                             0x3f0001u, 0x400000u, 0x410000u, 0x7f003fu, 0x180028u}) {
      SCOPED_TRACE(testing::Message() << std::hex << a << ", " << b);
      RunSnippet(
          label,
          [&](TestMachine& m) {
            m.SetSgpr64(kFirst, a);
            m.SetSgpr(kSecond, b);
          },
          [&](TestMachine& m) {
            const uint64_t want = expected(a, b);
            EXPECT_EQ(m.Sgpr64(kResult), want);
            EXPECT_EQ(m.Scc(), want != 0);
          });
    }
  }
}

Expected NotZero32(uint64_t value) { return {value, static_cast<uint32_t>(value) != 0}; }
Expected NotZero64(uint64_t value) { return {value, value != 0}; }

// Bit by bit: the result of `count` bits of `value` from bit `first` on; bits past the top are
// copies of `fill`.
uint64_t Field(uint64_t value, unsigned first, unsigned count, unsigned width, bool fill) {
  uint64_t result = 0;
  for (unsigned i = 0; i < count && i < width; ++i) {
    const unsigned from = first + i;
    const bool bit = from < width ? value >> from & 1 : fill;
    result |= uint64_t{bit} << i;
  }
  return result;
}

uint64_t SignedField(uint64_t value, unsigned first, unsigned count, unsigned width) {
  const bool top = value >> (width - 1) & 1;
  if (count == 0) return 0;
  if (count > width) count = width;
  uint64_t result = Field(value, first, count, width, top);
  const bool sign = result >> (count - 1) & 1;
  for (unsigned i = count; i < 64; ++i) result |= uint64_t{sign} << i;
  return result;
}

TEST(Sop2, AddsAndSubtractsUnsignedWithTheCarryInScc) {
  Test32("s_add_u32", [](uint64_t a, uint64_t b, bool) {
    return Expected{a + b, a + b > 0xffffffff};
  });
  Test32("s_sub_u32", [](uint64_t a, uint64_t b, bool) { return Expected{a - b, a < b}; });
}

TEST(Sop2, AddsAndSubtractsSignedWithTheOverflowInScc) {
  Test32("s_add_i32", [](uint64_t a, uint64_t b, bool) {
    return Expected{a + b, !FitsSigned(S32(a) + S32(b))};
  });
  Test32("s_sub_i32", [](uint64_t a, uint64_t b, bool) {
    return Expected{a - b, !FitsSigned(S32(a) - S32(b))};
  });
}

TEST(Sop2, AddsAndSubtractsWithTheCarryFromScc) {
  Test32("s_addc_u32", [](uint64_t a, uint64_t b, bool scc) {
    const uint64_t sum = a + b + (scc ? 1 : 0);
    return Expected{sum, sum > 0xffffffff};
  });
  Test32("s_subb_u32", [](uint64_t a, uint64_t b, bool scc) {
    const int64_t difference = static_cast<int64_t>(a) - static_cast<int64_t>(b) - (scc ? 1 : 0);
    return Expected{static_cast<uint64_t>(difference), difference < 0};
  });
}

TEST(Sop2, MinAndMaxSayInSccWhetherTheFirstWon) {
  Test32("s_min_i32", [](uint64_t a, uint64_t b, bool) {
    return S32(a) < S32(b) ? Expected{a, true} : Expected{b, false};
  });
  Test32("s_min_u32", [](uint64_t a, uint64_t b, bool) {
    return a < b ? Expected{a, true} : Expected{b, false};
  });
  Test32("s_max_i32", [](uint64_t a, uint64_t b, bool) {
    return S32(a) > S32(b) ? Expected{a, true} : Expected{b, false};
  });
  Test32("s_max_u32", [](uint64_t a, uint64_t b, bool) {
    return a > b ? Expected{a, true} : Expected{b, false};
  });
}

TEST(Sop2, SelectsByScc) {
  Test32("s_cselect_b32", [](uint64_t a, uint64_t b, bool scc) {
    return Expected{scc ? a : b, scc};
  });
  Test64("s_cselect_b64", [](uint64_t a, uint64_t b, bool scc) {
    return Expected{scc ? a : b, scc};
  });
}

TEST(Sop2, CombinesBits) {
  Test32("s_and_b32", [](uint64_t a, uint64_t b, bool) { return NotZero32(a & b); });
  Test32("s_or_b32", [](uint64_t a, uint64_t b, bool) { return NotZero32(a | b); });
  Test32("s_xor_b32", [](uint64_t a, uint64_t b, bool) { return NotZero32(a ^ b); });
  Test32("s_andn2_b32", [](uint64_t a, uint64_t b, bool) { return NotZero32(a & ~b); });
  Test32("s_orn2_b32", [](uint64_t a, uint64_t b, bool) { return NotZero32(a | ~b); });
  Test32("s_nand_b32", [](uint64_t a, uint64_t b, bool) { return NotZero32(~(a & b)); });
  Test32("s_nor_b32", [](uint64_t a, uint64_t b, bool) { return NotZero32(~(a | b)); });
  Test32("s_xnor_b32", [](uint64_t a, uint64_t b, bool) { return NotZero32(~(a ^ b)); });
  Test64("s_and_b64", [](uint64_t a, uint64_t b, bool) { return NotZero64(a & b); });
  Test64("s_or_b64", [](uint64_t a, uint64_t b, bool) { return NotZero64(a | b); });
  Test64("s_xor_b64", [](uint64_t a, uint64_t b, bool) { return NotZero64(a ^ b); });
  Test64("s_andn2_b64", [](uint64_t a, uint64_t b, bool) { return NotZero64(a & ~b); });
  Test64("s_orn2_b64", [](uint64_t a, uint64_t b, bool) { return NotZero64(a | ~b); });
  Test64("s_nand_b64", [](uint64_t a, uint64_t b, bool) { return NotZero64(~(a & b)); });
  Test64("s_nor_b64", [](uint64_t a, uint64_t b, bool) { return NotZero64(~(a | b)); });
  Test64("s_xnor_b64", [](uint64_t a, uint64_t b, bool) { return NotZero64(~(a ^ b)); });
}

TEST(Sop2, ShiftsByTheLowBitsOfTheSecondSource) {
  Test32("s_lshl_b32", [](uint64_t a, uint64_t b, bool) { return NotZero32(a << (b % 32)); });
  Test32("s_lshr_b32", [](uint64_t a, uint64_t b, bool) { return NotZero32(a >> (b % 32)); });
  Test32("s_ashr_i32", [](uint64_t a, uint64_t b, bool) {
    return NotZero32(static_cast<uint64_t>(S32(a) >> (b % 32)));
  });
  Test64By32("s_lshl_b64", [](uint64_t a, uint32_t b) { return a << (b % 64); });
  Test64By32("s_lshr_b64", [](uint64_t a, uint32_t b) { return a >> (b % 64); });
  Test64By32("s_ashr_i64", [](uint64_t a, uint32_t b) {
    return static_cast<uint64_t>(static_cast<int64_t>(a) >> (b % 64));
  });
}

TEST(Sop2, MakesBitFieldMasks) {
  Test32("s_bfm_b32", [](uint64_t a, uint64_t b, bool scc) {
    uint64_t mask = 0;
    for (unsigned i = 0; i < a % 32; ++i) mask |= uint64_t{1} << (b % 32 + i);
    return Expected{mask, scc};
  });
  for (const uint32_t width : {0u, 1u, 31u, 32u, 33u, 63u, 64u, 70u}) {
    for (const uint32_t shift : {0u, 1u, 31u, 32u, 63u, 64u}) {
      uint64_t mask = 0;
      for (unsigned i = 0; i < width % 64 && shift % 64 + i < 64; ++i) {
        mask |= uint64_t{1} << (shift % 64 + i);
      }
      RunSnippet(
          "s_bfm_b64",
          [&](TestMachine& m) {
            m.SetSgpr(kFirst, width);
            m.SetSgpr(kSecond, shift);
          },
          [&](TestMachine& m) { EXPECT_EQ(m.Sgpr64(kResult), mask); });
    }
  }
}

TEST(Sop2, ExtractsBitFields) {
  Test32("s_bfe_u32", [](uint64_t a, uint64_t b, bool) {
    return NotZero32(Field(a, b & 31, b >> 16 & 127, 32, false));
  });
  Test32("s_bfe_i32", [](uint64_t a, uint64_t b, bool) {
    return NotZero32(SignedField(a, b & 31, b >> 16 & 127, 32));
  });
  Test64By32("s_bfe_u64",
             [](uint64_t a, uint32_t b) { return Field(a, b & 63, b >> 16 & 127, 64, false); });
  Test64By32("s_bfe_i64",
             [](uint64_t a, uint32_t b) { return SignedField(a, b & 63, b >> 16 & 127, 64); });
}

TEST(Sop2, ExtractsFieldsOfEveryWidth) {
  for (uint32_t width = 0; width <= 40; ++width) {
    const uint32_t a = 0x9a3b7c5d;
    RunSnippet(
        "s_bfe_i32",
        [&](TestMachine& m) {
          m.SetSgpr(kFirst, a);
          m.SetSgpr(kSecond, width << 16 | 5);
        },
        [&](TestMachine& m) {
          const uint32_t want = static_cast<uint32_t>(SignedField(a, 5, width, 32));
          EXPECT_EQ(m.Sgpr(kResult), want) << width;
          EXPECT_EQ(m.Scc(), want != 0);
        });
  }
}

TEST(Sop2, Multiplies) {
  Test32("s_mul_i32", [](uint64_t a, uint64_t b, bool scc) { return Expected{a * b, scc}; });
  Test32("s_mul_hi_u32", [](uint64_t a, uint64_t b, bool scc) {
    return Expected{a * b / 0x100000000, scc};
  });
  Test32("s_mul_hi_i32", [](uint64_t a, uint64_t b, bool scc) {
    const int64_t product = S32(a) * S32(b);
    return Expected{static_cast<uint64_t>(product) >> 32, scc};
  });
}

TEST(Sop2, TheAbsoluteDifferenceWrapsBeforeItsSignIsTaken) {
  Test32("s_absdiff_i32", [](uint64_t a, uint64_t b, bool) {
    const int64_t wrapped = S32(a - b);
    return NotZero32(static_cast<uint64_t>(wrapped < 0 ? -wrapped : wrapped));
  });
  const auto test = [](uint32_t a, uint32_t b, uint32_t want) {
    RunSnippet(
        "s_absdiff_i32",
        [&](TestMachine& m) {
          m.SetSgpr(kFirst, a);
          m.SetSgpr(kSecond, b);
        },
        [&](TestMachine& m) {
          EXPECT_EQ(m.Sgpr(kResult), want);
          EXPECT_TRUE(m.Scc());
        });
  };
  test(2, 5, 3);
  test(0xffffffff, 0, 1);
  test(0x80000000, 0, 0x80000000);
  test(0x80000000, 1, 0x7fffffff);
  test(0x80000000, 0xfffffffe, 0x7ffffffe);
}

TEST(Sop2, ShiftsAndAdds) {
  Test32("s_lshl1_add_u32", [](uint64_t a, uint64_t b, bool) {
    return Expected{a * 2 + b, a * 2 + b > 0xffffffff};
  });
  Test32("s_lshl2_add_u32", [](uint64_t a, uint64_t b, bool) {
    return Expected{a * 4 + b, a * 4 + b > 0xffffffff};
  });
  Test32("s_lshl3_add_u32", [](uint64_t a, uint64_t b, bool) {
    return Expected{a * 8 + b, a * 8 + b > 0xffffffff};
  });
  Test32("s_lshl4_add_u32", [](uint64_t a, uint64_t b, bool) {
    return Expected{a * 16 + b, a * 16 + b > 0xffffffff};
  });
}

TEST(Sop2, PacksHalves) {
  Test32("s_pack_ll_b32_b16", [](uint64_t a, uint64_t b, bool scc) {
    return Expected{a % 0x10000 + b % 0x10000 * 0x10000, scc};
  });
  Test32("s_pack_lh_b32_b16", [](uint64_t a, uint64_t b, bool scc) {
    return Expected{a % 0x10000 + b / 0x10000 * 0x10000, scc};
  });
  Test32("s_pack_hh_b32_b16", [](uint64_t a, uint64_t b, bool scc) {
    return Expected{a / 0x10000 + b / 0x10000 * 0x10000, scc};
  });
}

TEST(ScalarOperands, TakeALiteralOnEitherSide) {
  const auto setup = [](TestMachine& m) { m.SetSgpr(kFirst, 1); };
  RunSnippet("sop2_literal", setup, [](TestMachine& m) {
    EXPECT_EQ(m.Sgpr(kResult), 0x12345679u);
    EXPECT_FALSE(m.Scc());
  });
  RunSnippet("sop2_literal_first", setup, [](TestMachine& m) {
    EXPECT_EQ(m.Sgpr(kResult), 0x12345677u);
    EXPECT_FALSE(m.Scc());
  });
}

TEST(ScalarOperands, KnowInlineConstants) {
  const auto none = [](TestMachine&) {};
  RunSnippet("sop2_inline_integers", none, [](TestMachine& m) {
    EXPECT_EQ(m.Sgpr(kResult), 48u);
    EXPECT_TRUE(m.Scc());
  });
  RunSnippet("sop2_inline_float", none, [](TestMachine& m) {
    EXPECT_EQ(m.Sgpr(kResult), std::bit_cast<uint32_t>(1.0f));
    EXPECT_TRUE(m.Scc());
  });
  RunSnippet("sop2_inline_float_64", none, [](TestMachine& m) {
    EXPECT_EQ(m.Sgpr64(kResult), std::bit_cast<uint64_t>(-4.0));
    EXPECT_TRUE(m.Scc());
  });
  RunSnippet("sop2_inline_negative_64", none, [](TestMachine& m) {
    EXPECT_EQ(m.Sgpr64(kResult), ~uint64_t{0});
    EXPECT_TRUE(m.Scc());
  });
  RunSnippet("sop2_literal_64", none, [](TestMachine& m) {
    EXPECT_EQ(m.Sgpr64(kResult), 0x87654321u);
    EXPECT_TRUE(m.Scc());
  });
}

TEST(ScalarOperands, KnowVccM0AndExec) {
  RunSnippet(
      "sop2_vcc", [](TestMachine& m) { m.SetSgpr64(kFirst, 0xff00ff00ff00ff00); },
      [](TestMachine& m) {
        EXPECT_EQ(m.Vcc(), 0xff00ff00ff00ff00 & m.exec_before());
        EXPECT_TRUE(m.Scc());
      });
  RunSnippet(
      "sop2_m0", [](TestMachine& m) { m.SetM0(0xffffffff); },
      [](TestMachine& m) {
        EXPECT_EQ(m.M0(), 0u);
        EXPECT_TRUE(m.Scc());
      });
}

TEST(ScalarOperands, KnowTheEndsOfTheApertures) {
  RunSnippet(
      "sop2_apertures", [](TestMachine&) {},
      [](TestMachine& m) {
        EXPECT_EQ(m.Sgpr64(kResult), 0x0001000000000000u | 0x00020000ffffffffu);
        EXPECT_TRUE(m.Scc());
      });
}

TEST(ScalarOperands, KnowTheConditionBits) {
  for (const bool scc : {false, true}) {
    RunSnippet(
        "sop2_scc",
        [&](TestMachine& m) {
          m.SetScc(scc);
          m.SetSgpr(kFirst, 41);
        },
        [&](TestMachine& m) {
          EXPECT_EQ(m.Sgpr(kResult), scc ? 42u : 41u);
          EXPECT_FALSE(m.Scc());
        });
  }
  for (const uint64_t vcc : {uint64_t{0}, uint64_t{1} << 63}) {
    RunSnippet(
        "sop2_vccz", [&](TestMachine& m) { m.SetVcc(vcc); },
        [&](TestMachine& m) {
          EXPECT_EQ(m.Sgpr(kResult), vcc == 0 ? 1u : 0u);
          EXPECT_FALSE(m.Scc());
        });
  }
}

}  // namespace
}  // namespace vgpu::sop2_test
