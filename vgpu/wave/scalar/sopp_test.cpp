// SPDX-License-Identifier: MIT
#include <string>

#include "vgpu/wave/wave_test_support.h"

namespace vgpu::sopp_test {
namespace {

void ExpectBranch(const char* label, bool taken, const std::function<void(TestMachine&)>& setup) {
  RunSnippet(label, setup, [&](TestMachine& m) {
    EXPECT_TRUE(m.wave().done);
    // Taken or not, the branch leads to the same s_endpgm, without or with the s_nop before it.
    EXPECT_EQ(m.PcDelta(), 8);
    EXPECT_EQ(m.Executed(), taken ? 2u : 3u);
  });
}

TEST(Sopp, BranchesAlways) {
  ExpectBranch("s_branch", true, [](TestMachine&) {});
  RunSnippet(
      "branch_backward", [](TestMachine&) {}, [](TestMachine& m) { EXPECT_EQ(m.PcDelta(), -4); });
}

TEST(Sopp, BranchesOnScc) {
  for (const bool scc : {false, true}) {
    const auto setup = [&](TestMachine& m) { m.SetScc(scc); };
    ExpectBranch("s_cbranch_scc0", !scc, setup);
    ExpectBranch("s_cbranch_scc1", scc, setup);
  }
}

TEST(Sopp, BranchesOnVcc) {
  for (const uint64_t vcc : {uint64_t{0}, uint64_t{1}, uint64_t{1} << 63}) {
    const auto setup = [&](TestMachine& m) { m.SetVcc(vcc); };
    ExpectBranch("s_cbranch_vccz", vcc == 0, setup);
    ExpectBranch("s_cbranch_vccnz", vcc != 0, setup);
  }
}

TEST(Sopp, BranchesOnExec) {
  for (const uint64_t exec : {uint64_t{0}, uint64_t{1}, uint64_t{1} << 63}) {
    const auto setup = [&](TestMachine& m) { m.SetExec(exec); };
    ExpectBranch("s_cbranch_execz", exec == 0, setup);
    ExpectBranch("s_cbranch_execnz", exec != 0, setup);
  }
}

TEST(Sopp, NeverTakesADebuggersBranches) {
  for (const char* label : {"s_cbranch_cdbgsys", "s_cbranch_cdbguser", "s_cbranch_cdbgsys_or_user",
                            "s_cbranch_cdbgsys_and_user"}) {
    ExpectBranch(label, false, [](TestMachine&) {});
  }
}

TEST(Sopp, HasInstructionsWithoutVisibleEffect) {
  for (const char* label : {"s_nop", "s_waitcnt", "s_setprio", "s_wakeup", "s_icache_inv",
                            "s_incperflevel", "s_decperflevel", "s_ttracedata", "trap_debug"}) {
    RunSnippet(
        label, [](TestMachine&) {}, [](TestMachine& m) { EXPECT_EQ(m.PcDelta(), 4); });
  }
}

TEST(Sopp, StopsTheWaveLoopAtABarrierAndInSleep) {
  RunSnippet(
      "s_barrier", [](TestMachine&) {},
      [](TestMachine& m) {
        EXPECT_EQ(m.PcDelta(), 0);
        EXPECT_TRUE(m.wave().at_barrier);
        EXPECT_FALSE(m.wave().done);
      });
  RunSnippet(
      "s_sleep", [](TestMachine&) {},
      [](TestMachine& m) {
        EXPECT_EQ(m.PcDelta(), 0);
        EXPECT_TRUE(m.wave().yield);
        EXPECT_FALSE(m.wave().at_barrier);
        EXPECT_FALSE(m.wave().done);
      });
}

TEST(Sopp, EndsTheWave) {
  for (const char* label : {"s_endpgm", "s_endpgm_saved"}) {
    RunSnippet(
        label, [](TestMachine&) {},
        [](TestMachine& m) {
          EXPECT_EQ(m.PcDelta(), 0);
          EXPECT_TRUE(m.wave().done);
        });
  }
}

TEST(Sopp, TrapsAreFaults) {
  RunSnippet(
      "s_trap", [](TestMachine&) {},
      [](TestMachine& m) {
        EXPECT_EQ(m.fault().code, Fault::Code::kTrap);
        EXPECT_EQ(m.fault().message.find("s_trap 2 at 0x"), 0u);
      });
}

TEST(Sopp, SendsInterruptsAndRefusesGraphicsMessages) {
  // Event 0 is never in use; raising it is reported on stderr and has no other effect.
  RunSnippet(
      "s_sendmsg", [](TestMachine& m) { m.SetM0(0); }, [](TestMachine&) {});
  RunSnippet(
      "sendmsg_graphics", [](TestMachine&) {},
      [](TestMachine& m) {
        EXPECT_EQ(m.fault().code, Fault::Code::kIllegalInstruction);
        EXPECT_EQ(m.fault().message.find("s_sendmsg "), 0u);
      });
}

TEST(Sopp, ChangesGprIndexMode) {
  RunSnippet(
      "s_set_gpr_idx_mode", [](TestMachine& m) { m.SetM0(0xabcd5678); },
      [](TestMachine& m) { EXPECT_EQ(m.M0(), 0xabcda678u); });
  RunSnippet(
      "s_set_gpr_idx_off", [](TestMachine& m) { m.SetMode(0xffffffff); },
      [](TestMachine& m) { EXPECT_EQ(m.Mode(), 0xf7ffffffu); });
}

TEST(UnknownInstructions, AreFaultsThatNameThem) {
  const std::pair<const char*, const char*> cases[] = {
      {"unknown_sethalt", "s_sethalt "},
      {"unknown_sendmsghalt", "s_sendmsghalt "},
      {"unknown_fork", "s_cbranch_g_fork "},
      {"unknown_rfe", "s_rfe_b64 "},
      {"unknown_setvskip", "s_setvskip "},
      {"unknown_gws", "ds_gws_sema_v "},
      {"unknown_format", "buffer_load_format_d16_hi_x "},
      {"unknown_src2", "ds_add_src2_u32 "},
      {"unknown_gds", "ds_add_u32 "},
      {"unknown_lds", "buffer_load_dwordx2 "},
      {"unknown_words", "? (unknown format opcode 0x0, code ffffffff"},
      {"unknown_mimg", "? (unknown format opcode 0x0, code f0000000"},
      {"reserved_operand", "s_mov_b32 "},
  };
  for (const auto& [label, name] : cases) {
    RunSnippet(
        label, [](TestMachine&) {},
        [&, name = name](TestMachine& m) {
          EXPECT_EQ(m.fault().code, Fault::Code::kIllegalInstruction);
          EXPECT_EQ(m.fault().message.find(name), 0u) << m.fault().message;
        });
  }
}

}  // namespace
}  // namespace vgpu::sopp_test
