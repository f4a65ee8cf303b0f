// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "vgpu/wave/valu/valu_test_support.h"

namespace vgpu::valu::test {
namespace {

using U16 = uint16_t;
using U32 = uint32_t;
using U64 = uint64_t;

template <class Part, class Whole>
auto Split(Whole whole) {
  return std::bit_cast<std::array<Part, sizeof(Whole) / sizeof(Part)>>(whole);
}

template <class Part>
U64 Differences(U32 a, U32 b, bool skip_zero_reference = false) {
  const auto x = Split<Part>(a);
  const auto y = Split<Part>(b);
  U64 sum = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    if (!skip_zero_reference || y[i] != 0) sum += static_cast<U64>(std::abs(int{x[i]} - int{y[i]}));
  }
  return sum;
}

TEST(ValuMedia, AddsAbsoluteDifferences) {
  ExpectLanes("v_sad_u8",
              [](U32 a, U32 b, U32 c) { return static_cast<U32>(Differences<uint8_t>(a, b) + c); });
  ExpectLanes("v_sad_u8_clamp", [](U32 a, U32 b, U32 c) {
    return static_cast<U32>(std::min<U64>(Differences<uint8_t>(a, b) + c, 0xffffffff));
  });
  ExpectLanes("v_sad_hi_u8", [](U32 a, U32 b, U32 c) {
    return static_cast<U32>((Differences<uint8_t>(a, b) << 16) + c);
  });
  ExpectLanes("v_sad_u16",
              [](U32 a, U32 b, U32 c) { return static_cast<U32>(Differences<U16>(a, b) + c); });
  ExpectLanes("v_msad_u8", [](U32 a, U32 b, U32 c) {
    return static_cast<U32>(Differences<uint8_t>(a, b, true) + c);
  });
}

// The four bytes of `bytes` from number `first`.
U32 Window(U64 bytes, size_t first) {
  const auto all = Split<uint8_t>(bytes);
  const std::array<uint8_t, 4> window = {all[first], all[first + 1], all[first + 2],
                                         all[first + 3]};
  return std::bit_cast<U32>(window);
}

U64 FourSums(U64 bytes, U32 reference, U64 addends, bool masked, bool saturates) {
  auto sums = Split<U16>(addends);
  for (size_t i = 0; i < sums.size(); ++i) {
    const U64 sum = sums[i] + Differences<uint8_t>(Window(bytes, i), reference, masked);
    sums[i] = static_cast<U16>(saturates ? std::min<U64>(sum, 0xffff) : sum);
  }
  return std::bit_cast<U64>(sums);
}

TEST(ValuMedia, AddsFourSlidingWindows) {
  ExpectLanes("v_qsad_pk_u16_u8",
              [](U64 a, U32 b, U64 c) { return FourSums(a, b, c, false, false); });
  ExpectLanes("v_qsad_pk_u16_u8_clamp",
              [](U64 a, U32 b, U64 c) { return FourSums(a, b, c, false, true); });
  ExpectLanes("v_mqsad_pk_u16_u8",
              [](U64 a, U32 b, U64 c) { return FourSums(a, b, c, true, false); });
}

TEST(ValuMedia, AddsFourSlidingWindowsIntoFourRegisters) {
  RunSnippet(
      "v_mqsad_u32_u8",
      [](TestMachine& m) {
        Random random(3);
        for (int lane = 0; lane < kLanes; ++lane) {
          m.SetVgpr64(2, lane, random.Next());
          m.SetVgpr(4, lane, static_cast<U32>(random.Next() & 0xffff00ff));
        }
      },
      [](TestMachine& m) {
        m.ForActive([&](int lane) {
          const U64 bytes = SourceBefore<U64>(m, 2, lane);
          for (U32 i = 0; i < 4; ++i) {
            const U64 sum = Differences<uint8_t>(Window(bytes, i), m.Before(4, lane), true) +
                            m.Before(6 + i, lane);
            EXPECT_EQ(m.Vgpr(10 + i, lane), static_cast<U32>(sum)) << lane;
          }
        });
      });
}

TEST(ValuMedia, RefusesScalarAccumulatorsByName) {
  RunSnippet(
      "v_mqsad_u32_u8_scalar", [](TestMachine&) {},
      [](TestMachine& m) {
        EXPECT_EQ(m.fault().code, Fault::Code::kIllegalInstruction);
        EXPECT_NE(m.fault().message.find("v_mqsad_u32_u8"), std::string::npos);
        (void)m.PcDelta();
      });
}

TEST(ValuMedia, AveragesBytes) {
  ExpectLanes("v_lerp_u8", [](U32 a, U32 b, U32 c) {
    const auto x = Split<uint8_t>(a);
    const auto y = Split<uint8_t>(b);
    auto result = Split<uint8_t>(c);
    for (size_t i = 0; i < result.size(); ++i) {
      result[i] = static_cast<uint8_t>((x[i] + y[i] + result[i] % 2) / 2);
    }
    return std::bit_cast<U32>(result);
  });
}

}  // namespace
}  // namespace vgpu::valu::test
