// SPDX-License-Identifier: MIT
// Products of matrices, one element at a time: A and B are zero but for one element each, so that
// every sum but one must keep its value. Accumulation registers are 256 to 511 here.
#include <cstdint>
#include <cstdio>
#include <string>

#include "spec/isa/gfx90a_opcodes.h"
#include "vgpu/wave/gfx90a.h"
#include "vgpu/wave/isa.h"
#include "vgpu/wave/matrix/valu_matrix_places.h"
#include "vgpu/wave/valu/valu_test_floats.h"

namespace vgpu::valu::test {
namespace {

constexpr uint32_t kA = 2;
constexpr uint32_t kB = 6;
constexpr uint32_t kSums = 64;
constexpr uint32_t kOperandRegisters = 4;  // room for one of A or B
constexpr double kTwo = 2;
constexpr double kThree = 3;
constexpr double kProduct = kTwo * kThree;

// The parts of an instruction's name: v_mfma_<sum>_<size>x<size>x<depth><element>.
struct Kind {
  explicit Kind(const std::string& name) {
    char sum_name[4] = {};
    char element_name[16] = {};
    int columns = 0;
    const int found = std::sscanf(name.c_str(), "v_mfma_%3[^_]_%dx%dx%d%15s", sum_name, &size,
                                  &columns, &depth, element_name);
    EXPECT_EQ(found, 5) << name;
    sum = sum_name;
    element = element_name;
    if (sum == "f64") {
      element = "f64";
      depth = 4;
    }
    const int bits = element == "f64" || element == "f32" ? 1 : element == "bf16" ? 2 : 4;
    blocks = 64 * bits / (size * depth);
    sum_registers = static_cast<uint32_t>(size * size * blocks / 64);
  }

  uint64_t Bits(double value) const {
    const uint32_t single = BitsOf(static_cast<float>(value));
    if (element == "f64") return BitsOf(value);
    if (element == "f32") return single;
    if (element == "f16") return BitsOf(static_cast<Half>(static_cast<float>(value)));
    if (element == "i8") return static_cast<uint8_t>(static_cast<int>(value));
    return single >> 16;  // bf16
  }
  uint64_t SumBits(double value) const {
    if (sum == "f64") return BitsOf(value);
    if (sum == "i32") return static_cast<uint32_t>(static_cast<int>(value));
    return BitsOf(static_cast<float>(value));
  }
  uint32_t words() const { return sum == "f64" ? 2 : 1; }

  int size = 0;
  int depth = 0;
  int blocks = 0;
  uint32_t sum_registers = 0;
  std::string sum;
  std::string element;
};

// Differs between neighbours, and is exact in every type.
double OldSum(uint32_t i, int lane) { return static_cast<double>(i) * 65 - lane; }

void Set(TestMachine& m, const Kind& kind, uint32_t number, int lane, uint64_t bits) {
  if (kind.words() == 2) {
    m.SetVgpr64(number, lane, bits);
  } else {
    m.SetVgpr(number, lane, static_cast<uint32_t>(bits));
  }
}

uint64_t Get(TestMachine& m, const Kind& kind, uint32_t number, int lane) {
  return kind.words() == 2 ? m.Vgpr64(number, lane) : m.Vgpr(number, lane);
}

// Sets all elements of A to `a`, all elements of B to `b`, and the sums to OldSum.
void Fill(TestMachine& m, const Kind& kind, uint32_t base, double a, double b) {
  m.SetMode(kDefaultMode);
  const int elements = kind.element == "i8" ? 4 : kind.element == "f32" ? 1 : 2;
  const auto packed = [&](double value) {
    uint64_t bits = 0;
    const int width = 32 / elements;
    for (int i = 0; i < elements; ++i) bits |= kind.Bits(value) << width * i;
    return static_cast<uint32_t>(bits);
  };
  for (int lane = 0; lane < kLanes; ++lane) {
    for (uint32_t i = 0; i < kOperandRegisters; i += kind.words()) {
      Set(m, kind, base + kA + i, lane, kind.words() == 2 ? BitsOf(a) : packed(a));
      Set(m, kind, base + kB + i, lane, kind.words() == 2 ? BitsOf(b) : packed(b));
    }
    for (uint32_t i = 0; i < kind.sum_registers; ++i) {
      Set(m, kind, base + kSums + i * kind.words(), lane, kind.SumBits(OldSum(i, lane)));
    }
  }
}

// Expects every sum to be the old one plus what `added` returns for its position.
template <class F>
void ExpectSums(TestMachine& m, const Kind& kind, uint32_t base, F added) {
  m.AllowDisabledLanes();
  for (uint32_t i = 0; i < kind.sum_registers; ++i) {
    const uint32_t number = kSums + i * kind.words();
    for (int lane = 0; lane < kLanes; ++lane) {
      const double want = OldSum(i, lane) + added(number - kSums, lane);
      ASSERT_EQ(Get(m, kind, base + number, lane), kind.SumBits(want))
          << "sum in register " << number - kSums << ", lane " << lane;
    }
  }
}

void SetElement(TestMachine& m, const Kind& kind, uint32_t number, int lane, int bit,
                double value) {
  Set(m, kind, number, lane, kind.Bits(value) << bit);
}

// Expects that A at places.a times B at places.b is added at places.d alone.
void ExpectOneProduct(const char* label, const MatrixPlaces& places, uint32_t base) {
  const Kind kind(places.instruction);
  RunSnippet(
      label,
      [&](TestMachine& m) {
        Fill(m, kind, base, 0, 0);
        const uint32_t a = base + kA + static_cast<uint32_t>(places.a.number);
        const uint32_t b = base + kB + static_cast<uint32_t>(places.b.number);
        SetElement(m, kind, a, places.a.lane, places.a.bit, kTwo);
        SetElement(m, kind, b, places.b.lane, places.b.bit, kThree);
      },
      [&](TestMachine& m) {
        ExpectSums(m, kind, base, [&](uint32_t number, int lane) {
          const bool here =
              number == static_cast<uint32_t>(places.d.number) && lane == places.d.lane;
          return here ? kProduct : 0;
        });
      });
}

class Gfx90aMatrix : public testing::Test {
 private:
  ScopedIsa isa_{0x90a};
};

TEST_F(Gfx90aMatrix, ProductsGoWhereThePublishedLayoutSays) {
  for (const MatrixPlaces& places : kMatrixPlaces) {
    ExpectOneProduct(places.instruction, places, 0);
    ExpectOneProduct((std::string(places.instruction) + "_acc").c_str(), places, kVgprs);
    if (HasFatalFailure()) return;
  }
}

TEST_F(Gfx90aMatrix, EverySumHasAllItsProducts) {
  std::string last;
  for (const MatrixPlaces& places : kMatrixPlaces) {
    if (places.instruction == last) continue;
    last = places.instruction;
    const Kind kind(last);
    RunSnippet(
        last.c_str(), [&](TestMachine& m) { Fill(m, kind, 0, -kTwo, kThree); },
        [&](TestMachine& m) {
          ExpectSums(m, kind, 0, [&](uint32_t, int) { return -kProduct * kind.depth; });
        });
  }
}

TEST_F(Gfx90aMatrix, EveryInstructionWasTested) {
  for (uint16_t opcode = 0; opcode < std::size(::isa::gfx90a::kVop3pNames); ++opcode) {
    const char* name = ::isa::gfx90a::kVop3pNames[opcode];
    if (name == nullptr || std::string(name).rfind("v_mfma", 0) != 0) continue;
    EXPECT_NE(FindMatrix(opcode), nullptr) << name;
    const bool tested = std::any_of(
        std::begin(kMatrixPlaces), std::end(kMatrixPlaces),
        [&](const MatrixPlaces& places) { return std::string(places.instruction) == name; });
    EXPECT_TRUE(tested) << name;
  }
}

TEST_F(Gfx90aMatrix, ModifiersTakeABlockOfAAndLanesOfB) {
  // A[1][2] of block 5 comes from another block, B[2][3] from block 5 itself.
  const char* const blocks = "v_mfma_f32_4x4x4f16";
  const Kind kind(blocks);
  for (const auto& [label, a_lane, first, last] :
       {std::tuple("mfma_cbsz_1", 21, 4, 5), std::tuple("mfma_cbsz_2", 29, 4, 7)}) {
    RunSnippet(
        label,
        [&](TestMachine& m) {
          Fill(m, kind, 0, 0, 3);
          SetElement(m, kind, kA + 1, a_lane, 0, kTwo);
        },
        [&](TestMachine& m) {
          // The product is added in row 1 of every block that shares A.
          ExpectSums(m, kind, 0, [&](uint32_t number, int lane) {
            return number == 1 && lane / 4 >= first && lane / 4 <= last ? kProduct : 0;
          });
        });
  }
  // A[4][1] * B[1][5], where B[1][5] comes from another lane.
  for (const auto& [label, b_lane] :
       {std::pair("mfma_blgp_1", 5), std::pair("mfma_blgp_2", 37), std::pair("mfma_blgp_3", 53)}) {
    ExpectOneProduct(label, {"v_mfma_f32_32x32x2f32", {0, 36, 0}, {0, b_lane, 0}, {0, 37}}, 0);
  }
  // All lanes take B from the same sixteen lanes, so that columns 5 and 21 get the product.
  const Kind wide("v_mfma_f32_32x32x2f32");
  for (const auto& [label, b_lane] : {std::pair("mfma_blgp_4", 5), std::pair("mfma_blgp_7", 53)}) {
    RunSnippet(
        label,
        [&](TestMachine& m) {
          Fill(m, wide, 0, 0, 0);
          SetElement(m, wide, kA, 36, 0, kTwo);
          SetElement(m, wide, kB, b_lane, 0, kThree);
        },
        [&](TestMachine& m) {
          ExpectSums(m, wide, 0, [](uint32_t number, int lane) {
            return number == 0 && (lane == 37 || lane == 53) ? kProduct : 0;
          });
        });
  }
}

TEST_F(Gfx90aMatrix, SumsMayBeginWithAConstantAndEndInOtherRegisters) {
  const auto expect_all = [](const char* label, const char* name, double want) {
    const Kind kind(name);
    RunSnippet(
        label, [&](TestMachine& m) { Fill(m, kind, 0, kTwo, kThree); },
        [&](TestMachine& m) {
          m.AllowDisabledLanes();
          for (uint32_t i = 0; i < kind.sum_registers; ++i) {
            for (int lane = 0; lane < kLanes; ++lane) {
              ASSERT_EQ(Get(m, kind, kSums + i * kind.words(), lane), kind.SumBits(want));
            }
          }
        });
  };
  expect_all("mfma_constant", "v_mfma_f32_16x16x4f32", 25);
  expect_all("mfma_constant_int", "v_mfma_i32_16x16x16i8", 93);
  expect_all("mfma_constant_double", "v_mfma_f64_4x4x4f64", 24.5);
  // A is in v2, B in a6. The old sums are from a64 on, the new ones from a100 on.
  const Kind kind("v_mfma_f32_16x16x4f32");
  RunSnippet(
      "mfma_mixed",
      [&](TestMachine& m) {
        Fill(m, kind, 0, kTwo, 0);
        Fill(m, kind, kVgprs, 0, kThree);
      },
      [&](TestMachine& m) {
        m.AllowDisabledLanes();
        for (uint32_t i = 0; i < kind.sum_registers; ++i) {
          for (int lane = 0; lane < kLanes; ++lane) {
            ASSERT_EQ(m.Vgpr(kVgprs + 100 + i, lane), kind.SumBits(OldSum(i, lane) + 24));
          }
        }
      });
}

TEST_F(Gfx90aMatrix, DenormalsAreZeroWithSixteenBitFloatsOnly) {
  constexpr uint32_t kDenormal = 1;
  const auto first_sum = [&](const char* name, uint32_t a, uint32_t b, uint32_t c) {
    const Kind kind(name);
    uint32_t got = 0;
    RunSnippet(
        name,
        [&](TestMachine& m) {
          Fill(m, kind, 0, 0, 0);
          m.SetVgpr(kA, 0, a);
          m.SetVgpr(kB, 0, b);
          m.SetVgpr(kSums, 0, c);
        },
        [&](TestMachine& m) {
          m.AllowDisabledLanes();
          got = m.Vgpr(kSums, 0);
          for (uint32_t i = 0; i < kind.sum_registers; ++i) {
            for (int lane = 0; lane < kLanes; ++lane) (void)m.Vgpr(kSums + i, lane);
          }
        });
    return got;
  };
  constexpr uint32_t kOneHalf = 0x3c00;
  constexpr uint32_t kOneBrain = 0x3f80;
  const uint32_t one = BitsOf(1.0f);
  EXPECT_EQ(first_sum("v_mfma_f32_4x4x4f16", kDenormal, kOneHalf, 0), 0u);
  EXPECT_EQ(first_sum("v_mfma_f32_4x4x4f16", 0x0400, kOneHalf, 0), BitsOf(0x1p-14f));
  EXPECT_EQ(first_sum("v_mfma_f32_4x4x4f16", 0, 0, kDenormal), 0u);
  EXPECT_EQ(first_sum("v_mfma_f32_4x4x2bf16", kDenormal, kOneBrain, 0), 0u);
  EXPECT_EQ(first_sum("v_mfma_f32_4x4x1f32", kDenormal, one, 0), kDenormal);
  EXPECT_EQ(first_sum("v_mfma_f32_4x4x1f32", 0, 0, kDenormal), kDenormal);
  // One rounding for a product and its sum.
  EXPECT_EQ(first_sum("v_mfma_f32_4x4x1f32", BitsOf(1 + 0x1p-12f), BitsOf(1 + 0x1p-12f),
                      BitsOf(-1 - 0x1p-11f)),
            BitsOf(0x1p-24f));
}

TEST_F(Gfx90aMatrix, DoublesHaveNoModifiers) {
  RunSnippet(
      "mfma_double_blgp", [](TestMachine&) {},
      [](TestMachine& m) {
        EXPECT_EQ(m.fault().code, Fault::Code::kIllegalInstruction);
        EXPECT_NE(m.fault().message.find("a modifier"), std::string::npos) << m.fault().message;
      });
}

constexpr uint32_t kAcc = kVgprs;

TEST_F(Gfx90aMatrix, AccumulationRegistersAreReadAndWritten) {
  const auto expect = [](const char* label, uint32_t to, auto want) {
    RunSnippet(
        label, [](TestMachine& m) { m.SetMode(kDefaultMode); },
        [&](TestMachine& m) {
          m.ForActive([&](int lane) { EXPECT_EQ(m.Vgpr(to, lane), want(m, lane)) << lane; });
        });
  };
  const auto before = [](uint32_t number) {
    return [number](TestMachine& m, int lane) { return m.Before(number, lane); };
  };
  expect("v_accvgpr_read_b32", 10, before(kAcc + 2));
  expect("v_accvgpr_write_b32", kAcc + 10, before(2));
  expect("v_accvgpr_write_b32_constant", kAcc + 10, [](TestMachine&, int) { return BitsOf(1.0f); });
  expect("v_accvgpr_mov_b32", kAcc + 10, before(kAcc + 2));
}

constexpr uint32_t kLaneBytes = 32;

void SetAddresses(TestMachine& m) {
  for (int lane = 0; lane < kLanes; ++lane) {
    m.SetVgpr64(0, lane, TestMachine::kMemoryVa + static_cast<uint32_t>(lane) * kLaneBytes);
  }
}
void SetOffsets(TestMachine& m) {
  for (int lane = 0; lane < kLanes; ++lane) {
    m.SetVgpr(0, lane, static_cast<uint32_t>(lane) * kLaneBytes);
  }
  m.SetSgpr64(8, TestMachine::kMemoryVa);  // a buffer, of all of the memory
  m.SetSgpr(10, TestMachine::kMemoryBytes);
  m.SetSgpr(11, 0);
}

TEST_F(Gfx90aMatrix, MemoryIsLoadedIntoAccumulationRegisters) {
  const auto place = [](int lane, uint32_t i) {
    return static_cast<uint32_t>(lane) * kLaneBytes + i * 4;
  };
  RunSnippet("acc_global_load", SetAddresses, [&](TestMachine& m) {
    m.ForActive([&](int lane) {
      for (uint32_t i = 0; i < 4; ++i) {
        EXPECT_EQ(m.Vgpr(kAcc + 10 + i, lane), m.MemoryBefore<uint32_t>(place(lane, i)));
      }
    });
  });
  RunSnippet("acc_buffer_load", SetOffsets, [&](TestMachine& m) {
    m.ForActive([&](int lane) {
      for (uint32_t i = 0; i < 2; ++i) {
        EXPECT_EQ(m.Vgpr(kAcc + 10 + i, lane), m.MemoryBefore<uint32_t>(place(lane, i)));
      }
    });
  });
  RunSnippet("acc_ds_read2", SetOffsets, [&](TestMachine& m) {
    m.ForActive([&](int lane) {
      for (uint32_t i = 0; i < 4; ++i) {
        EXPECT_EQ(m.Vgpr(kAcc + 10 + i, lane), m.LdsBefore<uint32_t>(place(lane, i)));
      }
    });
  });
  RunSnippet("acc_wraps", SetAddresses, [&](TestMachine& m) {
    m.ForActive([&](int lane) {
      EXPECT_EQ(m.Vgpr(kAcc + 255, lane), m.MemoryBefore<uint32_t>(place(lane, 1)));
      EXPECT_EQ(m.Vgpr(kAcc + 254, lane), m.MemoryBefore<uint32_t>(place(lane, 0)));
    });
  });
}

TEST_F(Gfx90aMatrix, AccumulationRegistersAreStored) {
  RunSnippet("acc_global_store", SetAddresses, [](TestMachine& m) {
    m.ForActive([&](int lane) {
      for (uint32_t i = 0; i < 3; ++i) {
        const uint32_t place = static_cast<uint32_t>(lane) * kLaneBytes + i * 4;
        EXPECT_EQ(m.Peek<uint32_t>(place), m.Before(kAcc + 10 + i, lane));
      }
    });
  });
  RunSnippet("acc_global_atomic", SetAddresses, [](TestMachine& m) {
    m.ForActive([&](int lane) {
      const uint32_t place = static_cast<uint32_t>(lane) * kLaneBytes;
      const uint32_t old = m.MemoryBefore<uint32_t>(place);
      EXPECT_EQ(m.Vgpr(kAcc + 10, lane), old);
      EXPECT_EQ(m.Peek<uint32_t>(place), old + m.Before(kAcc + 12, lane));
    });
  });
  RunSnippet("acc_ds_write", SetOffsets, [](TestMachine& m) {
    m.ForActive([&](int lane) {
      for (uint32_t i = 0; i < 2; ++i) {
        const uint32_t place = static_cast<uint32_t>(lane) * kLaneBytes + i * 4;
        EXPECT_EQ(m.PeekLds<uint32_t>(place), m.Before(kAcc + 10 + i, lane));
      }
    });
  });
}

}  // namespace
}  // namespace vgpu::valu::test
