// SPDX-License-Identifier: MIT
.include "snippet.inc"

snippet v_and_b32, v_and_b32 v10, v2, v4
snippet v_or_b32, v_or_b32 v10, v2, v4
snippet v_xor_b32, v_xor_b32 v10, v2, v4
snippet v_xnor_b32, v_xnor_b32 v10, v2, v4
snippet v_not_b32, v_not_b32 v10, v2
snippet v_and_or_b32, v_and_or_b32 v10, v2, v4, v6
snippet v_or3_b32, v_or3_b32 v10, v2, v4, v6
snippet v_lshl_or_b32, v_lshl_or_b32 v10, v2, v4, v6
snippet v_lshlrev_b32, v_lshlrev_b32 v10, v2, v4
snippet v_lshrrev_b32, v_lshrrev_b32 v10, v2, v4
snippet v_ashrrev_i32, v_ashrrev_i32 v10, v2, v4
snippet v_lshlrev_b64, v_lshlrev_b64 v[10:11], v2, v[4:5]
snippet v_lshrrev_b64, v_lshrrev_b64 v[10:11], v2, v[4:5]
snippet v_ashrrev_i64, v_ashrrev_i64 v[10:11], v2, v[4:5]
snippet v_bfe_u32, v_bfe_u32 v10, v2, v4, v6
snippet v_bfe_i32, v_bfe_i32 v10, v2, v4, v6
snippet v_bfi_b32, v_bfi_b32 v10, v2, v4, v6
snippet v_bfm_b32, v_bfm_b32 v10, v2, v4
snippet v_alignbit_b32, v_alignbit_b32 v10, v2, v4, v6
snippet v_alignbyte_b32, v_alignbyte_b32 v10, v2, v4, v6
snippet v_perm_b32, v_perm_b32 v10, v2, v4, v6
snippet v_bfrev_b32, v_bfrev_b32 v10, v2
snippet v_ffbh_u32, v_ffbh_u32 v10, v2
snippet v_ffbl_b32, v_ffbl_b32 v10, v2
snippet v_ffbh_i32, v_ffbh_i32 v10, v2
snippet v_bcnt_u32_b32, v_bcnt_u32_b32 v10, v2, v4
snippet v_mbcnt_lo_u32_b32, v_mbcnt_lo_u32_b32 v10, s4, v4
snippet v_mbcnt_hi_u32_b32, v_mbcnt_hi_u32_b32 v10, s4, v4
