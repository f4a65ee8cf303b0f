// SPDX-License-Identifier: MIT
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "vgpu/wave/isa.h"
#include "vgpu/wave/valu/valu_test_floats.h"

namespace vgpu::valu::test::gfx942_test {
namespace {

constexpr uint32_t kOffset = 16;

class Gfx942 : public testing::Test {
 protected:
  // Runs the snippet with want(lane) in v10 as its only result.
  template <class Set, class Want>
  static void ExpectLanes32(const char* label, Set set, Want want) {
    RunSnippet(label, set, [&](TestMachine& m) {
      m.ForActive([&](int lane) { EXPECT_EQ(m.Vgpr(10, lane), want(lane)) << label << lane; });
    });
  }
  template <class Set, class Want>
  static void ExpectLanes64(const char* label, Set set, Want want) {
    RunSnippet(label, set, [&](TestMachine& m) {
      m.ForActive([&](int lane) { EXPECT_EQ(m.Vgpr64(10, lane), want(lane)) << label << lane; });
    });
  }

 private:
  ScopedIsa isa_{0x942};
};

TEST_F(Gfx942, MultiplicationsWithAConstantAreFused) {
  constexpr float kPi = std::bit_cast<float>(0x40490fdbu);
  const auto a = [](int lane) { return 1.0f + 0x1p-12f * static_cast<float>(lane); };
  const auto b = [](int lane) { return -3.0f - static_cast<float>(lane) * 0x1p-20f; };
  const auto set = [&](TestMachine& m) {
    m.SetMode(kDefaultMode);
    for (int lane = 0; lane < kLanes; ++lane) {
      m.SetVgpr(2, lane, BitsOf(a(lane)));
      m.SetVgpr(4, lane, BitsOf(b(lane)));
    }
  };
  ExpectLanes32("v_fmamk_f32", set,
                [&](int lane) { return BitsOf(std::fma(a(lane), kPi, b(lane))); });
  ExpectLanes32("v_fmaak_f32", set,
                [&](int lane) { return BitsOf(std::fma(a(lane), b(lane), kPi)); });
}

uint64_t Wide(uint32_t number, int lane) {
  return 0xfedcba9876543210 * (number + 1) + static_cast<uint64_t>(lane) * 0x100000001;
}

void SetWide(TestMachine& m) {
  for (int lane = 0; lane < kLanes; ++lane) {
    m.SetVgpr64(2, lane, Wide(2, lane));
    m.SetVgpr(4, lane, static_cast<uint32_t>(lane));
    m.SetVgpr64(6, lane, Wide(6, lane));
  }
  m.SetSgpr64(4, 0x8000000000000123);
}

TEST_F(Gfx942, PairsAreMovedShiftedAndAdded) {
  ExpectLanes64("v_mov_b64", SetWide, [](int lane) { return Wide(2, lane); });
  // Each lane reads from lane 3 of its row. Where lane 3 is disabled, nothing is written.
  RunSnippet("v_mov_b64_dpp", SetWide, [](TestMachine& m) {
    m.ForActive([&](int lane) {
      const int from = lane / 16 * 16 + 3;
      if (m.Active(from)) {
        EXPECT_EQ(m.Vgpr64(10, lane), Wide(2, from)) << lane;
      }
    });
  });
  ExpectLanes64("v_lshl_add_u64", SetWide,
                [](int lane) { return (Wide(2, lane) << lane % 8) + Wide(6, lane); });
  ExpectLanes64("v_lshl_add_u64_constant", SetWide,
                [](int lane) { return (0x8000000000000123u << 3) + Wide(6, lane); });
}

// What the bits of an 8-bit float are worth.
float Value(uint32_t bits, int fraction, int bias) {
  if (bits == 0x80) return NAN;
  const int exponent = static_cast<int>(bits >> fraction & (0x7fu >> fraction));
  const float part =
      static_cast<float>(bits & ((1u << fraction) - 1)) / static_cast<float>(1 << fraction);
  const float size = exponent == 0 ? part * std::exp2(static_cast<float>(1 - bias))
                                   : (1 + part) * std::exp2(static_cast<float>(exponent - bias));
  return bits >= 0x80 ? -size : size;
}

void ExpectFloat(uint32_t got, float want) {
  if (std::isnan(want)) {
    EXPECT_TRUE(std::isnan(std::bit_cast<float>(got))) << std::hex << got;
  } else {
    EXPECT_EQ(got, BitsOf(want));
  }
}

// Four runs of 64 lanes have all 256 numbers in one byte of the register, others in the rest.
template <class Check>
void ForAllBytes(const char* label, Check check) {
  for (uint32_t first = 0; first < 256; first += kLanes) {
    const auto word = [&](int lane) { return (first + static_cast<uint32_t>(lane)) * 0x01110101u; };
    RunSnippet(
        label,
        [&](TestMachine& m) {
          m.SetMode(kDefaultMode);
          for (int lane = 0; lane < kLanes; ++lane) m.SetVgpr(2, lane, word(lane));
        },
        [&](TestMachine& m) { m.ForActive([&](int lane) { check(m, lane, word(lane)); }); });
  }
}

TEST_F(Gfx942, EightBitFloatsBecomeSingle) {
  for (const auto& [label, fraction, bias, shift] :
       {std::tuple("v_cvt_f32_fp8", 3, 8, 0), std::tuple("v_cvt_f32_bf8", 2, 16, 0),
        std::tuple("v_cvt_f32_fp8_byte_2", 3, 8, 16)}) {
    ForAllBytes(label,
                [&, f = fraction, b = bias, s = shift](TestMachine& m, int lane, uint32_t word) {
                  ExpectFloat(m.Vgpr(10, lane), Value(word >> s & 0xff, f, b));
                });
  }
  for (const auto& [label, fraction, bias, shift] :
       {std::tuple("v_cvt_pk_f32_fp8", 3, 8, 0), std::tuple("v_cvt_pk_f32_bf8", 2, 16, 0),
        std::tuple("v_cvt_pk_f32_fp8_high", 3, 8, 16)}) {
    ForAllBytes(label,
                [&, f = fraction, b = bias, s = shift](TestMachine& m, int lane, uint32_t word) {
                  ExpectFloat(m.Vgpr(10, lane), Value(word >> s & 0xff, f, b));
                  ExpectFloat(m.Vgpr(11, lane), Value(word >> (s + 8) & 0xff, f, b));
                });
  }
}

constexpr uint32_t kModeFp16Ovfl = 0x800000;
constexpr uint32_t kOld = 0xaabbccdd;  // in the destination

// The nearest 8-bit float, found by trying all of them. Of two that are equally near, the even one.
uint32_t Nearest(float value, int fraction, int bias, bool clamps) {
  if (!std::isfinite(value)) return 0x80;
  const double size = std::fabs(static_cast<double>(value));
  // Rounds numbers above the largest as if the next one existed.
  const double largest = static_cast<double>(Value(0x7f, fraction, bias));
  const double step = largest - static_cast<double>(Value(0x7e, fraction, bias));
  if (size >= largest + step / 2) return clamps ? (value < 0 ? 0xff : 0x7f) : 0x80;
  uint32_t best = 0;
  for (uint32_t code = 1; code < 0x80; ++code) {
    const double distance = std::fabs(static_cast<double>(Value(code, fraction, bias)) - size);
    const double least = std::fabs(static_cast<double>(Value(best, fraction, bias)) - size);
    if (distance < least || (distance == least && code % 2 == 0)) best = code;
  }
  return best == 0 ? 0 : best | (value < 0 ? 0x80 : 0);
}

// Each 8-bit float, the middle between it and the next, and their neighbours.
std::vector<float> Edges(int fraction, int bias) {
  std::vector<float> edges = {INFINITY, -INFINITY, NAN, 0x1p-149f, -0x1p-130f, 0x1p127f, -3e38f};
  for (uint32_t code = 0; code < 0x80; ++code) {
    const float here = Value(code, fraction, bias);
    const float next = code < 0x7f ? Value(code + 1, fraction, bias) : here * 1.25f;
    for (const float at : {here, here / 2 + next / 2}) {
      for (const float value : {at, std::nextafter(at, 0.0f), std::nextafter(at, INFINITY)}) {
        edges.push_back(value);
        edges.push_back(-value);
      }
    }
  }
  return edges;
}

// Calls check(machine, lane, value, other) for runs of the snippet with v2 and v4 from `values`.
template <class Check>
void ForAllFloats(const char* label, uint32_t mode, const std::vector<float>& values, Check check) {
  for (size_t first = 0; first < values.size(); first += kLanes) {
    const auto value = [&](int lane) {
      return values[(first + static_cast<size_t>(lane)) % values.size()];
    };
    const auto other = [&](int lane) {
      return values[(5 * first + 11 * static_cast<size_t>(lane)) % values.size()];
    };
    RunSnippet(
        label,
        [&](TestMachine& m) {
          m.SetMode(mode);
          for (int lane = 0; lane < kLanes; ++lane) {
            m.SetVgpr(2, lane, BitsOf(value(lane)));
            m.SetVgpr(4, lane, BitsOf(other(lane)));
            m.SetVgpr(10, lane, kOld);
          }
        },
        [&](TestMachine& m) {
          m.ForActive([&](int lane) { check(m, lane, value(lane), other(lane)); });
        });
  }
}

TEST_F(Gfx942, SinglesBecomeTheNearestEightBitFloats) {
  for (const bool clamps : {false, true}) {
    const uint32_t mode = kDefaultMode | (clamps ? kModeFp16Ovfl : 0);
    for (const auto& [label, fraction, bias] :
         {std::tuple("v_cvt_pk_fp8_f32", 3, 8), std::tuple("v_cvt_pk_bf8_f32", 2, 16)}) {
      ForAllFloats(label, mode, Edges(fraction, bias),
                   [&, l = label, f = fraction, b = bias](TestMachine& m, int lane, float value,
                                                          float other) {
                     const uint32_t pair =
                         Nearest(value, f, b, clamps) | Nearest(other, f, b, clamps) << 8;
                     EXPECT_EQ(m.Vgpr(10, lane), (kOld & 0xffff0000) | pair)
                         << l << " " << value << " " << other;
                   });
    }
  }
  ForAllFloats("v_cvt_pk_fp8_f32_high", kDefaultMode, Edges(3, 8),
               [](TestMachine& m, int lane, float value, float other) {
                 const uint32_t pair =
                     Nearest(-value, 3, 8, false) | Nearest(std::fabs(other), 3, 8, false) << 8;
                 EXPECT_EQ(m.Vgpr(10, lane), pair << 16 | (kOld & 0xffff));
               });
}

// `random` is added behind the last bit that is kept, whose worth is `step`; the rest is cut off.
uint32_t Stochastic(float value, uint32_t random, int fraction, int bias, bool clamps) {
  if (!std::isfinite(value)) return 0x80;
  const int cut = 23 - fraction;
  int exponent;
  std::frexp(value, &exponent);
  const int last = std::max(exponent - 1, 1 - bias) - fraction;  // power of two of the step
  const double size = std::fabs(static_cast<double>(value));
  const double kept = std::floor(std::ldexp(size, cut - last)) + (random >> (32 - cut));
  const double result = std::ldexp(std::floor(std::ldexp(kept, -cut)), last);
  if (result > static_cast<double>(Value(0x7f, fraction, bias))) {
    return clamps ? (value < 0 ? 0xff : 0x7f) : 0x80;
  }
  return Nearest(static_cast<float>(value < 0 ? -result : result), fraction, bias, clamps);
}

TEST_F(Gfx942, SinglesBecomeEightBitFloatsWithTheHelpOfARandomNumber) {
  for (const auto& [label, fraction, bias, byte] :
       {std::tuple("v_cvt_sr_fp8_f32", 3, 8, 0), std::tuple("v_cvt_sr_bf8_f32", 2, 16, 0),
        std::tuple("v_cvt_sr_fp8_f32_byte_1", 3, 8, 1),
        std::tuple("v_cvt_sr_fp8_f32_byte_2", 3, 8, 2),
        std::tuple("v_cvt_sr_bf8_f32_byte_3", 2, 16, 3)}) {
    for (const bool clamps : {false, true}) {
      const uint32_t mode = kDefaultMode | (clamps ? kModeFp16Ovfl : 0);
      // The bits of the other float serve as the random number.
      ForAllFloats(label, mode, Edges(fraction, bias),
                   [&, l = label, f = fraction, b = bias, shift = 8 * byte](
                       TestMachine& m, int lane, float value, float other) {
                     const uint32_t want = Stochastic(value, BitsOf(other), f, b, clamps);
                     EXPECT_EQ(m.Vgpr(10, lane), (kOld & ~(0xffu << shift)) | want << shift)
                         << l << " " << value << " " << other;
                   });
    }
  }
}

TEST_F(Gfx942, CacheControlDoesNothing) {
  RunSnippet(
      "buffer_inv", [](TestMachine&) {}, [](TestMachine&) {});
}

TEST_F(Gfx942, XccIdSaysWhichChipletAWaveRunsOn) {
  RunSnippet(
      "s_getreg_xcc_id", [](TestMachine& m) { m.wave().chiplet = 5; },
      [](TestMachine& m) { EXPECT_EQ(m.Sgpr(4), 5u); });
}

TEST_F(Gfx942, RefusesRemovedInstructions) {
  RunSnippet(
      "gfx942_no_mac", [](TestMachine&) {},
      [](TestMachine& m) { EXPECT_EQ(m.fault().code, Fault::Code::kIllegalInstruction); });
}

// ---- Memory

uint32_t Place(int lane) { return 0x100 + static_cast<uint32_t>(lane) * 8; }

// Halves and brain floats: 1.5 and -2 in memory; 0.25 and 3 to be added.
struct Pair {
  const char* kind;
  uint32_t old, data, sum;
};
constexpr Pair kPairs[] = {{"f16", 0xc0003e00, 0x42003400, 0x3c003f00},
                           {"bf16", 0xc0003fc0, 0x40403e80, 0x3f803fe0}};

TEST_F(Gfx942, PackedSumsAreMadeInLds) {
  for (const Pair& pair : kPairs) {
    for (const bool returns : {false, true}) {
      const std::string label = std::string("ds_pk_add_") + (returns ? "rtn_" : "") + pair.kind;
      RunSnippet(
          label.c_str(),
          [&](TestMachine& m) {
            for (int lane = 0; lane < kLanes; ++lane) {
              m.PokeLds<uint32_t>(Place(lane), pair.old);
              m.SetVgpr(2, lane, Place(lane) - kOffset);
              m.SetVgpr(4, lane, pair.data);
            }
          },
          [&](TestMachine& m) {
            m.ForActive([&](int lane) {
              EXPECT_EQ(m.PeekLds<uint32_t>(Place(lane)), pair.sum) << label;
              if (returns) {
                EXPECT_EQ(m.Vgpr(8, lane), pair.old) << label;
              }
            });
          });
    }
  }
}

void ExpectAtomic(const char* label, uint32_t old, uint32_t data, uint32_t sum, bool returns) {
  RunSnippet(
      label,
      [&](TestMachine& m) {
        for (int lane = 0; lane < kLanes; ++lane) {
          m.Poke<uint32_t>(Place(lane), old);
          m.SetVgpr64(2, lane, TestMachine::kMemoryVa + Place(lane) - kOffset);
          m.SetVgpr(4, lane, data);
        }
      },
      [&](TestMachine& m) {
        m.ForActive([&](int lane) {
          EXPECT_EQ(m.Peek<uint32_t>(Place(lane)), sum) << label;
          if (returns) {
            EXPECT_EQ(m.Vgpr(8, lane), old) << label;
          }
        });
      });
}

TEST_F(Gfx942, PackedSumsAreMadeInMemory) {
  const Pair& half = kPairs[0];
  const Pair& brain = kPairs[1];
  ExpectAtomic("global_atomic_pk_add_bf16", brain.old, brain.data, brain.sum, false);
  ExpectAtomic("global_atomic_pk_add_bf16_glc", brain.old, brain.data, brain.sum, true);
  ExpectAtomic("flat_atomic_pk_add_bf16", brain.old, brain.data, brain.sum, false);
  ExpectAtomic("flat_atomic_pk_add_f16", half.old, half.data, half.sum, false);
  ExpectAtomic("flat_atomic_add_f32", BitsOf(1.5f), BitsOf(2.25f), BitsOf(3.75f), false);
}

TEST_F(Gfx942, GlobalLoadsGoToLds) {
  constexpr uint32_t kLdsBase = 0x200;
  for (const bool bytes : {false, true}) {
    const uint32_t offset = bytes ? 0 : kOffset;
    RunSnippet(
        bytes ? "global_load_lds_ubyte" : "global_load_lds_dword",
        [&](TestMachine& m) {
          m.SetM0(kLdsBase);
          for (int lane = 0; lane < kLanes; ++lane) {
            m.Poke<uint32_t>(Place(lane), 0x89abcd00 + static_cast<uint32_t>(lane));
            m.SetVgpr64(2, lane, TestMachine::kMemoryVa + Place(lane) - offset);
          }
        },
        [&](TestMachine& m) {
          m.ForActive([&](int lane) {
            const uint32_t low = static_cast<uint32_t>(lane);
            EXPECT_EQ(m.PeekLds<uint32_t>(kLdsBase + offset + 4 * low),
                      bytes ? low : 0x89abcd00 + low);
          });
        });
  }
}

TEST_F(Gfx942, PrivateMemoryIsAddressedByAnyOfTheRegisters) {
  // A lane's dword: dwords of the 64 lanes lie next to each other.
  const auto private_place = [](uint32_t offset, int lane) {
    return (offset / 4 * kLanes + static_cast<uint32_t>(lane)) * 4;
  };
  for (const auto& [label, vector, scalar] :
       {std::tuple("scratch_at_offset", 0, 0), std::tuple("scratch_at_vector", 8, 0),
        std::tuple("scratch_at_scalar", 0, 4), std::tuple("scratch_at_both", 8, 4)}) {
    const uint32_t offset = kOffset + static_cast<uint32_t>(vector + scalar);
    RunSnippet(
        label,
        [&, s = scalar](TestMachine& m) {
          m.SetSgpr64(kOperandFlatScratch, TestMachine::kMemoryVa);
          m.SetSgpr(6, s != 0 ? 4 : 0xffff0000);  // what is not used leads nowhere
          for (int lane = 0; lane < kLanes; ++lane) {
            m.SetVgpr(2, lane, offset == kOffset + 4 || offset == kOffset ? 0xffff0000 : 8);
            m.Poke<uint32_t>(private_place(offset, lane), 0x12340000 + static_cast<uint32_t>(lane));
          }
        },
        [&](TestMachine& m) {
          m.ForActive([&](int lane) {
            EXPECT_EQ(m.Vgpr(8, lane), 0x12340000 + static_cast<uint32_t>(lane)) << label;
          });
        });
  }
}

}  // namespace
}  // namespace vgpu::valu::test::gfx942_test
