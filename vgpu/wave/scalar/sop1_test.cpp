// SPDX-License-Identifier: MIT
#include <string>

#include "vgpu/wave/wave_test_support.h"

namespace vgpu::sop1_test {
namespace {

constexpr uint32_t kResult = 4;
constexpr uint32_t kSource = 6;

constexpr uint64_t kWideValues[] = {0,
                                    1,
                                    0x80,
                                    0x7fffffff,
                                    0x80000000,
                                    0xffffffff,
                                    0x100000000,
                                    0x7fffffffffffffff,
                                    0x8000000000000000,
                                    0xffffffffffffffff,
                                    0xfffffffffffffffe,
                                    0x0123456789abcdef,
                                    0x0f00f0010080ff10};

enum class Scc { kKeep, kNotZero };

void ExpectScc(TestMachine& m, Scc scc, uint64_t value) {
  if (scc == Scc::kNotZero) {
    EXPECT_EQ(m.Scc(), value != 0);
  }
}

template <class F>
void Test32(const char* label, Scc scc, F expected) {
  for (const uint32_t value : kEdgeValues) {
    SCOPED_TRACE(testing::Message() << std::hex << value);
    RunSnippet(
        label,
        [&](TestMachine& m) {
          m.SetSgpr(kSource, value);
          m.SetScc(value & 1);
        },
        [&](TestMachine& m) {
          const uint32_t want = static_cast<uint32_t>(expected(value));
          EXPECT_EQ(m.Sgpr(kResult), want);
          ExpectScc(m, scc, want);
        });
  }
}

template <class F>
void Test64(const char* label, Scc scc, F expected) {
  for (const uint64_t value : kWideValues) {
    SCOPED_TRACE(testing::Message() << std::hex << value);
    RunSnippet(
        label,
        [&](TestMachine& m) {
          m.SetSgpr64(kSource, value);
          m.SetScc(value & 1);
        },
        [&](TestMachine& m) {
          const uint64_t want = expected(value);
          EXPECT_EQ(m.Sgpr64(kResult), want);
          ExpectScc(m, scc, want);
        });
  }
}

template <class F>
void Test64To32(const char* label, Scc scc, F expected) {
  for (const uint64_t value : kWideValues) {
    SCOPED_TRACE(testing::Message() << std::hex << value);
    RunSnippet(
        label,
        [&](TestMachine& m) {
          m.SetSgpr64(kSource, value);
          m.SetScc(value & 1);
        },
        [&](TestMachine& m) {
          const uint32_t want = static_cast<uint32_t>(expected(value));
          EXPECT_EQ(m.Sgpr(kResult), want);
          ExpectScc(m, scc, want);
        });
  }
}

bool Bit(uint64_t value, int i) { return value >> i & 1; }

template <int kWidth>
uint64_t Reversed(uint64_t value) {
  uint64_t result = 0;
  for (int i = 0; i < kWidth; ++i) {
    if (Bit(value, i)) result |= uint64_t{1} << (kWidth - 1 - i);
  }
  return result;
}

template <int kWidth>
int Ones(uint64_t value) {
  int count = 0;
  for (int i = 0; i < kWidth; ++i) count += Bit(value, i);
  return count;
}

template <int kWidth>
int FirstFromBelow(uint64_t value, bool wanted) {
  for (int i = 0; i < kWidth; ++i) {
    if (Bit(value, i) == wanted) return i;
  }
  return -1;
}

template <int kWidth>
int FirstFromAbove(uint64_t value, bool wanted) {
  for (int i = 0; i < kWidth; ++i) {
    if (Bit(value, kWidth - 1 - i) == wanted) return i;
  }
  return -1;
}

template <int kWidth>
uint64_t WholeQuads(uint64_t value) {
  uint64_t result = 0;
  for (int i = 0; i < kWidth; ++i) {
    const int quad = i / 4 * 4;
    const bool any =
        Bit(value, quad) || Bit(value, quad + 1) || Bit(value, quad + 2) || Bit(value, quad + 3);
    result |= uint64_t{any} << i;
  }
  return result;
}

template <int kWidth>
uint64_t QuadMask(uint64_t value) {
  uint64_t result = 0;
  for (int i = 0; i < kWidth; ++i) {
    if (Bit(value, i)) result |= uint64_t{1} << (i / 4);
  }
  return result;
}

TEST(Sop1, Moves) {
  Test32("s_mov_b32", Scc::kKeep, [](uint32_t a) { return a; });
  Test64("s_mov_b64", Scc::kKeep, [](uint64_t a) { return a; });
  RunSnippet(
      "sop1_literal", [](TestMachine&) {},
      [](TestMachine& m) { EXPECT_EQ(m.Sgpr(kResult), 0xdeadbeefu); });
  RunSnippet(
      "sop1_exec", [](TestMachine& m) { m.SetSgpr64(kSource, 0x123456789abcdef0); },
      [](TestMachine& m) { EXPECT_EQ(m.Exec(), 0x123456789abcdef0u); });
}

TEST(Sop1, MovesOnlyWhenSccIsSet) {
  for (const bool scc : {false, true}) {
    RunSnippet(
        "s_cmov_b32",
        [&](TestMachine& m) {
          m.SetScc(scc);
          m.SetSgpr(kSource, 77);
        },
        [&](TestMachine& m) { EXPECT_EQ(m.Sgpr(kResult), scc ? 77u : m.SgprBefore(kResult)); });
    RunSnippet(
        "s_cmov_b64",
        [&](TestMachine& m) {
          m.SetScc(scc);
          m.SetSgpr64(kSource, 0x7700000077);
          m.SetSgpr64(kResult, 5);
        },
        [&](TestMachine& m) { EXPECT_EQ(m.Sgpr64(kResult), scc ? 0x7700000077u : 5u); });
  }
}

TEST(Sop1, InvertsAndReverses) {
  Test32("s_not_b32", Scc::kNotZero, [](uint32_t a) { return a ^ 0xffffffff; });
  Test64("s_not_b64", Scc::kNotZero, [](uint64_t a) { return a ^ 0xffffffffffffffff; });
  Test32("s_brev_b32", Scc::kKeep, Reversed<32>);
  Test64("s_brev_b64", Scc::kKeep, Reversed<64>);
}

TEST(Sop1, WorksOnQuads) {
  Test32("s_wqm_b32", Scc::kNotZero, WholeQuads<32>);
  Test64("s_wqm_b64", Scc::kNotZero, WholeQuads<64>);
  Test32("s_quadmask_b32", Scc::kNotZero, QuadMask<32>);
  Test64("s_quadmask_b64", Scc::kNotZero, QuadMask<64>);
}

TEST(Sop1, CountsBits) {
  Test32("s_bcnt1_i32_b32", Scc::kNotZero, Ones<32>);
  Test64To32("s_bcnt1_i32_b64", Scc::kNotZero, Ones<64>);
  Test32("s_bcnt0_i32_b32", Scc::kNotZero, [](uint32_t a) { return 32 - Ones<32>(a); });
  Test64To32("s_bcnt0_i32_b64", Scc::kNotZero, [](uint64_t a) { return 64 - Ones<64>(a); });
}

TEST(Sop1, FindsBits) {
  Test32("s_ff0_i32_b32", Scc::kKeep, [](uint32_t a) { return FirstFromBelow<32>(a, false); });
  Test32("s_ff1_i32_b32", Scc::kKeep, [](uint32_t a) { return FirstFromBelow<32>(a, true); });
  Test64To32("s_ff0_i32_b64", Scc::kKeep, [](uint64_t a) { return FirstFromBelow<64>(a, false); });
  Test64To32("s_ff1_i32_b64", Scc::kKeep, [](uint64_t a) { return FirstFromBelow<64>(a, true); });
  Test32("s_flbit_i32_b32", Scc::kKeep, [](uint32_t a) { return FirstFromAbove<32>(a, true); });
  Test64To32("s_flbit_i32_b64", Scc::kKeep, [](uint64_t a) { return FirstFromAbove<64>(a, true); });
  Test32("s_flbit_i32", Scc::kKeep, [](uint32_t a) { return FirstFromAbove<32>(a, !Bit(a, 31)); });
  Test64To32("s_flbit_i32_i64", Scc::kKeep,
             [](uint64_t a) { return FirstFromAbove<64>(a, !Bit(a, 63)); });
}

TEST(Sop1, ExtendsSigns) {
  Test32("s_sext_i32_i8", Scc::kKeep,
         [](uint32_t a) { return a % 256 < 128 ? a % 256 : a % 256 + 0xffffff00; });
  Test32("s_sext_i32_i16", Scc::kKeep,
         [](uint32_t a) { return a % 65536 < 32768 ? a % 65536 : a % 65536 + 0xffff0000; });
}

TEST(Sop1, TakesTheAbsoluteValue) {
  Test32("s_abs_i32", Scc::kNotZero, [](uint32_t a) { return a > 0x80000000 ? ~a + 1 : a; });
}

TEST(Sop1, SetsAndClearsSingleBits) {
  for (const uint32_t bit : {0u, 1u, 31u, 32u, 63u, 64u, 0xffffffffu}) {
    const uint64_t wide = uint64_t{1} << (bit % 64);
    const uint32_t narrow = 1u << (bit % 32);
    const auto setup = [&](TestMachine& m) {
      m.SetSgpr(kSource, bit);
      m.SetSgpr64(kResult, 0x5a5a5a5aa5a5a5a5);
    };
    RunSnippet("s_bitset0_b32", setup,
               [&](TestMachine& m) { EXPECT_EQ(m.Sgpr(kResult), 0xa5a5a5a5 & ~narrow); });
    RunSnippet("s_bitset1_b32", setup,
               [&](TestMachine& m) { EXPECT_EQ(m.Sgpr(kResult), 0xa5a5a5a5 | narrow); });
    RunSnippet("s_bitset0_b64", setup,
               [&](TestMachine& m) { EXPECT_EQ(m.Sgpr64(kResult), 0x5a5a5a5aa5a5a5a5 & ~wide); });
    RunSnippet("s_bitset1_b64", setup,
               [&](TestMachine& m) { EXPECT_EQ(m.Sgpr64(kResult), 0x5a5a5a5aa5a5a5a5 | wide); });
  }
}

TEST(Sop1, ReplicatesBits) {
  for (const uint32_t value : kEdgeValues) {
    uint64_t want = 0;
    for (int i = 0; i < 64; ++i) want |= uint64_t{Bit(value, i / 2)} << i;
    RunSnippet(
        "s_bitreplicate_b64_b32", [&](TestMachine& m) { m.SetSgpr(kSource, value); },
        [&](TestMachine& m) { EXPECT_EQ(m.Sgpr64(kResult), want); });
  }
}

// expected(source, exec) is the new EXEC.
template <class F>
void TestSaveExec(const char* label, F expected) {
  for (const uint64_t value : kWideValues) {
    SCOPED_TRACE(testing::Message() << std::hex << value);
    RunSnippet(
        label, [&](TestMachine& m) { m.SetSgpr64(kSource, value); },
        [&](TestMachine& m) {
          const uint64_t want = expected(value, m.exec_before());
          EXPECT_EQ(m.Exec(), want);
          EXPECT_EQ(m.Sgpr64(kResult), m.exec_before());
          EXPECT_EQ(m.Scc(), want != 0);
        });
  }
}

TEST(Sop1, ChangesExecAndSavesTheOldOne) {
  TestSaveExec("s_and_saveexec_b64", [](uint64_t s, uint64_t e) { return s & e; });
  TestSaveExec("s_or_saveexec_b64", [](uint64_t s, uint64_t e) { return s | e; });
  TestSaveExec("s_xor_saveexec_b64", [](uint64_t s, uint64_t e) { return s ^ e; });
  TestSaveExec("s_andn2_saveexec_b64", [](uint64_t s, uint64_t e) { return s & ~e; });
  TestSaveExec("s_orn2_saveexec_b64", [](uint64_t s, uint64_t e) { return s | ~e; });
  TestSaveExec("s_nand_saveexec_b64", [](uint64_t s, uint64_t e) { return ~s | ~e; });
  TestSaveExec("s_nor_saveexec_b64", [](uint64_t s, uint64_t e) { return ~s & ~e; });
  TestSaveExec("s_xnor_saveexec_b64", [](uint64_t s, uint64_t e) { return (s & e) | (~s & ~e); });
  TestSaveExec("s_andn1_saveexec_b64", [](uint64_t s, uint64_t e) { return ~s & e; });
  TestSaveExec("s_orn1_saveexec_b64", [](uint64_t s, uint64_t e) { return ~s | e; });
}

TEST(Sop1, SavesExecOverItsOwnSource) {
  RunSnippet(
      "sop1_overlap", [](TestMachine& m) { m.SetSgpr64(kSource, 0xff); },
      [](TestMachine& m) {
        EXPECT_EQ(m.Sgpr64(kSource), m.exec_before());
        EXPECT_EQ(m.Exec(), m.exec_before() & 0xff);
        EXPECT_TRUE(m.Scc());
      });
}

TEST(Sop1, ChangesExecAndKeepsTheNewOne) {
  for (const uint64_t value : kWideValues) {
    const auto setup = [&](TestMachine& m) { m.SetSgpr64(kSource, value); };
    RunSnippet("s_andn1_wrexec_b64", setup, [&](TestMachine& m) {
      const uint64_t want = ~value & m.exec_before();
      EXPECT_EQ(m.Exec(), want);
      EXPECT_EQ(m.Sgpr64(kResult), want);
      EXPECT_EQ(m.Scc(), want != 0);
    });
    RunSnippet("s_andn2_wrexec_b64", setup, [&](TestMachine& m) {
      const uint64_t want = value & ~m.exec_before();
      EXPECT_EQ(m.Exec(), want);
      EXPECT_EQ(m.Sgpr64(kResult), want);
      EXPECT_EQ(m.Scc(), want != 0);
    });
  }
}

TEST(Sop1, ReadsRegistersRelativeToM0) {
  for (const uint32_t index : {0u, 1u, 10u, 94u}) {
    RunSnippet(
        "s_movrels_b32", [&](TestMachine& m) { m.SetM0(index); },
        [&](TestMachine& m) { EXPECT_EQ(m.Sgpr(kResult), m.SgprBefore(kSource + index)); });
    RunSnippet(
        "s_movrels_b64", [&](TestMachine& m) { m.SetM0(index); },
        [&](TestMachine& m) {
          EXPECT_EQ(m.Sgpr(kResult), m.SgprBefore(kSource + index));
          EXPECT_EQ(m.Sgpr(kResult + 1), m.SgprBefore(kSource + index + 1));
        });
  }
}

TEST(Sop1, WritesRegistersRelativeToM0) {
  for (const uint32_t index : {0u, 1u, 10u, 96u}) {
    RunSnippet(
        "s_movreld_b32", [&](TestMachine& m) { m.SetM0(index); },
        [&](TestMachine& m) { EXPECT_EQ(m.Sgpr(kResult + index), m.SgprBefore(kSource)); });
    RunSnippet(
        "s_movreld_b64", [&](TestMachine& m) { m.SetM0(index); },
        [&](TestMachine& m) {
          EXPECT_EQ(m.Sgpr(kResult + index), m.SgprBefore(kSource));
          EXPECT_EQ(m.Sgpr(kResult + index + 1), m.SgprBefore(kSource + 1));
        });
  }
}

TEST(Sop1, RelativeRegistersPastTheEndReadS0AndAreNotWritten) {
  RunSnippet(
      "s_movrels_b32", [](TestMachine& m) { m.SetM0(96); },
      [](TestMachine& m) { EXPECT_EQ(m.Sgpr(kResult), m.SgprBefore(0)); });
  RunSnippet(
      "s_movrels_b64", [](TestMachine& m) { m.SetM0(0xfffffff0); },
      [](TestMachine& m) {
        EXPECT_EQ(m.Sgpr(kResult), m.SgprBefore(0));
        EXPECT_EQ(m.Sgpr(kResult + 1), m.SgprBefore(1));
      });
  const auto unchanged = [](TestMachine&) {};
  RunSnippet(
      "s_movreld_b32", [](TestMachine& m) { m.SetM0(98); }, unchanged);
  RunSnippet(
      "s_movreld_b64", [](TestMachine& m) { m.SetM0(97); }, unchanged);
}

TEST(Sop1, SetsTheIndexOfGprIndexMode) {
  RunSnippet(
      "s_set_gpr_idx_idx",
      [](TestMachine& m) {
        m.SetM0(0xabcdef12);
        m.SetSgpr(kSource, 0x777);
      },
      [](TestMachine& m) { EXPECT_EQ(m.M0(), 0xabcdef77u); });
}

TEST(Sop1, ReadsAndWritesTheProgramCounter) {
  RunSnippet(
      "s_getpc_b64", [](TestMachine&) {},
      [](TestMachine& m) {
        // The wave then ran the s_endpgm behind the instruction.
        EXPECT_EQ(m.Sgpr64(kResult) + 4, m.wave().pc);
      });
  RunSnippet(
      "s_setpc_b64", [](TestMachine& m) { m.SetSgpr64(kSource, TestMachine::kUnmappedVa + 2); },
      [](TestMachine& m) {
        EXPECT_NE(m.PcDelta(), 0);
        EXPECT_EQ(m.wave().pc, TestMachine::kUnmappedVa);
        EXPECT_EQ(m.fault().code, Fault::Code::kMemoryFault);
        EXPECT_EQ(m.fault().va, TestMachine::kUnmappedVa);
      });
}

TEST(Sop1, CallsAndReturns) {
  for (const char* label : {"s_swappc_b64", "sop1_swap_overlap"}) {
    const uint32_t result = std::string(label) == "s_swappc_b64" ? kResult : kSource;
    RunSnippet(
        label, [](TestMachine& m) { m.SetSgpr64(kSource, TestMachine::kUnmappedVa); },
        [&](TestMachine& m) {
          const uint64_t target = m.wave().pc;
          EXPECT_EQ(target, TestMachine::kUnmappedVa);
          EXPECT_EQ(m.Sgpr64(result), target - static_cast<uint64_t>(m.PcDelta()));
          EXPECT_EQ(m.fault().code, Fault::Code::kMemoryFault);
        });
  }
}

}  // namespace
}  // namespace vgpu::sop1_test
