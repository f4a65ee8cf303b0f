// SPDX-License-Identifier: MIT
#include <set>
#include <string>

#include "vgpu/wave/handlers.h"
#include "vgpu/wave/valu/valu_test_support.h"

namespace vgpu::valu::test {
namespace {

constexpr uint32_t kScalarResult = 20;

void ExpectNoEffect(const char* label) {
  RunSnippet(
      label, [](TestMachine&) {}, [](TestMachine&) {});
}

TEST(ValuLane, NopsChangeNothing) {
  ExpectNoEffect("v_nop");
  ExpectNoEffect("v_clrexcp");
}

void ExpectConstant(const char* label, uint32_t want) {
  RunSnippet(
      label, [](TestMachine& m) { m.SetSgpr(7, 0xcafe1234); },
      [&](TestMachine& m) {
        m.ForActive([&](int lane) { EXPECT_EQ(m.Vgpr(kResultRegister, lane), want); });
      });
}

TEST(ValuLane, MovesAnyKindOfOperand) {
  ExpectLanes("v_mov_b32", [](uint32_t a) { return a; });
  ExpectConstant("v_mov_b32_sgpr", 0xcafe1234);
  ExpectConstant("v_mov_b32_literal", 0x12345678);
  ExpectConstant("v_mov_b32_integer", 0xfffffff0);
  ExpectConstant("v_mov_b32_float", 0x40800000);
  ExpectConstant("v_mov_b32_shared_base", 0x00010000);
  ExpectConstant("v_mov_b32_vccz", 0);
}

void ExpectSelection(const char* label, uint32_t mask_register, uint32_t flip, uint32_t clear) {
  constexpr uint64_t kMask = 0xf0e1d2c3b4a59687;
  RunSnippet(
      label, [&](TestMachine& m) { m.SetSgpr64(mask_register, kMask); },
      [&](TestMachine& m) {
        m.ForActive([&](int lane) {
          const uint32_t if_clear = m.Before(2, lane) ^ flip;
          const uint32_t if_set = m.Before(4, lane) & ~clear;
          const uint32_t want = kMask >> lane & 1 ? if_set : if_clear;
          EXPECT_EQ(m.Vgpr(kResultRegister, lane), want) << "lane " << lane;
        });
      });
}

TEST(ValuLane, SelectsByMask) {
  ExpectSelection("v_cndmask_b32", kOperandVcc, 0, 0);
  ExpectSelection("v_cndmask_b32_e64", kScalarResult, 0, 0);
  ExpectSelection("v_cndmask_b32_modified", kScalarResult, 0x80000000, 0x80000000);
}

TEST(ValuLane, SwapsRegisters) {
  RunSnippet(
      "v_swap_b32", [](TestMachine&) {},
      [](TestMachine& m) {
        m.ForActive([&](int lane) {
          EXPECT_EQ(m.Vgpr(10, lane), m.Before(2, lane));
          EXPECT_EQ(m.Vgpr(2, lane), m.Before(10, lane));
        });
      });
}

TEST(ValuLane, ReadsTheFirstEnabledLane) {
  for (const uint64_t exec : {uint64_t{1} << 63, uint64_t{0x0ff0}, ~uint64_t{0}}) {
    RunSnippet(
        "v_readfirstlane_b32", [&](TestMachine& m) { m.SetExec(exec); },
        [&](TestMachine& m) {
          int first = 0;
          while ((exec >> first & 1) == 0) ++first;
          EXPECT_EQ(m.Sgpr(kScalarResult), m.Before(2, first));
        });
  }
}

TEST(ValuLane, ReadsLaneZeroWhenNoneIsEnabled) {
  RunSnippet(
      "v_readfirstlane_b32", [](TestMachine& m) { m.SetExec(0); },
      [](TestMachine& m) { EXPECT_EQ(m.Sgpr(kScalarResult), m.Before(2, 0)); });
}

TEST(ValuLane, ReadsAnyLaneEvenDisabledOnes) {
  for (uint32_t lane = 0; lane < 130; lane += 13) {
    RunSnippet(
        "v_readlane_b32", [&](TestMachine& m) { m.SetSgpr(4, lane); },
        [&](TestMachine& m) {
          EXPECT_EQ(m.Sgpr(kScalarResult), m.Before(2, static_cast<int>(lane % 64)));
        });
  }
  RunSnippet(
      "v_readlane_b32_inline", [](TestMachine&) {},
      [](TestMachine& m) { EXPECT_EQ(m.Sgpr(kScalarResult), m.Before(2, 17)); });
}

TEST(ValuLane, WritesOneLaneEvenADisabledOne) {
  for (uint32_t lane = 0; lane < 130; lane += 13) {
    RunSnippet(
        "v_writelane_b32", [&](TestMachine& m) { m.SetSgpr(4, lane); },
        [&](TestMachine& m) {
          m.AllowDisabledLanes();
          EXPECT_EQ(m.Vgpr(10, static_cast<int>(lane % 64)), 33u);
        });
  }
  RunSnippet(
      "v_writelane_b32_scalar", [](TestMachine& m) { m.SetSgpr(6, 0xabcdef01); },
      [](TestMachine& m) {
        m.AllowDisabledLanes();
        EXPECT_EQ(m.Vgpr(10, 2), 0xabcdef01);
      });
}

void ExpectFault(const char* label, const std::string& text) {
  RunSnippet(
      label, [](TestMachine&) {},
      [&](TestMachine& m) {
        EXPECT_EQ(m.fault().code, Fault::Code::kIllegalInstruction);
        EXPECT_NE(m.fault().message.find(text), std::string::npos) << m.fault().message;
        (void)m.PcDelta();
      });
}

TEST(ValuLane, UnimplementedInstructionsFaultByName) {
  ExpectFault("v_cubeid_f32", "v_cubeid_f32");
  ExpectFault("v_exp_legacy_f32", "v_exp_legacy_f32");
  ExpectFault("v_and_b32_clamp", "clamp");
}

// Instructions left out on purpose: texture coordinates, interpolation, legacy functions.
TEST(ValuLane, EveryNamedOpcodeIsImplementedExceptTheListed) {
  const std::set<std::string> left_out = {"v_screen_partition_4se_b32",
                                          "v_exp_legacy_f32",
                                          "v_log_legacy_f32",
                                          "v_cubeid_f32",
                                          "v_cubesc_f32",
                                          "v_cubetc_f32",
                                          "v_cubema_f32",
                                          "v_interp_p1_f32",
                                          "v_interp_p2_f32",
                                          "v_interp_mov_f32",
                                          "v_interp_p1ll_f16",
                                          "v_interp_p1lv_f16",
                                          "v_interp_p2_legacy_f16",
                                          "v_interp_p2_f16"};
  for (uint16_t opcode = 0; opcode < 1024; ++opcode) {
    const char* name = isa::kVNames[opcode];
    EXPECT_EQ(FindVector(opcode) != nullptr, name != nullptr && left_out.count(name) == 0)
        << opcode << " " << (name != nullptr ? name : "no name");
  }
  for (uint16_t opcode = 0; opcode < 128; ++opcode) {
    EXPECT_EQ(FindVop3p(opcode) != nullptr, isa::kVop3pNames[opcode] != nullptr) << opcode;
  }
}

}  // namespace
}  // namespace vgpu::valu::test
