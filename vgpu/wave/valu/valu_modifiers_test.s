// SPDX-License-Identifier: MIT
.include "snippet.inc"

snippet modify_neg_abs, v_add_f32 v10, -v2, |v4|
snippet modify_neg_of_abs, v_fma_f32 v10, -|v2|, v4, -v6
snippet modify_neg_abs_f16, v_add_f16 v10, -v2, |v4|
snippet modify_neg_abs_f64, v_add_f64 v[10:11], -v[2:3], |v[4:5]|
snippet modify_compare, v_cmp_lt_f32 s[20:21], -v2, |v4|
snippet modify_min_f64, v_min_f64 v[10:11], v[2:3], -|v[4:5]|

snippet modify_mul2, v_mul_f32 v10, v2, v4 mul:2
snippet modify_mul4, v_mul_f32 v10, v2, v4 mul:4
snippet modify_div2, v_mul_f32 v10, v2, v4 div:2
snippet modify_div2_f16, v_mul_f16 v10, v2, v4 div:2
snippet modify_mul2_f64, v_mul_f64 v[10:11], v[2:3], v[4:5] mul:2
snippet modify_clamp, v_add_f32 v10, v2, v4 clamp
snippet modify_clamp_f16, v_add_f16 v10, v2, v4 clamp
snippet modify_clamp_f64, v_add_f64 v[10:11], v[2:3], v[4:5] clamp
snippet modify_max_clamp, v_max_f32 v10, v2, v2 clamp
snippet modify_mul2_clamp, v_mul_f32 v10, v2, v4 clamp mul:2

snippet round_add_f32, v_add_f32 v10, v2, v4
snippet round_mul_f64, v_mul_f64 v[10:11], v[2:3], v[4:5]
snippet round_add_f16, v_add_f16 v10, v2, v4
snippet round_cvt_f32_i32, v_cvt_f32_i32 v10, v2
snippet round_rndne_f32, v_rndne_f32 v10, v2
snippet flush_add_f32, v_add_f32 v10, v2, v4
snippet flush_max_f32, v_max_f32 v10, v2, v2
snippet flush_add_f16, v_add_f16 v10, v2, v4
snippet flush_add_f64, v_add_f64 v[10:11], v[2:3], v[4:5]
snippet flush_cmp_f32, v_cmp_eq_f32 vcc, v2, v4
snippet flush_mov, v_mov_b32 v10, v2
snippet flush_cndmask, v_cndmask_b32 v10, v4, v2, vcc

snippet operand_scalar_f32, v_add_f32 v10, s4, v4
snippet operand_literal_f32, v_mul_f32 v10, 0x40490fdb, v4
snippet operand_inline_f32, v_mul_f32 v10, 0.15915494, v4
snippet operand_inline_integer, v_add_f32 v10, 1, v4
snippet operand_inline_f16, v_mul_f16 v10, -4.0, v4
snippet operand_literal_f16, v_mul_f16 v10, 0x4248, v4
snippet operand_inline_f64, v_mul_f64 v[10:11], 0.5, v[4:5]
snippet operand_scalar_f64, v_add_f64 v[10:11], s[4:5], v[4:5]
snippet operand_negative_i64, v_lshrrev_b64 v[10:11], v2, -1
snippet operand_scalar_i64, v_cmp_lt_i64 vcc, s[4:5], v[4:5]
snippet operand_same_register, v_add_u32 v10, v10, v10
snippet operand_last_pair, v_add_f64 v[254:255], v[254:255], v[2:3]
