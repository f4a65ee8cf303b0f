// SPDX-License-Identifier: MIT
// The products of matrices of gfx90a and gfx942: D = A * B + C, for several small matrices
// ("blocks") at once.
//
// An element of A is in the lane of its row, an element of B in the lane of its column. Behind the
// lanes of one block come the lanes of the next block, and behind all blocks the lanes of the next
// elements along the sum. D and C have a lane for each column, and groups of four rows in
// consecutive registers (doubles: every fourth row). EXEC has no effect. By its modifiers an
// instruction takes A from another block, and B from other lanes.
//
// AMD does not document how sums are rounded. Those of singles, doubles and floats of 16 bits are
// as Xie and others found on GPUs of CDNA2 and CDNA3 (MMA-Sim, arXiv 2511.10909):
//   singles, doubles   one after the other, each product and its sum rounded once
//   16 bits, gfx90a    pairs of products, or pairs of pairs, are added first and then to the sum so
//                      far; each step is rounded, and denormals are zero everywhere
//   16 bits, gfx942    matrix_sums.h
// Products of 8-bit floats are added one after the other here.
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>

#include "spec/isa/gfx940_opcodes.h"
#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/gfx90a.h"
#include "vgpu/wave/gfx942.h"
#include "vgpu/wave/handlers.h"
#include "vgpu/wave/isa.h"
#include "vgpu/wave/matrix/float8.h"
#include "vgpu/wave/matrix/matrix_sums.h"
#include "vgpu/wave/operands.h"
#include "vgpu/wave/valu/valu_loops.h"
#include "vgpu/wave/valu/valu_math.h"
#include "vgpu/wave/wave.h"

namespace vgpu {
namespace {

namespace isa90a = ::isa::gfx90a;
namespace isa942 = ::isa::gfx940;

// The fields that only these instructions have.
struct Fields {
  explicit Fields(const Instruction& in)
      : blocks_log2(in.words[0] >> 8 & 7),
        block(in.words[0] >> 11 & 15),
        sums_in_accumulators((in.words[0] >> 15 & 1) != 0),
        a_in_accumulators((in.words[1] >> 27 & 1) != 0),
        b_in_accumulators((in.words[1] >> 28 & 1) != 0),
        b_lanes(in.words[1] >> 29 & 7) {}

  uint32_t blocks_log2;  // CBSZ: log2 of the number of blocks that share one A
  uint32_t block;        // ABID: the number of the block whose A they share
  bool sums_in_accumulators;
  bool a_in_accumulators;
  bool b_in_accumulators;
  uint32_t b_lanes;  // BLGP
};

uint32_t RegisterOf(uint32_t code, bool accumulator) {
  return code - kOperandVgprFirst + (accumulator ? kVgprs : 0);
}

// BLGP: the lane from which `lane` takes B.
int LaneOfB(uint32_t pattern, int lane) {
  switch (pattern) {
    case 0:
      return lane;
    case 1:
      return lane % 32;
    case 2:
      return 32 + lane % 32;
    case 3:
      return (lane + 16) % kLanes;
    default:
      return static_cast<int>(pattern - 4) * 16 + lane % 16;
  }
}

// A denormal result becomes a zero with the same sign.
float WithoutDenormal(float value) {
  return std::fabs(value) < FLT_MIN ? std::copysign(0.0f, value) : value;
}
// A denormal operand becomes plus zero.
float ReadWithoutDenormal(float value, float least_normal) {
  return std::fabs(value) < least_normal ? 0.0f : value;
}

// The type of the elements of A and B, their number in a register, and how they are summed.
template <class OfValue, class OfSum, int kCount>
struct Elements {
  using Value = OfValue;
  using Sum = OfSum;
  static constexpr int kPerRegister = kCount;
};

struct Single : Elements<float, float, 1> {
  static Value Element(uint32_t word, int) { return std::bit_cast<float>(word); }
  static Sum Add(Value a, Value b, Sum sum) { return std::fma(a, b, sum); }
};

// The product of two of these is exact in single precision.
struct SixteenBits : Elements<float, float, 2> {
  static float HalfOf(uint32_t word, int i) {
    return static_cast<float>(std::bit_cast<_Float16>(static_cast<uint16_t>(word >> 16 * i)));
  }
  static float BrainOf(uint32_t word, int i) {
    return std::bit_cast<float>(i == 0 ? word << 16 : word & 0xffff0000);
  }
};

// On gfx90a kProducts products are added to each other before they are added to the sum.
template <int kProducts>
struct FlushedBits : SixteenBits {
  static constexpr int kFirst = kProducts;
  static Sum First(Sum sum) { return ReadWithoutDenormal(sum, FLT_MIN); }
};
struct Half : FlushedBits<4> {
  static float Element(uint32_t word, int i) {
    return ReadWithoutDenormal(HalfOf(word, i), 0x1p-14f);
  }
};
template <int kProducts>
struct BrainBits : FlushedBits<kProducts> {
  static float Element(uint32_t word, int i) {
    return ReadWithoutDenormal(SixteenBits::BrainOf(word, i), FLT_MIN);
  }
};
using Brain = BrainBits<4>;  // of the *_1k instructions
using OldBrain = BrainBits<2>;

// gfx942
struct WholeHalf : SixteenBits {
  using Adder = CutSums<10, -14, 8>;
  static float Element(uint32_t word, int i) { return HalfOf(word, i); }
};
struct WholeBrain : SixteenBits {
  using Adder = CutSums<7, -126, 8>;
  static float Element(uint32_t word, int i) { return BrainOf(word, i); }
};

// A single of which only 19 bits count.
struct ReducedSingle : Elements<float, float, 1> {
  using Adder = CutSums<10, -126, 4>;
  static Value Element(uint32_t word, int) { return std::bit_cast<float>(word & 0xffffe000); }
};

// Two kinds of 8-bit floats: A and B may be of different ones.
template <class OfA, class OfB>
struct EightBits : Elements<float, float, 4> {
  static float ElementA(uint32_t word, int i) {
    return OfA::ToSingle(static_cast<uint8_t>(word >> 8 * i));
  }
  static float ElementB(uint32_t word, int i) {
    return OfB::ToSingle(static_cast<uint8_t>(word >> 8 * i));
  }
  static float Add(float a, float b, float sum) { return sum + a * b; }
};

struct Byte : Elements<int32_t, uint32_t, 4> {  // the sum wraps around
  static Value Element(uint32_t word, int i) { return static_cast<int8_t>(word >> 8 * i); }
  static Sum Add(Value a, Value b, Sum sum) { return sum + static_cast<uint32_t>(a * b); }
};

struct Double : Elements<double, double, 1> {  // in a pair of registers
  static Sum Add(Value a, Value b, Sum sum) { return std::fma(a, b, sum); }
};

template <class Type, int kSize, int kDepth, int kBlocks>
class MatrixProduct {
 public:
  static bool Run(Wave& wave, const Instruction& in, ExecutionContext&) {
    if (in.src[0] < kOperandVgprFirst || in.src[1] < kOperandVgprFirst) {
      return FailIllegal(wave, in, "a matrix that is not in vector registers");
    }
    const Fields fields(in);
    const uint32_t lanes = GetIsa().blgp_negates_doubles ? 0 : fields.b_lanes;
    if (kDoubles && (fields.blocks_log2 | fields.block | lanes) != 0) {
      return FailIllegal(wave, in, "a modifier that products of doubles do not have");
    }
    Side a;
    Side b;
    LoadA(wave, in, fields, &a);
    LoadB(wave, in, fields, &b);
    Sums sums;
    LoadC(wave, in, fields, &sums);
    if (valu::g_wide_lanes) {
      AddAllWide(a, b, &sums);
    } else {
      AddAllBase(a, b, &sums);
    }
    Store(wave, RegisterOf(kOperandVgprFirst + in.dst, fields.sums_in_accumulators), sums);
    return true;
  }

 private:
  using Value = typename Type::Value;
  using Sum = typename Type::Sum;
  static constexpr bool kDoubles = sizeof(Sum) == 8;
  static constexpr bool kCut = requires { typename Type::Adder; };  // matrix_sums.h
  static constexpr bool kFlushed = requires { Type::kFirst; };
  static constexpr uint32_t kWords = kDoubles ? 2 : 1;  // registers of one sum
  static constexpr int kGroups = kLanes / kSize;        // of lanes, one lane for each row or column
  static constexpr int kPerLane = kDepth * kBlocks / kGroups;
  static constexpr int kSumRegisters = kSize * kSize * kBlocks / kLanes;

  // A or B: for each block, and each position along the sum, the rows of A or the columns of B.
  struct Side {
    Value of[kBlocks][kDepth][kSize];
  };
  struct Sums {
    Sum of[kSumRegisters][kLanes];
  };

  template <bool kOfA>
  static Value Load(const Wave& wave, uint32_t number, int element, int lane, bool negate) {
    if constexpr (kDoubles) {
      const double value = std::bit_cast<double>(wave.Vgpr64(number, lane));
      return negate ? -value : value;
    } else {
      const uint32_t word = wave.vgpr[RegisterAfter(number, element / Type::kPerRegister)][lane];
      const int i = element % Type::kPerRegister;
      if constexpr (requires { Type::ElementA(word, i); }) {
        return kOfA ? Type::ElementA(word, i) : Type::ElementB(word, i);
      } else {
        return Type::Element(word, i);
      }
    }
  }

  // Whether BLGP negates operand `i` of a product of doubles.
  static bool IsNegated(const Fields& fields, int i) {
    return kDoubles && (fields.b_lanes >> i & 1) != 0;
  }

  static void LoadA(const Wave& wave, const Instruction& in, const Fields& fields, Side* out) {
    const uint32_t number = RegisterOf(in.src[0], fields.a_in_accumulators);
    const int shared = (1 << fields.blocks_log2) - 1;
    const bool negate = IsNegated(fields, 0);
    for (int group = 0; group < kGroups; ++group) {
      const int block = group % kBlocks;
      const int from = (block & ~shared) | (static_cast<int>(fields.block) & shared);
      const int first_lane = (group - block + from % kBlocks) * kSize;
      for (int i = 0; i < kPerLane; ++i) {
        for (int row = 0; row < kSize; ++row) {
          out->of[block][group / kBlocks * kPerLane + i][row] =
              Load<true>(wave, number, i, first_lane + row, negate);
        }
      }
    }
  }

  static void LoadB(const Wave& wave, const Instruction& in, const Fields& fields, Side* out) {
    const uint32_t number = RegisterOf(in.src[1], fields.b_in_accumulators);
    for (int lane = 0; lane < kLanes; ++lane) {
      const int group = lane / kSize;
      const int from = kDoubles ? lane : LaneOfB(fields.b_lanes, lane);
      for (int i = 0; i < kPerLane; ++i) {
        out->of[group % kBlocks][group / kBlocks * kPerLane + i][lane % kSize] =
            Load<false>(wave, number, i, from, IsNegated(fields, 1));
      }
    }
  }

  static Sum Constant(const Wave& wave, const Instruction& in) {
    if constexpr (kDoubles) {
      return std::bit_cast<double>(ReadScalarF64(wave, in, in.src[2]));
    } else {
      return std::bit_cast<Sum>(ReadScalar32(wave, in, in.src[2]));
    }
  }

  static void LoadC(const Wave& wave, const Instruction& in, const Fields& fields, Sums* out) {
    const bool constant = in.src[2] < kOperandVgprFirst;
    const uint32_t first = constant ? 0 : RegisterOf(in.src[2], fields.sums_in_accumulators);
    for (int i = 0; i < kSumRegisters; ++i) {
      const uint32_t number = RegisterAfter(first, kWords * i);
      for (int lane = 0; lane < kLanes; ++lane) {
        Sum sum;
        if (constant) {
          sum = Constant(wave, in);
        } else if constexpr (kDoubles) {
          sum = std::bit_cast<double>(wave.Vgpr64(number, lane));
        } else {
          sum = std::bit_cast<Sum>(wave.vgpr[number][lane]);
        }
        if constexpr (kFlushed) {
          out->of[i][lane] = Type::First(sum);
        } else {
          out->of[i][lane] = IsNegated(fields, 2) ? -sum : sum;
        }
      }
    }
  }

  // RowOf and BlockOf: the row and the block that the i-th register holds in a group of lanes.
  static constexpr int RowOf(int i, int group) {
    if (kDoubles) return i * (kGroups / kBlocks) + group / kBlocks;
    if (kSize == 4) return i;
    constexpr int kOfBlock = kSumRegisters / kBlocks;
    return i % kOfBlock / 4 * 4 * kGroups + 4 * group + i % 4;
  }
  static constexpr int BlockOf(int i, int group) {
    if (kDoubles || kSize == 4) return group % kBlocks;
    return i / (kSumRegisters / kBlocks);
  }

  static void AddProducts(const Side& a, const Side& b, int i, int group, Sums* sums) {
    const int row = RowOf(i, group);
    const int block = BlockOf(i, group);
    Sum* const out = sums->of[i] + group * kSize;
    if constexpr (kFlushed) {
      for (int k = 0; k < kDepth; k += Type::kFirst) {
        for (int column = 0; column < kSize; ++column) {
          const auto product = [&](int j) {
            return WithoutDenormal(a.of[block][k + j][row] * b.of[block][k + j][column]);
          };
          Sum some = WithoutDenormal(product(0) + product(1));
          if constexpr (Type::kFirst == 4) {
            some = WithoutDenormal(some + WithoutDenormal(product(2) + product(3)));
          }
          out[column] = WithoutDenormal(out[column] + some);
        }
      }
    } else {
      for (int k = 0; k < kDepth; ++k) {
        const Value left = a.of[block][k][row];
        for (int column = 0; column < kSize; ++column) {
          out[column] = Type::Add(left, b.of[block][k][column], out[column]);
        }
      }
    }
  }

  // AddAll for hosts with wide vectors (valu_loops.h).
  VGPU_WIDE_LANES [[gnu::flatten, gnu::noinline]] static void AddAllWide(const Side& a,
                                                                         const Side& b,
                                                                         Sums* sums) {
    AddAll(a, b, sums);
  }
  [[gnu::flatten, gnu::noinline]] static void AddAllBase(const Side& a, const Side& b, Sums* sums) {
    AddAll(a, b, sums);
  }

  [[gnu::always_inline]] static inline void AddAll(const Side& a, const Side& b, Sums* sums) {
    if constexpr (kCut) {
      AddAllCut(a, b, sums);
    } else {
      for (int i = 0; i < kSumRegisters; ++i) {
        for (int group = 0; group < kGroups; ++group) AddProducts(a, b, i, group, sums);
      }
    }
  }

  static void AddAllCut(const Side& a, const Side& b, Sums* sums) {
    typename Type::Adder::template Side<kDepth, kSize> rows[kBlocks];
    typename Type::Adder::template Side<kDepth, kSize> columns[kBlocks];
    for (int block = 0; block < kBlocks; ++block) {
      Type::Adder::Scale(a.of[block], &rows[block]);
      Type::Adder::Scale(b.of[block], &columns[block]);
    }
    for (int i = 0; i < kSumRegisters; ++i) {
      for (int group = 0; group < kGroups; ++group) {
        const int block = BlockOf(i, group);
        Type::Adder::Add(rows[block], columns[block], a.of[block], b.of[block], RowOf(i, group),
                         sums->of[i] + group * kSize);
      }
    }
  }

  static void Store(Wave& wave, uint32_t first, const Sums& sums) {
    for (int i = 0; i < kSumRegisters; ++i) {
      const uint32_t number = RegisterAfter(first, kWords * i);
      for (int lane = 0; lane < kLanes; ++lane) {
        if constexpr (kDoubles) {
          wave.SetVgpr64(number, lane, std::bit_cast<uint64_t>(sums.of[i][lane]));
        } else {
          wave.vgpr[number][lane] = std::bit_cast<uint32_t>(sums.of[i][lane]);
        }
      }
    }
  }
};

constexpr OpcodeHandler kEntries[] = {
    {isa90a::VOP3P_v_mfma_f32_32x32x1f32, MatrixProduct<Single, 32, 1, 2>::Run},
    {isa90a::VOP3P_v_mfma_f32_16x16x1f32, MatrixProduct<Single, 16, 1, 4>::Run},
    {isa90a::VOP3P_v_mfma_f32_4x4x1f32, MatrixProduct<Single, 4, 1, 16>::Run},
    {isa90a::VOP3P_v_mfma_f32_32x32x2f32, MatrixProduct<Single, 32, 2, 1>::Run},
    {isa90a::VOP3P_v_mfma_f32_16x16x4f32, MatrixProduct<Single, 16, 4, 1>::Run},
    {isa90a::VOP3P_v_mfma_f32_32x32x4f16, MatrixProduct<Half, 32, 4, 2>::Run},
    {isa90a::VOP3P_v_mfma_f32_16x16x4f16, MatrixProduct<Half, 16, 4, 4>::Run},
    {isa90a::VOP3P_v_mfma_f32_4x4x4f16, MatrixProduct<Half, 4, 4, 16>::Run},
    {isa90a::VOP3P_v_mfma_f32_32x32x8f16, MatrixProduct<Half, 32, 8, 1>::Run},
    {isa90a::VOP3P_v_mfma_f32_16x16x16f16, MatrixProduct<Half, 16, 16, 1>::Run},
    {isa90a::VOP3P_v_mfma_i32_32x32x4i8, MatrixProduct<Byte, 32, 4, 2>::Run},
    {isa90a::VOP3P_v_mfma_i32_16x16x4i8, MatrixProduct<Byte, 16, 4, 4>::Run},
    {isa90a::VOP3P_v_mfma_i32_4x4x4i8, MatrixProduct<Byte, 4, 4, 16>::Run},
    {isa90a::VOP3P_v_mfma_i32_32x32x8i8, MatrixProduct<Byte, 32, 8, 1>::Run},
    {isa90a::VOP3P_v_mfma_i32_16x16x16i8, MatrixProduct<Byte, 16, 16, 1>::Run},
    {isa90a::VOP3P_v_mfma_f32_32x32x4bf16_1k, MatrixProduct<Brain, 32, 4, 2>::Run},
    {isa90a::VOP3P_v_mfma_f32_16x16x4bf16_1k, MatrixProduct<Brain, 16, 4, 4>::Run},
    {isa90a::VOP3P_v_mfma_f32_4x4x4bf16_1k, MatrixProduct<Brain, 4, 4, 16>::Run},
    {isa90a::VOP3P_v_mfma_f32_32x32x8bf16_1k, MatrixProduct<Brain, 32, 8, 1>::Run},
    {isa90a::VOP3P_v_mfma_f32_16x16x16bf16_1k, MatrixProduct<Brain, 16, 16, 1>::Run},
    {isa90a::VOP3P_v_mfma_f32_32x32x2bf16, MatrixProduct<OldBrain, 32, 2, 2>::Run},
    {isa90a::VOP3P_v_mfma_f32_16x16x2bf16, MatrixProduct<OldBrain, 16, 2, 4>::Run},
    {isa90a::VOP3P_v_mfma_f32_4x4x2bf16, MatrixProduct<OldBrain, 4, 2, 16>::Run},
    {isa90a::VOP3P_v_mfma_f32_32x32x4bf16, MatrixProduct<OldBrain, 32, 4, 1>::Run},
    {isa90a::VOP3P_v_mfma_f32_16x16x8bf16, MatrixProduct<OldBrain, 16, 8, 1>::Run},
    {isa90a::VOP3P_v_mfma_f64_16x16x4f64, MatrixProduct<Double, 16, 4, 1>::Run},
    {isa90a::VOP3P_v_mfma_f64_4x4x4f64, MatrixProduct<Double, 4, 4, 4>::Run},
};

constexpr auto kTable = MakeTable<128>(kEntries);

template <int kSize, int kDepth, class OfA, class OfB>
constexpr Handler kEightBits = MatrixProduct<EightBits<OfA, OfB>, kSize, kDepth, 1>::Run;

// Products that gfx90a computes alike are in kEntries.
constexpr OpcodeHandler kEntries942[] = {
    {isa942::VOP3P_v_mfma_f32_32x32x4f16, MatrixProduct<WholeHalf, 32, 4, 2>::Run},
    {isa942::VOP3P_v_mfma_f32_16x16x4f16, MatrixProduct<WholeHalf, 16, 4, 4>::Run},
    {isa942::VOP3P_v_mfma_f32_4x4x4f16, MatrixProduct<WholeHalf, 4, 4, 16>::Run},
    {isa942::VOP3P_v_mfma_f32_32x32x8f16, MatrixProduct<WholeHalf, 32, 8, 1>::Run},
    {isa942::VOP3P_v_mfma_f32_16x16x16f16, MatrixProduct<WholeHalf, 16, 16, 1>::Run},
    {isa942::VOP3P_v_mfma_i32_32x32x16_i8, MatrixProduct<Byte, 32, 16, 1>::Run},
    {isa942::VOP3P_v_mfma_i32_16x16x32_i8, MatrixProduct<Byte, 16, 32, 1>::Run},
    {isa942::VOP3P_v_mfma_f32_32x32x4_2b_bf16, MatrixProduct<WholeBrain, 32, 4, 2>::Run},
    {isa942::VOP3P_v_mfma_f32_16x16x4_4b_bf16, MatrixProduct<WholeBrain, 16, 4, 4>::Run},
    {isa942::VOP3P_v_mfma_f32_4x4x4_16b_bf16, MatrixProduct<WholeBrain, 4, 4, 16>::Run},
    {isa942::VOP3P_v_mfma_f32_32x32x8_bf16, MatrixProduct<WholeBrain, 32, 8, 1>::Run},
    {isa942::VOP3P_v_mfma_f32_16x16x16_bf16, MatrixProduct<WholeBrain, 16, 16, 1>::Run},
    {isa942::VOP3P_v_mfma_f32_16x16x8_xf32, MatrixProduct<ReducedSingle, 16, 8, 1>::Run},
    {isa942::VOP3P_v_mfma_f32_32x32x4_xf32, MatrixProduct<ReducedSingle, 32, 4, 1>::Run},
    {isa942::VOP3P_v_mfma_f64_16x16x4_f64, MatrixProduct<Double, 16, 4, 1>::Run},
    {isa942::VOP3P_v_mfma_f64_4x4x4_4b_f64, MatrixProduct<Double, 4, 4, 4>::Run},
    {isa942::VOP3P_v_mfma_f32_16x16x32_bf8_bf8, kEightBits<16, 32, BrainFloat8, BrainFloat8>},
    {isa942::VOP3P_v_mfma_f32_16x16x32_bf8_fp8, kEightBits<16, 32, BrainFloat8, Float8>},
    {isa942::VOP3P_v_mfma_f32_16x16x32_fp8_bf8, kEightBits<16, 32, Float8, BrainFloat8>},
    {isa942::VOP3P_v_mfma_f32_16x16x32_fp8_fp8, kEightBits<16, 32, Float8, Float8>},
    {isa942::VOP3P_v_mfma_f32_32x32x16_bf8_bf8, kEightBits<32, 16, BrainFloat8, BrainFloat8>},
    {isa942::VOP3P_v_mfma_f32_32x32x16_bf8_fp8, kEightBits<32, 16, BrainFloat8, Float8>},
    {isa942::VOP3P_v_mfma_f32_32x32x16_fp8_bf8, kEightBits<32, 16, Float8, BrainFloat8>},
    {isa942::VOP3P_v_mfma_f32_32x32x16_fp8_fp8, kEightBits<32, 16, Float8, Float8>},
};

constexpr auto kTable942 = MakeTable<128>(kEntries942);

}  // namespace

Handler FindMatrix(uint16_t opcode) { return Find(kTable, opcode); }
Handler FindMatrix942(uint16_t opcode) { return Find(kTable942, opcode); }

}  // namespace vgpu
