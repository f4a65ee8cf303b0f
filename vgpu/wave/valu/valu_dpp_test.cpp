// SPDX-License-Identifier: MIT
#include <string>

#include "vgpu/wave/valu/valu_test_floats.h"

namespace vgpu::valu::test {
namespace {

constexpr int kNowhere = -1;

// The lane from which `lane` reads, written from the names of the controls.
int RowShiftedLeft(int lane, int n) { return lane % 16 + n < 16 ? lane + n : kNowhere; }
int RowShiftedRight(int lane, int n) { return lane % 16 >= n ? lane - n : kNowhere; }
int RowRotatedRight(int lane, int n) { return lane / 16 * 16 + (lane % 16 + 16 - n) % 16; }

template <class F>
void ExpectMoves(const std::string& name, F source) {
  for (const bool zero : {false, true}) {
    RunSnippet(("dpp_" + name + (zero ? "_zero" : "")).c_str(), [](TestMachine&) {},
               [&](TestMachine& m) {
                 m.ForActive([&](int lane) {
                   const int from = source(lane);
                   uint32_t want = zero ? 0 : m.Before(kResultRegister, lane);
                   if (from != kNowhere && m.Active(from)) want = m.Before(2, from);
                   EXPECT_EQ(m.Vgpr(kResultRegister, lane), want)
                       << "lane " << lane << " from " << from;
                 });
               });
  }
}

TEST(ValuDpp, PermutesQuads) {
  ExpectMoves("quad_perm_0123", [](int lane) { return lane; });
  ExpectMoves("quad_perm_3210", [](int lane) { return lane / 4 * 4 + 3 - lane % 4; });
  ExpectMoves("quad_perm_1133", [](int lane) { return lane / 2 * 2 + 1; });
}

TEST(ValuDpp, ShiftsAndRotatesRows) {
  for (int n = 1; n < 16; ++n) {
    const std::string suffix = std::to_string(n);
    ExpectMoves("row_shl_" + suffix, [&](int lane) { return RowShiftedLeft(lane, n); });
    ExpectMoves("row_shr_" + suffix, [&](int lane) { return RowShiftedRight(lane, n); });
    ExpectMoves("row_ror_" + suffix, [&](int lane) { return RowRotatedRight(lane, n); });
  }
}

TEST(ValuDpp, ShiftsAndRotatesTheWave) {
  ExpectMoves("wave_shl", [](int lane) { return lane == 63 ? kNowhere : lane + 1; });
  ExpectMoves("wave_rol", [](int lane) { return lane == 63 ? 0 : lane + 1; });
  ExpectMoves("wave_shr", [](int lane) { return lane == 0 ? kNowhere : lane - 1; });
  ExpectMoves("wave_ror", [](int lane) { return lane == 0 ? 63 : lane - 1; });
}

TEST(ValuDpp, MirrorsAndBroadcastsRows) {
  ExpectMoves("row_mirror", [](int lane) { return lane / 16 * 16 + 15 - lane % 16; });
  ExpectMoves("row_half_mirror", [](int lane) { return lane / 8 * 8 + 7 - lane % 8; });
  ExpectMoves("row_bcast15", [](int lane) { return lane < 16 ? kNowhere : lane / 16 * 16 - 1; });
  ExpectMoves("row_bcast31", [](int lane) { return lane < 32 ? kNowhere : 31; });
}

bool InMasks(int lane, unsigned rows, unsigned banks) {
  return (rows >> lane / 16 & 1) != 0 && (banks >> lane % 16 / 4 & 1) != 0;
}

TEST(ValuDpp, RowAndBankMasksDisableWrites) {
  RunSnippet(
      "dpp_masked", [](TestMachine&) {},
      [](TestMachine& m) {
        m.ForActive([&](int lane) {
          const int from = lane ^ 1;
          const bool writes = InMasks(lane, 0xa, 0x6) && m.Active(from);
          EXPECT_EQ(m.Vgpr(kResultRegister, lane),
                    writes ? m.Before(2, from) : m.Before(kResultRegister, lane));
        });
      });
  RunSnippet(
      "dpp_masked_zero", [](TestMachine&) {},
      [](TestMachine& m) {
        m.ForActive([&](int lane) {
          const int from = RowShiftedRight(lane, 1);
          uint32_t want = from != kNowhere && m.Active(from) ? m.Before(2, from) : 0;
          if (!InMasks(lane, 0x5, 0xd)) want = m.Before(kResultRegister, lane);
          EXPECT_EQ(m.Vgpr(kResultRegister, lane), want) << "lane " << lane;
        });
      });
}

TEST(ValuDpp, MovesTheFirstSourceOnly) {
  RunSnippet(
      "dpp_add", [](TestMachine&) {},
      [](TestMachine& m) {
        m.ForActive([&](int lane) {
          const int from = RowShiftedRight(lane, 1);
          const uint32_t a = from != kNowhere && m.Active(from) ? m.Before(2, from) : 0;
          EXPECT_EQ(m.Vgpr(kResultRegister, lane), a + m.Before(4, lane));
        });
      });
}

TEST(ValuDpp, ReadsAllLanesBeforeItWrites) {
  RunSnippet(
      "dpp_add_in_place", [](TestMachine&) {},
      [](TestMachine& m) {
        m.ForActive([&](int lane) {
          const int from = RowShiftedRight(lane, 1);
          const uint32_t own = m.Before(kResultRegister, lane);
          const bool writes = from != kNowhere && m.Active(from);
          const uint32_t want = writes ? m.Before(kResultRegister, from) + own : own;
          EXPECT_EQ(m.Vgpr(kResultRegister, lane), want);
        });
      });
}

TEST(ValuDpp, HasFloatModifiers) {
  RunSnippet(
      "dpp_f32_modified",
      [](TestMachine& m) {
        m.SetMode(kDefaultMode);
        for (int lane = 0; lane < kLanes; ++lane) {
          m.SetVgpr(2, lane, BitsOf(1.5f * static_cast<float>(lane)));
          m.SetVgpr(4, lane, BitsOf(-0.25f * static_cast<float>(lane)));
        }
      },
      [](TestMachine& m) {
        m.ForActive([&](int lane) {
          const int from = lane ^ 15;
          uint32_t want = m.Before(kResultRegister, lane);
          if (m.Active(from)) {
            want = BitsOf(0.25f * static_cast<float>(lane) - 1.5f * static_cast<float>(from));
          }
          EXPECT_EQ(m.Vgpr(kResultRegister, lane), want);
        });
      });
}

TEST(ValuDpp, LanesThatAreNotWrittenHaveNoCarry) {
  RunSnippet(
      "dpp_carry", [](TestMachine& m) { m.SetAllLanes(4, 0xffffffff); },
      [](TestMachine& m) {
        uint64_t carries = 0;
        m.ForActive([&](int lane) {
          const int from = RowShiftedRight(lane, 1);
          if (from == kNowhere || !m.Active(from)) return;
          EXPECT_EQ(m.Vgpr(kResultRegister, lane), m.Before(2, from) - 1);
          if (m.Before(2, from) != 0) carries |= uint64_t{1} << lane;
        });
        EXPECT_EQ(m.Vcc(), carries);
      });
}

TEST(ValuDpp, ReservedControlsFault) {
  RunSnippet(
      "dpp_reserved", [](TestMachine&) {},
      [](TestMachine& m) {
        EXPECT_EQ(m.fault().code, Fault::Code::kIllegalInstruction);
        EXPECT_NE(m.fault().message.find("DPP"), std::string::npos) << m.fault().message;
        (void)m.PcDelta();
      });
}

}  // namespace
}  // namespace vgpu::valu::test
