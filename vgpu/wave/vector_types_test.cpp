// SPDX-License-Identifier: MIT
#include "vgpu/wave/vector_types.h"

#include <gtest/gtest.h>

#include "spec/isa/gfx90a_opcodes.h"
#include "vgpu/wave/isa.h"

namespace vgpu {
namespace {

using Class = InstructionClass;

TEST(VectorTypes, FollowFromTheMnemonic) {
  EXPECT_EQ(VectorClassOf("v_add_f32"), Class::kAddF32);
  EXPECT_EQ(VectorClassOf("v_subrev_f16"), Class::kAddF16);
  EXPECT_EQ(VectorClassOf("v_pk_mul_f16"), Class::kMulF16);
  EXPECT_EQ(VectorClassOf("v_pk_fma_f32"), Class::kFmaF32);
  EXPECT_EQ(VectorClassOf("v_fmac_f64"), Class::kFmaF64);
  EXPECT_EQ(VectorClassOf("v_rcp_f64"), Class::kTransF64);
  EXPECT_EQ(VectorClassOf("v_cvt_f32_u32"), Class::kConvert);
  EXPECT_EQ(VectorClassOf("v_mfma_f32_32x32x4f16"), Class::kMatrixF16);
  EXPECT_EQ(VectorClassOf("v_mfma_f32_32x32x4bf16_1k"), Class::kMatrixBf16);
  EXPECT_EQ(VectorClassOf("v_mfma_i32_32x32x4i8"), Class::kMatrixI8);
  EXPECT_EQ(VectorClassOf("v_mfma_f64_16x16x4f64"), Class::kMatrixF64);
  EXPECT_EQ(VectorClassOf("v_mfma_f32_16x16x32_bf8_fp8"), Class::kMatrixF8);
  EXPECT_EQ(VectorClassOf("v_add_u32"), Class::kVector);
  EXPECT_EQ(VectorClassOf("v_max_f32"), Class::kVector);
  EXPECT_EQ(VectorClassOf("s_add_u32"), Class::kVector);
}

TEST(VectorTypes, FollowFromTheOpcode) {
  const ScopedIsa isa(0x90a);
  EXPECT_EQ(VectorClassOf(Format::kVop3p, ::isa::gfx90a::VOP3P_v_mfma_f32_32x32x1f32),
            Class::kMatrixF32);
  EXPECT_EQ(VectorClassOf(Format::kVector, ::isa::gfx90a::V_v_add_f32), Class::kAddF32);
  EXPECT_EQ(VectorClassOf(Format::kVector, 1023), Class::kVector);
}

}  // namespace
}  // namespace vgpu
