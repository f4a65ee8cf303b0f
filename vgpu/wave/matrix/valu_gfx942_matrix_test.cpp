// SPDX-License-Identifier: MIT
// Products of matrices of gfx942, each compared with sums over the positions that the published
// layouts give to elements. All numbers are small and whole, so that every sum is exact.
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

#include "spec/isa/gfx940_opcodes.h"
#include "vgpu/wave/handlers.h"
#include "vgpu/wave/valu/valu_test_floats.h"

namespace vgpu::valu::test::gfx942_matrix_test {
namespace {

constexpr uint32_t kA = 2;
constexpr uint32_t kB = 20;
constexpr uint32_t kSums = 64;

enum class Element { kByte, kFloat8, kBrainFloat8, kBrain, kSingle, kDouble };

struct Product {
  const char* instruction;
  int size, depth, blocks;
  Element a, b;
};

constexpr Product kProducts[] = {
    {"v_mfma_i32_32x32x16_i8", 32, 16, 1, Element::kByte, Element::kByte},
    {"v_mfma_i32_16x16x32_i8", 16, 32, 1, Element::kByte, Element::kByte},
    {"v_mfma_f32_16x16x32_bf8_bf8", 16, 32, 1, Element::kBrainFloat8, Element::kBrainFloat8},
    {"v_mfma_f32_16x16x32_bf8_fp8", 16, 32, 1, Element::kBrainFloat8, Element::kFloat8},
    {"v_mfma_f32_16x16x32_fp8_bf8", 16, 32, 1, Element::kFloat8, Element::kBrainFloat8},
    {"v_mfma_f32_16x16x32_fp8_fp8", 16, 32, 1, Element::kFloat8, Element::kFloat8},
    {"v_mfma_f32_32x32x16_bf8_bf8", 32, 16, 1, Element::kBrainFloat8, Element::kBrainFloat8},
    {"v_mfma_f32_32x32x16_bf8_fp8", 32, 16, 1, Element::kBrainFloat8, Element::kFloat8},
    {"v_mfma_f32_32x32x16_fp8_bf8", 32, 16, 1, Element::kFloat8, Element::kBrainFloat8},
    {"v_mfma_f32_32x32x16_fp8_fp8", 32, 16, 1, Element::kFloat8, Element::kFloat8},
    {"v_mfma_f32_32x32x8_bf16", 32, 8, 1, Element::kBrain, Element::kBrain},
    {"v_mfma_f32_16x16x16_bf16", 16, 16, 1, Element::kBrain, Element::kBrain},
    {"v_mfma_f32_32x32x4_2b_bf16", 32, 4, 2, Element::kBrain, Element::kBrain},
    {"v_mfma_f32_16x16x4_4b_bf16", 16, 4, 4, Element::kBrain, Element::kBrain},
    {"v_mfma_f32_4x4x4_16b_bf16", 4, 4, 16, Element::kBrain, Element::kBrain},
    {"v_mfma_f64_16x16x4_f64", 16, 4, 1, Element::kDouble, Element::kDouble},
    {"v_mfma_f64_4x4x4_4b_f64", 4, 4, 4, Element::kDouble, Element::kDouble},
    {"v_mfma_f32_16x16x8_xf32", 16, 8, 1, Element::kSingle, Element::kSingle},
    {"v_mfma_f32_32x32x4_xf32", 32, 4, 1, Element::kSingle, Element::kSingle},
};

int BitsOfElement(Element element) {
  switch (element) {
    case Element::kDouble:
      return 64;
    case Element::kSingle:
      return 32;
    case Element::kBrain:
      return 16;
    default:
      return 8;
  }
}

// The bits of a whole number from -4 to 4 in an 8-bit float of `fraction` bits.
uint8_t SmallFloatBits(int value, int fraction, int bias) {
  if (value == 0) return 0;
  const int size = value < 0 ? -value : value;
  const int power = size >= 4 ? 2 : size >= 2 ? 1 : 0;
  const int rest = ((size << fraction) >> power) - (1 << fraction);
  return static_cast<uint8_t>((value < 0 ? 0x80 : 0) | (power + bias) << fraction | rest);
}

uint64_t Bits(Element element, int value) {
  switch (element) {
    case Element::kByte:
      return static_cast<uint8_t>(value);
    case Element::kFloat8:
      return SmallFloatBits(value, 3, 8);
    case Element::kBrainFloat8:
      return SmallFloatBits(value, 2, 16);
    case Element::kBrain:
      return BitsOf(static_cast<float>(value)) >> 16;
    case Element::kSingle:
      return BitsOf(static_cast<float>(value));
    case Element::kDouble:
      return BitsOf(static_cast<double>(value));
  }
  return 0;
}

uint64_t SumBits(const Product& p, int value) {
  if (p.a == Element::kByte) return static_cast<uint32_t>(value);
  if (p.a == Element::kDouble) return BitsOf(static_cast<double>(value));
  return BitsOf(static_cast<float>(value));
}

// What A holds in a row (B in a column) of a block at step k; and what C holds.
int ValueOfA(int block, int row, int k) { return (block * 5 + row * 7 + k * 3) % 9 - 4; }
int ValueOfB(int block, int column, int k) { return (block * 3 + column * 5 + k * 7) % 9 - 4; }
int ValueOfC(int block, int row, int column) { return block * 1000 + row * 31 - column; }

int PerLane(const Product& p) { return p.size * p.depth * p.blocks / kLanes; }

// Where the i-th element of a lane of A or B lies.
struct Place {
  int block, row, k;
};
Place PlaceOf(const Product& p, int lane, int i) {
  const int group = lane / p.size;
  return {group % p.blocks, lane % p.size, group / p.blocks * PerLane(p) + i};
}

int SumRegisters(const Product& p) { return p.size * p.size * p.blocks / kLanes; }

struct SumPlace {
  int block, row, column;
};
SumPlace SumPlaceOf(const Product& p, int number, int lane) {
  const int column = lane % p.size;
  if (p.a == Element::kDouble) {
    if (p.size == 4) return {lane / 4 % 4, lane / 16, column};
    return {0, 4 * number + lane / 16, column};
  }
  if (p.size == 4) return {lane / 4, number, column};
  const int of_block = SumRegisters(p) / p.blocks;
  const int rest = number % of_block;
  if (p.size == 16) return {number / of_block, 4 * (lane / 16) + rest, column};
  return {number / of_block, 8 * (rest / 4) + 4 * (lane / 32) + rest % 4, column};
}

void SetSide(TestMachine& m, const Product& p, uint32_t first, Element element,
             int (*value)(int, int, int)) {
  const int bits = BitsOfElement(element);
  for (int lane = 0; lane < kLanes; ++lane) {
    uint64_t packed = 0;
    for (int i = 0; i < PerLane(p); ++i) {
      const Place place = PlaceOf(p, lane, i);
      packed |= Bits(element, value(place.block, place.row, place.k)) << bits * i;
    }
    m.SetVgpr64(first, lane, packed);
  }
}

void SetSum(TestMachine& m, const Product& p, int i, int lane, uint64_t bits) {
  if (p.a == Element::kDouble) {
    m.SetVgpr64(kSums + 2 * static_cast<uint32_t>(i), lane, bits);
  } else {
    m.SetVgpr(kSums + static_cast<uint32_t>(i), lane, static_cast<uint32_t>(bits));
  }
}

uint64_t GetSum(TestMachine& m, const Product& p, int i, int lane) {
  return p.a == Element::kDouble ? m.Vgpr64(kSums + 2 * static_cast<uint32_t>(i), lane)
                                 : m.Vgpr(kSums + static_cast<uint32_t>(i), lane);
}

// `sign`: the sign of the products; `of_c`: the sign of C, to which they are added.
void ExpectProduct(const char* label, const Product& p, int sign, int of_c) {
  RunSnippet(
      label,
      [&](TestMachine& m) {
        m.SetMode(kDefaultMode);
        SetSide(m, p, kA, p.a, ValueOfA);
        SetSide(m, p, kB, p.b, ValueOfB);
        for (int i = 0; i < SumRegisters(p); ++i) {
          for (int lane = 0; lane < kLanes; ++lane) {
            const SumPlace at = SumPlaceOf(p, i, lane);
            SetSum(m, p, i, lane, SumBits(p, ValueOfC(at.block, at.row, at.column)));
          }
        }
      },
      [&](TestMachine& m) {
        m.AllowDisabledLanes();
        for (int i = 0; i < SumRegisters(p); ++i) {
          for (int lane = 0; lane < kLanes; ++lane) {
            const SumPlace at = SumPlaceOf(p, i, lane);
            int want = of_c * ValueOfC(at.block, at.row, at.column);
            for (int k = 0; k < p.depth; ++k) {
              want += sign * ValueOfA(at.block, at.row, k) * ValueOfB(at.block, at.column, k);
            }
            ASSERT_EQ(GetSum(m, p, i, lane), SumBits(p, want))
                << label << ", sum " << i << " of lane " << lane;
          }
        }
      });
}

class Gfx942Matrix : public testing::Test {
 private:
  ScopedIsa isa_{0x942};
};

TEST_F(Gfx942Matrix, SumsAreThoseOfTheMatricesInThePublishedLayout) {
  for (const Product& product : kProducts) {
    ExpectProduct(product.instruction, product, 1, 1);
    if (HasFatalFailure()) return;
  }
}

TEST_F(Gfx942Matrix, DoublesCanBeNegated) {
  ExpectProduct("double_negated", kProducts[15], -1, -1);
}

TEST_F(Gfx942Matrix, SixteenBitFloatsKeepTheirDenormals) {
  constexpr uint32_t kDenormal = 1, kOne = 0x3c00;
  RunSnippet(
      "half_denormal",
      [](TestMachine& m) {
        for (int lane = 0; lane < kLanes; ++lane) {
          m.SetVgpr64(kA, lane, lane == 0 ? kDenormal : 0);
          m.SetVgpr64(kB, lane, lane == 0 ? kOne : 0);
          for (uint32_t i = 0; i < 4; ++i) m.SetVgpr(kSums + i, lane, 0);
        }
      },
      [](TestMachine& m) {
        m.AllowDisabledLanes();
        for (int lane = 0; lane < kLanes; ++lane) {
          for (uint32_t i = 0; i < 4; ++i) {
            const float want = lane == 0 && i == 0 ? 0x1p-24f : 0.0f;
            EXPECT_EQ(m.Vgpr(kSums + i, lane), BitsOf(want));
          }
        }
      });
}

// An instruction that is not modelled is refused by name, though gfx90a has another at that number.
TEST_F(Gfx942Matrix, SparseProductsAreRefused) {
  RunSnippet(
      "gfx942_sparse", [](TestMachine&) {},
      [](TestMachine& m) {
        EXPECT_EQ(m.fault().code, Fault::Code::kIllegalInstruction);
        EXPECT_NE(m.fault().message.find("v_smfmac_f32_16x16x32_f16"), std::string::npos)
            << m.fault().message;
      });
}

// The lower 13 bits are cut off, not rounded.
TEST_F(Gfx942Matrix, ReducedSinglesAreCut) {
  constexpr float kValue = 1 + 0x1p-10f + 0x1p-11f + 0x1p-12f;
  RunSnippet(
      "v_mfma_f32_16x16x8_xf32",
      [](TestMachine& m) {
        for (int lane = 0; lane < kLanes; ++lane) {
          m.SetVgpr64(kA, lane, lane == 0 ? BitsOf(kValue) : 0);
          m.SetVgpr64(kB, lane, lane == 0 ? BitsOf(-kValue) : 0);
          for (uint32_t i = 0; i < 4; ++i) m.SetVgpr(kSums + i, lane, 0);
        }
      },
      [](TestMachine& m) {
        m.AllowDisabledLanes();
        constexpr float kCut = 1 + 0x1p-10f;
        EXPECT_EQ(m.Vgpr(kSums, 0), BitsOf(-kCut * kCut));
        EXPECT_EQ(m.Vgpr(kSums + 1, 0), 0u);
      });
}

TEST_F(Gfx942Matrix, AllButSparseProductsAreModelled) {
  for (uint16_t opcode = 0; opcode < std::size(::isa::gfx940::kVop3pNames); ++opcode) {
    const char* name = ::isa::gfx940::kVop3pNames[opcode];
    if (name == nullptr || std::strncmp(name, "v_mfma", 6) != 0) continue;
    EXPECT_NE(FindHandler(vgpu::Format::kVop3p, Segment::kFlat, opcode), nullptr) << name;
  }
}

}  // namespace
}  // namespace vgpu::valu::test::gfx942_matrix_test
