// SPDX-License-Identifier: MIT
.include "snippet.inc"

snippet v_nop, v_nop
snippet v_clrexcp, v_clrexcp
snippet v_mov_b32, v_mov_b32 v10, v2
snippet v_mov_b32_sgpr, v_mov_b32 v10, s7
snippet v_mov_b32_literal, v_mov_b32 v10, 0x12345678
snippet v_mov_b32_integer, v_mov_b32 v10, -16
snippet v_mov_b32_float, v_mov_b32 v10, 4.0
snippet v_mov_b32_vccz, v_mov_b32 v10, src_vccz
snippet v_mov_b32_shared_base, v_mov_b32 v10, src_shared_base
snippet v_cndmask_b32, v_cndmask_b32 v10, v2, v4, vcc
snippet v_cndmask_b32_e64, v_cndmask_b32 v10, v2, v4, s[20:21]
snippet v_cndmask_b32_modified, v_cndmask_b32 v10, -v2, |v4|, s[20:21]
snippet v_swap_b32, v_swap_b32 v10, v2
snippet v_readfirstlane_b32, v_readfirstlane_b32 s20, v2
snippet v_readlane_b32, v_readlane_b32 s20, v2, s4
snippet v_readlane_b32_inline, v_readlane_b32 s20, v2, 17
snippet v_writelane_b32, v_writelane_b32 v10, 33, s4
snippet v_writelane_b32_scalar, v_writelane_b32 v10, s6, 2

// Not implemented: these must end in a fault that names them.
snippet v_cubeid_f32, v_cubeid_f32 v10, v2, v4, v6
snippet v_exp_legacy_f32, v_exp_legacy_f32 v10, v2
snippet v_and_b32_clamp, .long 0xd113800a, 0x00020902
