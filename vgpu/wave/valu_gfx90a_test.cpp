// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "vgpu/wave/gfx90a.h"
#include "vgpu/wave/valu_test_floats.h"

namespace vgpu::valu::test {
namespace {

// What v2 to v7 hold: small numbers that differ by register and lane, so that every result is
// exact.
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
  Gfx90aForTest gfx90a_;
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
        EXPECT_NE(m.fault().message.find("global_atomic_add_f64"), std::string::npos)
            << m.fault().message;
      });
}

TEST(Gfx906, DoesNotRunWhatOnlyGfx90aHas) {
  RunSnippet(
      "gfx906_unknown", [](TestMachine&) {},
      [](TestMachine& m) { EXPECT_EQ(m.fault().code, Fault::Code::kIllegalInstruction); });
}

}  // namespace
}  // namespace vgpu::valu::test
