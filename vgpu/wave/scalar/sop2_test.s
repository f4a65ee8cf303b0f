// SPDX-License-Identifier: MIT
// s4 (or s[4:5]) = s[6:7] op s[8:9]
.include "snippet.inc"

.irp op, s_add_u32, s_sub_u32, s_add_i32, s_sub_i32, s_addc_u32, s_subb_u32
snippet \op, \op s4, s6, s8
.endr
.irp op, s_min_i32, s_min_u32, s_max_i32, s_max_u32, s_cselect_b32
snippet \op, \op s4, s6, s8
.endr
.irp op, and, or, xor, andn2, orn2, nand, nor, xnor
snippet s_\op\()_b32, s_\op\()_b32 s4, s6, s8
snippet s_\op\()_b64, s_\op\()_b64 s[4:5], s[6:7], s[8:9]
.endr
.irp op, s_lshl_b32, s_lshr_b32, s_ashr_i32, s_bfm_b32, s_bfe_u32, s_bfe_i32
snippet \op, \op s4, s6, s8
.endr
.irp op, s_lshl_b64, s_lshr_b64, s_ashr_i64, s_bfe_u64, s_bfe_i64
snippet \op, \op s[4:5], s[6:7], s8
.endr
.irp op, s_mul_i32, s_mul_hi_u32, s_mul_hi_i32, s_absdiff_i32
snippet \op, \op s4, s6, s8
.endr
.irp op, s_lshl1_add_u32, s_lshl2_add_u32, s_lshl3_add_u32, s_lshl4_add_u32
snippet \op, \op s4, s6, s8
.endr
.irp op, s_pack_ll_b32_b16, s_pack_lh_b32_b16, s_pack_hh_b32_b16
snippet \op, \op s4, s6, s8
.endr
snippet s_cselect_b64, s_cselect_b64 s[4:5], s[6:7], s[8:9]
snippet s_bfm_b64, s_bfm_b64 s[4:5], s6, s8

// Operands of every kind.
snippet sop2_literal, s_add_u32 s4, s6, 0x12345678
snippet sop2_literal_first, s_sub_u32 s4, 0x12345678, s6
snippet sop2_inline_integers, s_add_u32 s4, 64, -16
snippet sop2_inline_float, s_or_b32 s4, 0, 1.0
snippet sop2_inline_float_64, s_or_b64 s[4:5], 0, -4.0
snippet sop2_inline_negative_64, s_or_b64 s[4:5], 0, -1
snippet sop2_literal_64, s_or_b64 s[4:5], 0, 0x87654321
snippet sop2_vcc, s_and_b64 vcc, s[6:7], exec
snippet sop2_m0, s_add_u32 m0, m0, 1
snippet sop2_apertures, s_or_b64 s[4:5], src_shared_base, src_private_limit
snippet sop2_scc, s_add_u32 s4, src_scc, s6
snippet sop2_vccz, s_add_u32 s4, src_vccz, src_execz
