// SPDX-License-Identifier: MIT
// s4 (or s[4:5]) = op s6 (or s[6:7])
.include "snippet.inc"

.irp op, s_mov_b32, s_cmov_b32, s_not_b32, s_wqm_b32, s_brev_b32, s_quadmask_b32, s_abs_i32
snippet \op, \op s4, s6
.endr
.irp op, s_mov_b64, s_cmov_b64, s_not_b64, s_wqm_b64, s_brev_b64, s_quadmask_b64
snippet \op, \op s[4:5], s[6:7]
.endr
.irp op, s_bcnt0_i32_b32, s_bcnt1_i32_b32, s_ff0_i32_b32, s_ff1_i32_b32, s_flbit_i32_b32, s_flbit_i32
snippet \op, \op s4, s6
.endr
.irp op, s_bcnt0_i32_b64, s_bcnt1_i32_b64, s_ff0_i32_b64, s_ff1_i32_b64, s_flbit_i32_b64, s_flbit_i32_i64
snippet \op, \op s4, s[6:7]
.endr
.irp op, s_sext_i32_i8, s_sext_i32_i16, s_bitset0_b32, s_bitset1_b32
snippet \op, \op s4, s6
.endr
.irp op, s_bitset0_b64, s_bitset1_b64, s_bitreplicate_b64_b32
snippet \op, \op s[4:5], s6
.endr
.irp op, and, or, xor, andn2, orn2, nand, nor, xnor, andn1, orn1
snippet s_\op\()_saveexec_b64, s_\op\()_saveexec_b64 s[4:5], s[6:7]
.endr
.irp op, andn1, andn2
snippet s_\op\()_wrexec_b64, s_\op\()_wrexec_b64 s[4:5], s[6:7]
.endr
snippet s_movrels_b32, s_movrels_b32 s4, s6
snippet s_movrels_b64, s_movrels_b64 s[4:5], s[6:7]
snippet s_movreld_b32, s_movreld_b32 s4, s6
snippet s_movreld_b64, s_movreld_b64 s[4:5], s[6:7]
snippet s_set_gpr_idx_idx, s_set_gpr_idx_idx s6
snippet s_getpc_b64, s_getpc_b64 s[4:5]
snippet s_setpc_b64, s_setpc_b64 s[6:7]
snippet s_swappc_b64, s_swappc_b64 s[4:5], s[6:7]

snippet sop1_overlap, s_and_saveexec_b64 s[6:7], s[6:7]
snippet sop1_swap_overlap, s_swappc_b64 s[6:7], s[6:7]
snippet sop1_literal, s_mov_b32 s4, 0xdeadbeef
snippet sop1_exec, s_mov_b64 exec, s[6:7]
