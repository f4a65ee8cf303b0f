// SPDX-License-Identifier: MIT
// gfx90a code.
.include "snippet.inc"

snippet v_pk_fma_f32, v_pk_fma_f32 v[10:11], v[2:3], v[4:5], v[6:7]
snippet v_pk_fma_f32_swapped, v_pk_fma_f32 v[10:11], v[2:3], v[4:5], v[6:7] op_sel:[1,0,1] op_sel_hi:[0,1,0]
snippet v_pk_mul_f32, v_pk_mul_f32 v[10:11], v[2:3], v[4:5]
snippet v_pk_mul_f32_scalar, v_pk_mul_f32 v[10:11], v[2:3], s[4:5]
snippet v_pk_mul_f32_constant, v_pk_mul_f32 v[10:11], v[2:3], 2.0 op_sel_hi:[1,0]
snippet v_pk_add_f32, v_pk_add_f32 v[10:11], v[2:3], v[4:5]
snippet v_pk_add_f32_negated, v_pk_add_f32 v[10:11], v[2:3], v[4:5] neg_lo:[0,1] neg_hi:[1,0]
snippet v_pk_add_f32_in_place, v_pk_add_f32 v[10:11], v[10:11], v[10:11] op_sel:[1,1] op_sel_hi:[0,0]
snippet v_pk_mov_b32, v_pk_mov_b32 v[10:11], v[2:3], v[4:5] op_sel:[1,0]
snippet v_pk_mov_b32_pairs, v_pk_mov_b32 v[10:11], s[4:5], s[4:5] op_sel:[0,1]
snippet v_fmac_f64, v_fmac_f64 v[10:11], v[2:3], v[4:5]
snippet v_fmac_f64_e64, v_fmac_f64 v[10:11], -v[2:3], v[4:5]
snippet buffer_wbl2, buffer_wbl2
snippet buffer_invl2, buffer_invl2

snippet v_mul_legacy_f32_gfx90a, v_mul_legacy_f32 v10, v2, v4
snippet v_dot2c_f32_f16, v_dot2c_f32_f16 v10, v2, v4
snippet v_dot2c_f32_f16_dpp, v_dot2c_f32_f16_dpp v10, v2, v4 row_newbcast:3 row_mask:0xf bank_mask:0xf
snippet v_dot2c_i32_i16, v_dot2c_i32_i16 v10, v2, v4
snippet v_dot4c_i32_i8, v_dot4c_i32_i8 v10, v2, v4
snippet v_dot8c_i32_i4, v_dot8c_i32_i4 v10, v2, v4
snippet v_pk_fmac_f16, v_pk_fmac_f16 v10, v2, v4
snippet row_newbcast, v_mov_b32_dpp v10, v2 row_newbcast:5 row_mask:0xf bank_mask:0xf
snippet row_newbcast_f64, v_ceil_f64_dpp v[10:11], v[2:3] row_newbcast:15 row_mask:0xf bank_mask:0xf

snippet gfx90a_unknown, buffer_load_format_d16_hi_x v4, off, s[8:11], 0
// Run as gfx906 code.
snippet gfx906_unknown, v_pk_mul_f32 v[10:11], v[2:3], v[4:5]
