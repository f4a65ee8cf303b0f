// SPDX-License-Identifier: MIT
.include "snippet.inc"

// A branch over one instruction of 4 bytes.
.macro branch name:req, op:vararg
\name:
  \op \name\()_target
  s_nop 0
\name\()_target:
  s_endpgm
.endm

branch s_branch, s_branch
.irp condition, scc0, scc1, vccz, vccnz, execz, execnz
branch s_cbranch_\condition, s_cbranch_\condition
.endr
.irp condition, cdbgsys, cdbguser, cdbgsys_or_user, cdbgsys_and_user
branch s_cbranch_\condition, s_cbranch_\condition
.endr

backward_target:
  s_endpgm
snippet branch_backward, s_branch backward_target

snippet s_nop, s_nop 7
snippet s_waitcnt, s_waitcnt vmcnt(0) lgkmcnt(0)
snippet s_setprio, s_setprio 3
snippet s_wakeup, s_wakeup
snippet s_icache_inv, s_icache_inv
snippet s_incperflevel, s_incperflevel 1
snippet s_decperflevel, s_decperflevel 1
snippet s_ttracedata, s_ttracedata
snippet s_barrier, s_barrier
snippet s_sleep, s_sleep 1
s_endpgm:
  s_endpgm
s_endpgm_saved:
  s_endpgm_saved
snippet s_trap, s_trap 2
snippet trap_debug, s_trap 3
snippet s_sendmsg, s_sendmsg sendmsg(MSG_INTERRUPT)
snippet sendmsg_graphics, s_sendmsg sendmsg(MSG_GS_DONE, GS_OP_NOP)
snippet s_set_gpr_idx_off, s_set_gpr_idx_off
snippet s_set_gpr_idx_mode, s_set_gpr_idx_mode gpr_idx(SRC1,DST)

// Not implemented: a named fault.
snippet unknown_sethalt, s_sethalt 1
snippet unknown_sendmsghalt, s_sendmsghalt sendmsg(MSG_INTERRUPT)
snippet unknown_fork, s_cbranch_g_fork s[4:5], s[6:7]
snippet unknown_rfe, s_rfe_b64 s[4:5]
snippet unknown_setvskip, s_setvskip s4, s6
snippet unknown_gws, ds_gws_sema_v gds
snippet unknown_format, buffer_load_format_d16_hi_x v0, off, s[0:3], 0
snippet unknown_src2, ds_add_src2_u32 v0
snippet unknown_gds, ds_add_u32 v0, v1 gds
snippet unknown_lds, .long 0xe0550000, 0x80000000  // buffer_load_dwordx2 into LDS
unknown_words:
  .long 0xffffffff
  s_endpgm
unknown_mimg:
  .long 0xf0000000, 0
  s_endpgm
reserved_operand:
  .long 0xbe8400d1  // s_mov_b32 s4, operand 209
  s_endpgm
