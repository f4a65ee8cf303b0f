// SPDX-License-Identifier: MIT
// s6 and an immediate. <name>_high has the immediate 0x8000, <name>_low has 0x7fff.
.include "snippet.inc"

.irp op, s_movk_i32, s_cmovk_i32, s_addk_i32, s_mulk_i32
snippet \op, \op s6, 0x7fff
snippet \op\()_high, \op s6, 0x8000
.endr
.irp op, eq, lg, gt, ge, lt, le
snippet s_cmpk_\op\()_i32, s_cmpk_\op\()_i32 s6, 0x7fff
snippet s_cmpk_\op\()_i32_high, s_cmpk_\op\()_i32 s6, 0x8000
snippet s_cmpk_\op\()_u32, s_cmpk_\op\()_u32 s6, 0x7fff
snippet s_cmpk_\op\()_u32_high, s_cmpk_\op\()_u32 s6, 0x8000
.endr

s_call_b64:
  s_call_b64 s[6:7], call_target
  s_nop 0
  s_nop 0
call_target:
  s_endpgm

snippet s_getreg_b32, s_getreg_b32 s6, hwreg(HW_REG_MODE)
snippet getreg_field, s_getreg_b32 s6, hwreg(HW_REG_MODE, 4, 6)
snippet getreg_status, s_getreg_b32 s6, hwreg(HW_REG_STATUS)
snippet getreg_trapsts, s_getreg_b32 s6, hwreg(HW_REG_TRAPSTS)
snippet getreg_hw_id, s_getreg_b32 s6, hwreg(HW_REG_HW_ID)
snippet getreg_gpr_alloc, s_getreg_b32 s6, hwreg(HW_REG_GPR_ALLOC)
snippet getreg_lds_alloc, s_getreg_b32 s6, hwreg(HW_REG_LDS_ALLOC)
snippet getreg_ib_sts, s_getreg_b32 s6, hwreg(HW_REG_IB_STS)
snippet getreg_shared_base, s_getreg_b32 s6, hwreg(HW_REG_SH_MEM_BASES, 16, 16)
snippet getreg_private_base, s_getreg_b32 s6, hwreg(HW_REG_SH_MEM_BASES, 0, 16)
snippet getreg_tba, s_getreg_b32 s6, hwreg(HW_REG_TBA_LO)
snippet getreg_unknown, s_getreg_b32 s6, hwreg(40)
snippet s_setreg_b32, s_setreg_b32 hwreg(HW_REG_MODE, 4, 6), s6
snippet setreg_whole, s_setreg_b32 hwreg(HW_REG_MODE), s6
snippet setreg_trapsts, s_setreg_b32 hwreg(HW_REG_TRAPSTS, 0, 9), s6
snippet setreg_read_only, s_setreg_b32 hwreg(HW_REG_HW_ID), s6
snippet setreg_unknown, s_setreg_b32 hwreg(40), s6
snippet s_setreg_imm32_b32, s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), 0xfffffff5
