// SPDX-License-Identifier: MIT
#include <algorithm>

#include "vgpu/wave/valu/valu_test_support.h"

namespace vgpu::valu::test {
namespace {

using U32 = uint32_t;
using I32 = int32_t;
using U64 = uint64_t;
using I64 = int64_t;

constexpr U32 kNone = ~0u;

bool BitOf(U64 value, U32 number) { return value >> number & 1; }

TEST(ValuBits, CombinesBits) {
  ExpectLanes("v_and_b32", [](U32 a, U32 b) { return a & b; });
  ExpectLanes("v_or_b32", [](U32 a, U32 b) { return a | b; });
  ExpectLanes("v_xor_b32", [](U32 a, U32 b) { return (a | b) - (a & b); });
  ExpectLanes("v_xnor_b32", [](U32 a, U32 b) { return kNone - ((a | b) - (a & b)); });
  ExpectLanes("v_not_b32", [](U32 a) { return kNone - a; });
  ExpectLanes("v_and_or_b32", [](U32 a, U32 b, U32 c) { return (a & b) | c; });
  ExpectLanes("v_or3_b32", [](U32 a, U32 b, U32 c) { return a | b | c; });
  ExpectLanes("v_lshl_or_b32", [](U32 a, U32 b, U32 c) { return (a << b % 32) | c; });
  ExpectLanes("v_bfi_b32", [](U32 mask, U32 a, U32 b) { return b ^ ((a ^ b) & mask); });
}

TEST(ValuBits, ShiftsByTheAmountModuloTheWidth) {
  ExpectLanes("v_lshlrev_b32", [](U32 a, U32 b) { return b << a % 32; });
  ExpectLanes("v_lshrrev_b32", [](U32 a, U32 b) { return b >> a % 32; });
  ExpectLanes("v_ashrrev_i32", [](U32 a, I32 b) { return static_cast<U32>(I64{b} >> a % 32); });
  ExpectLanes("v_lshlrev_b64", [](U32 a, U64 b) { return b << a % 64; });
  ExpectLanes("v_lshrrev_b64", [](U32 a, U64 b) { return b >> a % 64; });
  ExpectLanes("v_ashrrev_i64",
              [](U32 a, I64 b) { return static_cast<U64>(__int128{b} >> a % 64); });
}

TEST(ValuBits, ExtractsFields) {
  ExpectLanes("v_bfe_u32", [](U32 value, U32 offset, U32 width) {
    U32 field = 0;
    for (U32 i = 0; i < width % 32; ++i) {
      if (BitOf(value, offset % 32 + i)) field |= 1u << i;
    }
    return field;
  });
  ExpectLanes("v_bfe_i32", [](I32 value, U32 offset, U32 width) {
    const U32 bits = width % 32;
    if (bits == 0) return U32{0};
    const I64 extended = value;
    U32 field = 0;
    for (U32 i = 0; i < 32; ++i) {
      const U32 source = offset % 32 + std::min(i, bits - 1);
      if (BitOf(static_cast<U64>(extended), source)) field |= 1u << i;
    }
    return field;
  });
  ExpectLanes("v_bfm_b32", [](U32 width, U32 offset) {
    U32 mask = 0;
    for (U32 i = 0; i < width % 32; ++i) {
      if (offset % 32 + i < 32) mask |= 1u << (offset % 32 + i);
    }
    return mask;
  });
}

TEST(ValuBits, AlignsAndPermutesBytes) {
  ExpectLanes("v_alignbit_b32", [](U32 high, U32 low, U32 shift) {
    return static_cast<U32>((U64{high} << 32 | low) >> shift % 32);
  });
  ExpectLanes("v_alignbyte_b32", [](U32 high, U32 low, U32 shift) {
    return static_cast<U32>((U64{high} << 32 | low) >> shift % 4 * 8);
  });
  ExpectLanes("v_perm_b32", [](U32 high, U32 low, U32 selects) {
    uint8_t bytes[8];
    for (int i = 0; i < 4; ++i) bytes[i] = static_cast<uint8_t>(low >> 8 * i);
    for (int i = 0; i < 4; ++i) bytes[4 + i] = static_cast<uint8_t>(high >> 8 * i);
    U32 result = 0;
    for (int i = 0; i < 4; ++i) {
      const U32 select = selects >> 8 * i & 0xff;
      U32 byte = select == 12 ? 0x00 : 0xff;
      if (select < 8) byte = bytes[select % 8];
      if (select >= 8 && select < 12) byte = bytes[2 * (select - 8) + 1] >= 0x80 ? 0xff : 0x00;
      result |= byte << 8 * i;
    }
    return result;
  });
}

// All selector values, which random selects would rarely hit.
TEST(ValuBits, PermuteKnowsEverySelector) {
  for (U32 select = 0; select < 16; ++select) {
    RunSnippet(
        "v_perm_b32",
        [&](TestMachine& m) {
          m.SetAllLanes(2, 0x88776655);
          m.SetAllLanes(4, 0x44b322f1);
          m.SetAllLanes(6, 0x0c0c0c00 | select);
        },
        [&](TestMachine& m) {
          constexpr U32 kWant[16] = {0xf1, 0x22, 0xb3, 0x44, 0x55, 0x66, 0x77, 0x88,
                                     0x00, 0x00, 0x00, 0xff, 0x00, 0xff, 0xff, 0xff};
          m.ForActive([&](int lane) { EXPECT_EQ(m.Vgpr(10, lane), kWant[select]) << select; });
        });
  }
}

TEST(ValuBits, FindsAndCountsBits) {
  ExpectLanes("v_bfrev_b32", [](U32 a) {
    U32 result = 0;
    for (U32 i = 0; i < 32; ++i) result = result << 1 | (BitOf(a, i) ? 1 : 0);
    return result;
  });
  ExpectLanes("v_ffbh_u32", [](U32 a) {
    for (U32 i = 0; i < 32; ++i) {
      if (BitOf(a, 31 - i)) return i;
    }
    return kNone;
  });
  ExpectLanes("v_ffbl_b32", [](U32 a) {
    for (U32 i = 0; i < 32; ++i) {
      if (BitOf(a, i)) return i;
    }
    return kNone;
  });
  ExpectLanes("v_ffbh_i32", [](U32 a) {
    for (U32 i = 1; i < 32; ++i) {
      if (BitOf(a, 31 - i) != BitOf(a, 31)) return i;
    }
    return kNone;
  });
  ExpectLanes("v_bcnt_u32_b32", [](U32 a, U32 b) {
    for (U32 i = 0; i < 32; ++i) b += BitOf(a, i);
    return b;
  });
}

void ExpectMaskedCount(const char* label, int first_lane) {
  Random random(SeedOf(label));
  for (int round = 0; round < kRounds; ++round) {
    const U32 mask = PickOperand<U32>(&random);
    RunSnippet(
        label,
        [&](TestMachine& m) {
          m.SetSgpr(4, mask);
          for (int lane = 0; lane < kLanes; ++lane) {
            m.SetVgpr(4, lane, PickOperand<U32>(&random));
          }
        },
        [&](TestMachine& m) {
          m.ForActive([&](int lane) {
            U32 want = m.Before(4, lane);
            for (int below = first_lane; below < lane && below < first_lane + 32; ++below) {
              want += BitOf(mask, static_cast<U32>(below - first_lane));
            }
            EXPECT_EQ(m.Vgpr(kResultRegister, lane), want) << "lane " << lane;
          });
        });
  }
}

TEST(ValuBits, CountsMaskBitsOfLowerLanes) {
  ExpectMaskedCount("v_mbcnt_lo_u32_b32", 0);
  ExpectMaskedCount("v_mbcnt_hi_u32_b32", 32);
}

}  // namespace
}  // namespace vgpu::valu::test
