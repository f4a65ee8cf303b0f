// SPDX-License-Identifier: MIT
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "vgpu/wave/isa.h"
#include "vgpu/wave/valu/valu_test_floats.h"

namespace vgpu::valu::test {
namespace {

// v2 to v7 hold small numbers that differ by register and lane, so that every result is exact.
float Number(uint32_t number, int lane) {
  return static_cast<float>(static_cast<int>(number * 7) - lane) * 0.25f;
}

class Gfx90a : public testing::Test {
 protected:
  // Runs the snippet and expects low(lane) and high(lane) in v10 and v11.
  static void ExpectPair(const char* label, const std::function<float(int)>& low,
                         const std::function<float(int)>& high) {
    RunSnippet(label, SetNumbers, [&](TestMachine& m) {
      m.ForActive([&](int lane) {
        EXPECT_EQ(m.Vgpr(10, lane), BitsOf(low(lane))) << label << ", lane " << lane;
        EXPECT_EQ(m.Vgpr(11, lane), BitsOf(high(lane))) << label << ", lane " << lane;
      });
    });
  }

  static void SetNumbers(TestMachine& m) {
    m.SetMode(kDefaultMode);
    for (int lane = 0; lane < kLanes; ++lane) {
      for (uint32_t number : {2, 3, 4, 5, 6, 7, 10, 11}) {
        m.SetVgpr(number, lane, BitsOf(Number(number, lane)));
      }
    }
    m.SetSgpr(4, BitsOf(3.0f));
    m.SetSgpr(5, BitsOf(-5.0f));
  }

 private:
  ScopedIsa isa_{0x90a};
};

TEST_F(Gfx90a, PackedFloatsAreTheFormulaOnBothRegistersOfThePairs) {
  const auto n = Number;
  ExpectPair(
      "v_pk_fma_f32", [&](int l) { return n(2, l) * n(4, l) + n(6, l); },
      [&](int l) { return n(3, l) * n(5, l) + n(7, l); });
  ExpectPair(
      "v_pk_mul_f32", [&](int l) { return n(2, l) * n(4, l); },
      [&](int l) { return n(3, l) * n(5, l); });
  ExpectPair(
      "v_pk_add_f32", [&](int l) { return n(2, l) + n(4, l); },
      [&](int l) { return n(3, l) + n(5, l); });
}

TEST_F(Gfx90a, SelectionAndNegationAreThoseOfEachResult) {
  const auto n = Number;
  ExpectPair(
      "v_pk_fma_f32_swapped", [&](int l) { return n(3, l) * n(4, l) + n(7, l); },
      [&](int l) { return n(2, l) * n(5, l) + n(6, l); });
  ExpectPair(
      "v_pk_add_f32_negated", [&](int l) { return n(2, l) - n(4, l); },
      [&](int l) { return n(5, l) - n(3, l); });
  ExpectPair(
      "v_pk_add_f32_in_place", [&](int l) { return n(11, l) + n(11, l); },
      [&](int l) { return n(10, l) + n(10, l); });
}

TEST_F(Gfx90a, ScalarPairsHaveTwoRegistersAndConstantsOneValue) {
  const auto n = Number;
  ExpectPair(
      "v_pk_mul_f32_scalar", [&](int l) { return n(2, l) * 3.0f; },
      [&](int l) { return n(3, l) * -5.0f; });
  ExpectPair(
      "v_pk_mul_f32_constant", [&](int l) { return n(2, l) * 2.0f; },
      [&](int l) { return n(3, l) * 2.0f; });
}

TEST_F(Gfx90a, APackedMoveTakesOneRegisterOfEachPair) {
  ExpectPair(
      "v_pk_mov_b32", [](int l) { return Number(3, l); }, [](int l) { return Number(4, l); });
  RunSnippet("v_pk_mov_b32_pairs", SetNumbers, [](TestMachine& m) {
    m.ForActive([&](int lane) {
      EXPECT_EQ(m.Vgpr(10, lane), BitsOf(3.0f));
      EXPECT_EQ(m.Vgpr(11, lane), BitsOf(-5.0f));
    });
  });
}

TEST_F(Gfx90a, FmacOfDoublesAddsToItsDestination) {
  const auto set = [](TestMachine& m) {
    m.SetMode(kDefaultMode);
    for (int lane = 0; lane < kLanes; ++lane) {
      m.SetVgpr64(2, lane, BitsOf(1.5 + lane));
      m.SetVgpr64(4, lane, BitsOf(-2.25 * lane));
      m.SetVgpr64(10, lane, BitsOf(100.0));
    }
  };
  RunSnippet("v_fmac_f64", set, [](TestMachine& m) {
    m.ForActive([&](int lane) {
      EXPECT_EQ(m.Vgpr64(10, lane), BitsOf(std::fma(1.5 + lane, -2.25 * lane, 100.0)));
    });
  });
  RunSnippet("v_fmac_f64_e64", set, [](TestMachine& m) {
    m.ForActive([&](int lane) {
      EXPECT_EQ(m.Vgpr64(10, lane), BitsOf(std::fma(-(1.5 + lane), -2.25 * lane, 100.0)));
    });
  });
}

// One lane's sum of products of signed elements of `bits` bits.
template <int bits>
int64_t Products(uint32_t a, uint32_t b) {
  int64_t sum = 0;
  for (int i = 0; i < 32; i += bits) {
    const auto element = [i](uint32_t word) {
      return static_cast<int64_t>(static_cast<int32_t>(word << (32 - bits - i)) >> (32 - bits));
    };
    sum += element(a) * element(b);
  }
  return sum;
}

template <int bits>
void ExpectAccumulated(const char* label) {
  RunSnippet(
      label,
      [](TestMachine& m) {
        for (int lane = 0; lane < kLanes; ++lane) m.SetVgpr(10, lane, 0x7ffffff0u * (lane % 3));
      },
      [&](TestMachine& m) {
        m.ForActive([&](int lane) {
          const int64_t sum = Products<bits>(m.Before(2, lane), m.Before(4, lane)) +
                              static_cast<int32_t>(m.Before(10, lane));
          EXPECT_EQ(m.Vgpr(10, lane), static_cast<uint32_t>(sum)) << label << ", lane " << lane;
        });
      });
}

TEST_F(Gfx90a, DotProductsAddToTheirDestination) {
  ExpectAccumulated<16>("v_dot2c_i32_i16");
  ExpectAccumulated<8>("v_dot4c_i32_i8");
  ExpectAccumulated<4>("v_dot8c_i32_i4");
}

uint32_t TwoHalves(float low, float high) {
  return BitsOf(static_cast<Half>(low)) | uint32_t{BitsOf(static_cast<Half>(high))} << 16;
}
float HalfOf(uint32_t packed, bool high) {
  return static_cast<float>(std::bit_cast<Half>(static_cast<uint16_t>(packed >> (high ? 16 : 0))));
}

// Small integers: every sum is exact.
void SetHalves(TestMachine& m) {
  m.SetMode(kDefaultMode);
  for (int lane = 0; lane < kLanes; ++lane) {
    m.SetVgpr(2, lane, TwoHalves(static_cast<float>(lane - 20), static_cast<float>(3 - lane)));
    m.SetVgpr(4, lane, TwoHalves(static_cast<float>(lane % 7), static_cast<float>(lane % 5 - 9)));
    m.SetVgpr(10, lane, BitsOf(1000.5f + static_cast<float>(lane)));
  }
}

TEST_F(Gfx90a, TheDotProductOfHalvesAddsToAFloat) {
  const auto expect = [](TestMachine& m, int lane, int from) {
    const uint32_t a = m.Before(2, from), b = m.Before(4, lane);
    const float want = HalfOf(a, false) * HalfOf(b, false) + HalfOf(a, true) * HalfOf(b, true) +
                       std::bit_cast<float>(m.Before(10, lane));
    EXPECT_EQ(m.Vgpr(10, lane), BitsOf(want)) << "lane " << lane;
  };
  RunSnippet("v_dot2c_f32_f16", SetHalves,
             [&](TestMachine& m) { m.ForActive([&](int lane) { expect(m, lane, lane); }); });
  RunSnippet("v_dot2c_f32_f16_dpp", SetHalves, [&](TestMachine& m) {
    m.ForActive([&](int lane) {
      const int from = lane / 16 * 16 + 3;
      if (m.Active(from)) expect(m, lane, from);
    });
  });
}

TEST_F(Gfx90a, PackedFmacAddsToBothHalves) {
  const auto set = [](TestMachine& m) {
    SetHalves(m);
    for (int lane = 0; lane < kLanes; ++lane) m.SetVgpr(10, lane, TwoHalves(0.5f, -7.0f));
  };
  RunSnippet("v_pk_fmac_f16", set, [](TestMachine& m) {
    m.ForActive([&](int lane) {
      const uint32_t a = m.Before(2, lane), b = m.Before(4, lane);
      EXPECT_EQ(m.Vgpr(10, lane), TwoHalves(HalfOf(a, false) * HalfOf(b, false) + 0.5f,
                                            HalfOf(a, true) * HalfOf(b, true) - 7.0f));
    });
  });
}

TEST_F(Gfx90a, LegacyProductsOfZeroAreZero) {
  const auto set = [](TestMachine& m) {
    m.SetMode(kDefaultMode);
    for (int lane = 0; lane < kLanes; ++lane) {
      m.SetVgpr(2, lane, BitsOf(lane % 2 == 0 ? -0.0f : 1.5f));
      m.SetVgpr(4, lane, lane % 4 < 2 ? 0x7f800000 : BitsOf(2.0f));
    }
  };
  RunSnippet("v_mul_legacy_f32_gfx90a", set, [](TestMachine& m) {
    m.ForActive([&](int lane) {
      const uint32_t product = lane % 4 == 1 ? 0x7f800000 : BitsOf(3.0f);
      EXPECT_EQ(m.Vgpr(10, lane), lane % 2 == 0 ? 0u : product) << "lane " << lane;
    });
  });
}

TEST_F(Gfx90a, DppBroadcastsALaneToItsRow) {
  RunSnippet(
      "row_newbcast", [](TestMachine&) {},
      [](TestMachine& m) {
        m.ForActive([&](int lane) {
          const int from = lane / 16 * 16 + 5;
          if (!m.Active(from)) return;
          EXPECT_EQ(m.Vgpr(10, lane), m.Before(2, from)) << "lane " << lane;
        });
      });
}

TEST_F(Gfx90a, DppReachesBothHalvesOfADouble) {
  const auto set = [](TestMachine& m) {
    m.SetMode(kDefaultMode);
    for (int lane = 0; lane < kLanes; ++lane) m.SetVgpr64(2, lane, BitsOf(lane * 1e10 + 0.25));
  };
  RunSnippet("row_newbcast_f64", set, [](TestMachine& m) {
    m.ForActive([&](int lane) {
      const int from = lane / 16 * 16 + 15;
      if (!m.Active(from)) return;
      EXPECT_EQ(m.Vgpr64(10, lane), BitsOf(from * 1e10 + 1)) << "lane " << lane;
    });
  });
}

TEST_F(Gfx90a, CachesAreAlwaysCoherent) {
  for (const char* label : {"buffer_wbl2", "buffer_invl2"}) {
    RunSnippet(
        label, [](TestMachine&) {}, [](TestMachine&) {});
  }
}

TEST_F(Gfx90a, NamesWhatIsNotModelled) {
  RunSnippet(
      "gfx90a_unknown", [](TestMachine&) {},
      [](TestMachine& m) {
        EXPECT_EQ(m.fault().code, Fault::Code::kIllegalInstruction);
        EXPECT_NE(m.fault().message.find("buffer_load_format_d16_hi_x"), std::string::npos)
            << m.fault().message;
      });
}

TEST(Gfx906, HasNoNewRowBroadcast) {
  RunSnippet(
      "row_newbcast", [](TestMachine&) {},
      [](TestMachine& m) { EXPECT_EQ(m.fault().code, Fault::Code::kIllegalInstruction); });
}

TEST(Gfx906, DoesNotRunWhatOnlyGfx90aHas) {
  RunSnippet(
      "gfx906_unknown", [](TestMachine&) {},
      [](TestMachine& m) { EXPECT_EQ(m.fault().code, Fault::Code::kIllegalInstruction); });
}

}  // namespace
}  // namespace vgpu::valu::test
