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
snippet gfx90a_unknown, global_atomic_add_f64 v[0:1], v[2:3], off
// Run as gfx906 code.
snippet gfx906_unknown, v_pk_mul_f32 v[10:11], v[2:3], v[4:5]
