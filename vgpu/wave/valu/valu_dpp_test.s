// SPDX-License-Identifier: MIT
.include "snippet.inc"

// Every control, as a move: a lane gets what it reads. The rest of the encoding is full.
.macro moves name, control:vararg
snippet dpp_\name, v_mov_b32_dpp v10, v2 \control row_mask:0xf bank_mask:0xf
snippet dpp_\name\()_zero, v_mov_b32_dpp v10, v2 \control row_mask:0xf bank_mask:0xf bound_ctrl:0
.endm

moves quad_perm_0123, quad_perm:[0,1,2,3]
moves quad_perm_3210, quad_perm:[3,2,1,0]
moves quad_perm_1133, quad_perm:[1,1,3,3]
.irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
moves row_shl_\n, row_shl:\n
moves row_shr_\n, row_shr:\n
moves row_ror_\n, row_ror:\n
.endr
moves wave_shl, wave_shl:1
moves wave_rol, wave_rol:1
moves wave_shr, wave_shr:1
moves wave_ror, wave_ror:1
moves row_mirror, row_mirror
moves row_half_mirror, row_half_mirror
moves row_bcast15, row_bcast:15
moves row_bcast31, row_bcast:31

snippet dpp_masked, v_mov_b32_dpp v10, v2 quad_perm:[1,0,3,2] row_mask:0xa bank_mask:0x6
snippet dpp_masked_zero, v_mov_b32_dpp v10, v2 row_shr:1 row_mask:0x5 bank_mask:0xd bound_ctrl:0
snippet dpp_add, v_add_u32_dpp v10, v2, v4 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0
snippet dpp_add_in_place, v_add_u32_dpp v10, v10, v10 row_shr:1 row_mask:0xf bank_mask:0xf
snippet dpp_f32_modified, v_add_f32_dpp v10, -v2, |v4| row_mirror row_mask:0xf bank_mask:0xf
snippet dpp_carry, v_add_co_u32_dpp v10, vcc, v2, v4 row_shr:1 row_mask:0xf bank_mask:0xf
// A reserved control (0x1ff), for which the assembler has no name.
snippet dpp_reserved, .long 0x7e1402fa, 0xff01ff02
