// SPDX-License-Identifier: MIT
// s6 (or s[6:7]) compared with s8 (or s[8:9])
.include "snippet.inc"

.irp relation, eq, lg, gt, ge, lt, le
snippet s_cmp_\relation\()_i32, s_cmp_\relation\()_i32 s6, s8
snippet s_cmp_\relation\()_u32, s_cmp_\relation\()_u32 s6, s8
.endr
snippet s_cmp_eq_u64, s_cmp_eq_u64 s[6:7], s[8:9]
snippet s_cmp_lg_u64, s_cmp_lg_u64 s[6:7], s[8:9]
snippet s_bitcmp0_b32, s_bitcmp0_b32 s6, s8
snippet s_bitcmp1_b32, s_bitcmp1_b32 s6, s8
snippet s_bitcmp0_b64, s_bitcmp0_b64 s[6:7], s8
snippet s_bitcmp1_b64, s_bitcmp1_b64 s[6:7], s8
snippet s_set_gpr_idx_on, s_set_gpr_idx_on s6, gpr_idx(SRC0,DST)

// VGPR index mode at work.
gpr_idx_source:
  s_set_gpr_idx_on s6, gpr_idx(SRC0)
  v_mov_b32 v4, v10
  s_set_gpr_idx_off
  s_endpgm
gpr_idx_result:
  s_set_gpr_idx_on s6, gpr_idx(DST)
  v_mov_b32 v4, v10
  s_set_gpr_idx_off
  s_endpgm
gpr_idx_second:
  s_set_gpr_idx_on s6, gpr_idx(SRC1)
  v_add_u32 v4, v10, v20
  s_set_gpr_idx_off
  s_endpgm
gpr_idx_off:
  s_set_gpr_idx_on s6, gpr_idx(SRC0,DST)
  s_set_gpr_idx_off
  v_mov_b32 v4, v10
  s_endpgm
gpr_idx_scalar:
  s_set_gpr_idx_on s6, gpr_idx(SRC0,SRC1,DST)
  s_add_u32 s4, s6, s8
  s_set_gpr_idx_off
  s_endpgm
