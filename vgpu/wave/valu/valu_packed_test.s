// SPDX-License-Identifier: MIT
.include "snippet.inc"

.macro packed2 name
snippet \name, \name v10, v2, v4
snippet \name\()_swapped, \name v10, v2, v4 op_sel:[1,0] op_sel_hi:[0,1]
.endm
.macro packed3 name
snippet \name, \name v10, v2, v4, v6
snippet \name\()_swapped, \name v10, v2, v4, v6 op_sel:[1,0,1] op_sel_hi:[0,1,0]
.endm
packed2 v_pk_add_f16
packed2 v_pk_mul_f16
packed2 v_pk_min_f16
packed2 v_pk_max_f16
packed3 v_pk_fma_f16
packed3 v_pk_mad_i16
packed3 v_pk_mad_u16
packed2 v_pk_mul_lo_u16
packed2 v_pk_add_i16
packed2 v_pk_sub_i16
packed2 v_pk_add_u16
packed2 v_pk_sub_u16
packed2 v_pk_lshlrev_b16
packed2 v_pk_lshrrev_b16
packed2 v_pk_ashrrev_i16
packed2 v_pk_min_i16
packed2 v_pk_max_i16
packed2 v_pk_min_u16
packed2 v_pk_max_u16

snippet v_pk_add_f16_negated, v_pk_add_f16 v10, v2, v4 neg_lo:[1,0] neg_hi:[0,1]
snippet v_pk_mul_f16_clamp, v_pk_mul_f16 v10, v2, v4 clamp
snippet v_pk_add_f16_constant, v_pk_add_f16 v10, v2, 2.0 op_sel_hi:[1,0]
snippet v_pk_add_f16_scalar, v_pk_add_f16 v10, v2, s4
snippet v_pk_add_i16_clamp, v_pk_add_i16 v10, v2, v4 clamp
snippet v_pk_sub_i16_clamp, v_pk_sub_i16 v10, v2, v4 clamp
snippet v_pk_add_u16_clamp, v_pk_add_u16 v10, v2, v4 clamp
snippet v_pk_sub_u16_clamp, v_pk_sub_u16 v10, v2, v4 clamp
snippet v_pk_mad_u16_clamp, v_pk_mad_u16 v10, v2, v4, v6 clamp
snippet v_pk_sub_u16_constant, v_pk_sub_u16 v10, v2, 7 op_sel_hi:[1,0]

snippet v_fma_mix_f32, v_fma_mix_f32 v10, v2, v4, v6
snippet v_fma_mix_f32_low, v_fma_mix_f32 v10, v2, v4, v6 op_sel_hi:[1,0,1]
snippet v_fma_mix_f32_high, v_fma_mix_f32 v10, v2, v4, v6 op_sel:[1,0,1] op_sel_hi:[1,0,1]
snippet v_fma_mix_f32_modified, v_fma_mix_f32 v10, -v2, |v4|, -|v6| op_sel_hi:[1,0,0]
snippet v_fma_mixlo_f16, v_fma_mixlo_f16 v10, v2, v4, v6
snippet v_fma_mixlo_f16_clamp, v_fma_mixlo_f16 v10, v2, v4, v6 clamp
snippet v_fma_mixhi_f16, v_fma_mixhi_f16 v10, v2, v4, v6

snippet v_dot2_f32_f16, v_dot2_f32_f16 v10, v2, v4, v6
snippet v_dot2_f32_f16_negated, v_dot2_f32_f16 v10, v2, v4, v6 neg_lo:[1,0,0] neg_hi:[0,1,0]
snippet v_dot2_i32_i16, v_dot2_i32_i16 v10, v2, v4, v6
snippet v_dot2_i32_i16_clamp, v_dot2_i32_i16 v10, v2, v4, v6 clamp
snippet v_dot2_u32_u16, v_dot2_u32_u16 v10, v2, v4, v6
snippet v_dot2_u32_u16_clamp, v_dot2_u32_u16 v10, v2, v4, v6 clamp
snippet v_dot4_i32_i8, v_dot4_i32_i8 v10, v2, v4, v6
snippet v_dot4_i32_i8_clamp, v_dot4_i32_i8 v10, v2, v4, v6 clamp
snippet v_dot4_u32_u8, v_dot4_u32_u8 v10, v2, v4, v6
snippet v_dot4_u32_u8_clamp, v_dot4_u32_u8 v10, v2, v4, v6 clamp
snippet v_dot8_i32_i4, v_dot8_i32_i4 v10, v2, v4, v6
snippet v_dot8_u32_u4, v_dot8_u32_u4 v10, v2, v4, v6
snippet v_dot8_u32_u4_clamp, v_dot8_u32_u4 v10, v2, v4, v6 clamp
