// SPDX-License-Identifier: MIT
#include "vgpu/wave/isa.h"

#include <gtest/gtest.h>

#include <string>

#include "spec/isa/gfx940_opcodes.h"

namespace vgpu {
namespace {

std::string Name(int gfx, Format format, uint16_t opcode) {
  const char* const name = NameOf(FindIsa(gfx), format, opcode);
  return name == nullptr ? "" : name;
}

TEST(Isa, IsThatOfTheNewestTargetWhichIsNotNewer) {
  EXPECT_EQ(&FindIsa(0x900), &FindIsa(0x906));
  EXPECT_EQ(FindIsa(0x90a).extends, &FindIsa(0x906));
  EXPECT_EQ(FindIsa(0x942).extends, &FindIsa(0x90a));
  EXPECT_FALSE(FindIsa(0x906).has_accumulators);
  EXPECT_TRUE(FindIsa(0x90a).has_accumulators && FindIsa(0x942).has_accumulators);
  EXPECT_FALSE(FindIsa(0x90a).has_xcc_id);
}

TEST(Isa, IsRestoredWhenAScopeEnds) {
  const Isa* const before = &GetIsa();
  {
    const ScopedIsa outer(0x942);
    {
      const ScopedIsa inner(0x90a);
      EXPECT_EQ(&GetIsa(), &FindIsa(0x90a));
    }
    EXPECT_EQ(&GetIsa(), &FindIsa(0x942));
  }
  EXPECT_EQ(&GetIsa(), before);
}

TEST(Isa, NamesWhatItAddsAndWhatItKeeps) {
  EXPECT_EQ(Name(0x90a, Format::kVector, ::isa::gfx940::V_v_mov_b64), "");
  EXPECT_EQ(Name(0x942, Format::kVector, ::isa::gfx940::V_v_mov_b64), "v_mov_b64");
  EXPECT_EQ(Name(0x906, Format::kVop3p, ::isa::gfx90a::VOP3P_v_pk_fma_f32), "");
  for (const int gfx : {0x90a, 0x942}) {
    EXPECT_EQ(Name(gfx, Format::kVop3p, ::isa::gfx90a::VOP3P_v_pk_fma_f32), "v_pk_fma_f32");
    EXPECT_EQ(Name(gfx, Format::kSopp, ::isa::gfx9::SOPP_s_endpgm), "s_endpgm");
  }
}

TEST(Isa, FindsWhatItReplacesAlone) {
  const ScopedIsa isa(0x942);
  EXPECT_EQ(FindHandler(Format::kVector, Segment::kFlat, ::isa::gfx9::V_v_mac_f32), nullptr);
  EXPECT_NE(FindHandler(Format::kVector, Segment::kFlat, ::isa::gfx9::V_v_add_f32), nullptr);
  EXPECT_TRUE(IsReplaced(GetIsa(), Format::kVop3p, ::isa::gfx90a::VOP3P_v_pk_fma_f32));
  EXPECT_FALSE(IsReplaced(GetIsa(), Format::kVector, ::isa::gfx9::V_v_add_f32));
}

}  // namespace
}  // namespace vgpu
