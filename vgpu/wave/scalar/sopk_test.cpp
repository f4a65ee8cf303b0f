// SPDX-License-Identifier: MIT
#include <string>

#include "vgpu/wave/wave_test_support.h"

namespace vgpu::sopk_test {
namespace {

constexpr uint32_t kRegister = 6;
constexpr int64_t kLow = 0x7fff;          // the immediate of a snippet
constexpr int64_t kHighSigned = -0x8000;  // of <name>_high, where it is signed
constexpr int64_t kHighUnsigned = 0x8000;

int64_t S32(uint64_t value) { return static_cast<int32_t>(value); }

// act(snippet, immediate, register value)
template <class F>
void ForBothImmediates(const std::string& label, int64_t high, F act) {
  for (const uint32_t value : kEdgeValues) {
    SCOPED_TRACE(testing::Message() << std::hex << value);
    act(label.c_str(), kLow, value);
    act((label + "_high").c_str(), high, value);
  }
}

TEST(Sopk, MovesImmediates) {
  ForBothImmediates("s_movk_i32", kHighSigned, [](const char* label, int64_t k, uint32_t value) {
    RunSnippet(
        label, [&](TestMachine& m) { m.SetSgpr(kRegister, value); },
        [&](TestMachine& m) { EXPECT_EQ(S32(m.Sgpr(kRegister)), k); });
  });
  ForBothImmediates("s_cmovk_i32", kHighSigned, [](const char* label, int64_t k, uint32_t value) {
    for (const bool scc : {false, true}) {
      RunSnippet(
          label,
          [&](TestMachine& m) {
            m.SetSgpr(kRegister, value);
            m.SetScc(scc);
          },
          [&](TestMachine& m) { EXPECT_EQ(S32(m.Sgpr(kRegister)), scc ? k : S32(value)); });
    }
  });
}

TEST(Sopk, AddsWithTheOverflowInScc) {
  ForBothImmediates("s_addk_i32", kHighSigned, [](const char* label, int64_t k, uint32_t value) {
    RunSnippet(
        label, [&](TestMachine& m) { m.SetSgpr(kRegister, value); },
        [&](TestMachine& m) {
          const int64_t sum = S32(value) + k;
          EXPECT_EQ(m.Sgpr(kRegister), static_cast<uint32_t>(sum));
          EXPECT_EQ(m.Scc(), sum > INT32_MAX || sum < INT32_MIN);
        });
  });
}

TEST(Sopk, MultipliesAndKeepsScc) {
  ForBothImmediates("s_mulk_i32", kHighSigned, [](const char* label, int64_t k, uint32_t value) {
    RunSnippet(
        label, [&](TestMachine& m) { m.SetSgpr(kRegister, value); },
        [&](TestMachine& m) {
          EXPECT_EQ(m.Sgpr(kRegister), static_cast<uint32_t>(S32(value) * k));
        });
  });
}

// expected(register - immediate)
template <class F>
void TestCompare(const std::string& relation, F expected) {
  ForBothImmediates("s_cmpk_" + relation + "_i32", kHighSigned,
                    [&](const char* label, int64_t k, uint32_t value) {
                      const bool want = expected(S32(value) - k);
                      RunSnippet(
                          label,
                          [&](TestMachine& m) {
                            m.SetSgpr(kRegister, value);
                            m.SetScc(!want);
                          },
                          [&](TestMachine& m) { EXPECT_EQ(m.Scc(), want); });
                    });
  ForBothImmediates("s_cmpk_" + relation + "_u32", kHighUnsigned,
                    [&](const char* label, int64_t k, uint32_t value) {
                      const bool want = expected(int64_t{value} - k);
                      RunSnippet(
                          label,
                          [&](TestMachine& m) {
                            m.SetSgpr(kRegister, value);
                            m.SetScc(!want);
                          },
                          [&](TestMachine& m) { EXPECT_EQ(m.Scc(), want); });
                    });
}

TEST(Sopk, ComparesWithASignedOrUnsignedImmediate) {
  TestCompare("eq", [](int64_t difference) { return difference == 0; });
  TestCompare("lg", [](int64_t difference) { return difference != 0; });
  TestCompare("gt", [](int64_t difference) { return difference > 0; });
  TestCompare("ge", [](int64_t difference) { return difference >= 0; });
  TestCompare("lt", [](int64_t difference) { return difference < 0; });
  TestCompare("le", [](int64_t difference) { return difference <= 0; });
}

TEST(Sopk, ComparesEqualNumbers) {
  const auto test = [](const char* label, uint32_t value, bool want) {
    RunSnippet(
        label,
        [&](TestMachine& m) {
          m.SetSgpr(kRegister, value);
          m.SetScc(!want);
        },
        [&](TestMachine& m) { EXPECT_EQ(m.Scc(), want); });
  };
  test("s_cmpk_eq_i32_high", 0xffff8000, true);
  test("s_cmpk_eq_u32_high", 0xffff8000, false);
  test("s_cmpk_eq_u32_high", 0x8000, true);
  test("s_cmpk_eq_i32_high", 0x8000, false);
}

TEST(Sopk, Calls) {
  RunSnippet(
      "s_call_b64", [](TestMachine&) {},
      [](TestMachine& m) {
        // The wave jumped over two instructions and then ran s_endpgm.
        EXPECT_EQ(m.PcDelta(), 12);
        EXPECT_EQ(m.Sgpr64(kRegister), m.wave().pc - 12);
      });
}

TEST(HwRegisters, GiveMode) {
  const auto setup = [](TestMachine& m) { m.SetMode(0x2f5); };
  RunSnippet("s_getreg_b32", setup, [](TestMachine& m) { EXPECT_EQ(m.Sgpr(kRegister), 0x2f5u); });
  RunSnippet("getreg_field", setup, [](TestMachine& m) { EXPECT_EQ(m.Sgpr(kRegister), 0x2fu); });
}

constexpr uint32_t kExecz = 1u << 9;
constexpr uint32_t kVccz = 1u << 10;

TEST(HwRegisters, GiveStatus) {
  RunSnippet(
      "getreg_status",
      [](TestMachine& m) {
        m.SetScc(true);
        m.SetVcc(0);
      },
      [](TestMachine& m) { EXPECT_EQ(m.Sgpr(kRegister) & (1 | kExecz | kVccz), 1 | kVccz); });
  RunSnippet(
      "getreg_status",
      [](TestMachine& m) {
        m.SetExec(0);
        m.SetVcc(1);
      },
      [](TestMachine& m) { EXPECT_EQ(m.Sgpr(kRegister) & (1 | kExecz | kVccz), kExecz); });
}

TEST(HwRegisters, GiveWhatTheLauncherSet) {
  const auto setup = [](TestMachine& m) {
    m.wave().trap_status = 0x11;
    m.wave().hw_id = 0x22222;
    m.wave().gpr_alloc = 0x3000500;
    m.wave().lds_alloc = 0x44000;
  };
  RunSnippet("getreg_trapsts", setup, [](TestMachine& m) { EXPECT_EQ(m.Sgpr(kRegister), 0x11u); });
  RunSnippet("getreg_hw_id", setup, [](TestMachine& m) { EXPECT_EQ(m.Sgpr(kRegister), 0x22222u); });
  RunSnippet("getreg_gpr_alloc", setup,
             [](TestMachine& m) { EXPECT_EQ(m.Sgpr(kRegister), 0x3000500u); });
  RunSnippet("getreg_lds_alloc", setup,
             [](TestMachine& m) { EXPECT_EQ(m.Sgpr(kRegister), 0x44000u); });
  RunSnippet("getreg_ib_sts", setup, [](TestMachine& m) { EXPECT_EQ(m.Sgpr(kRegister), 0u); });
  RunSnippet("getreg_tba", setup, [](TestMachine& m) { EXPECT_EQ(m.Sgpr(kRegister), 0u); });
}

TEST(HwRegisters, GiveTheAperturesAsTheCompilerReadsThem) {
  const auto none = [](TestMachine&) {};
  RunSnippet("getreg_shared_base", none,
             [](TestMachine& m) { EXPECT_EQ(uint64_t{m.Sgpr(kRegister)} << 48, 1ull << 48); });
  RunSnippet("getreg_private_base", none,
             [](TestMachine& m) { EXPECT_EQ(uint64_t{m.Sgpr(kRegister)} << 48, 2ull << 48); });
}

TEST(HwRegisters, KeepTheBitsOutsideTheField) {
  RunSnippet(
      "s_setreg_b32",
      [](TestMachine& m) {
        m.SetMode(0x0f0f0f0f);
        m.SetSgpr(kRegister, 0xffffff95);
      },
      [](TestMachine& m) { EXPECT_EQ(m.Mode(), 0x0f0f0d5fu); });
  RunSnippet(
      "s_setreg_imm32_b32", [](TestMachine& m) { m.SetMode(0x0f0f0f0f); },
      [](TestMachine& m) { EXPECT_EQ(m.Mode(), 0x0f0f0f5fu); });
  RunSnippet(
      "setreg_whole", [](TestMachine& m) { m.SetSgpr(kRegister, 0x3c0); },
      [](TestMachine& m) { EXPECT_EQ(m.Mode(), 0x3c0u); });
  RunSnippet(
      "setreg_trapsts",
      [](TestMachine& m) {
        m.wave().trap_status = 0xf0000;
        m.SetSgpr(kRegister, 0x3ff);
      },
      [](TestMachine& m) { EXPECT_EQ(m.wave().trap_status, 0xf01ffu); });
}

TEST(HwRegisters, IgnoreWritesToThoseThatOnlyTheHardwareSets) {
  RunSnippet(
      "setreg_read_only", [](TestMachine& m) { m.wave().hw_id = 5; },
      [](TestMachine& m) { EXPECT_EQ(m.wave().hw_id, 5u); });
}

TEST(HwRegisters, RefuseUnknownOnes) {
  for (const char* label : {"getreg_unknown", "setreg_unknown"}) {
    RunSnippet(
        label, [](TestMachine&) {},
        [](TestMachine& m) {
          EXPECT_EQ(m.fault().code, Fault::Code::kIllegalInstruction);
          EXPECT_NE(m.fault().message.find("no such hardware register"), std::string::npos);
        });
  }
}

}  // namespace
}  // namespace vgpu::sopk_test
