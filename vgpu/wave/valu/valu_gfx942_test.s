// SPDX-License-Identifier: MIT
// gfx942 code, by the name of its forerunner gfx940.
.include "snippet.inc"

snippet v_fmamk_f32, v_fmamk_f32 v10, v2, 0x40490fdb, v4
snippet v_fmaak_f32, v_fmaak_f32 v10, v2, v4, 0x40490fdb
snippet v_mov_b64, v_mov_b64 v[10:11], v[2:3]
snippet v_mov_b64_dpp, v_mov_b64_dpp v[10:11], v[2:3] row_newbcast:3 row_mask:0xf bank_mask:0xf
snippet v_lshl_add_u64, v_lshl_add_u64 v[10:11], v[2:3], v4, v[6:7]
snippet v_lshl_add_u64_constant, v_lshl_add_u64 v[10:11], s[4:5], 3, v[6:7]
snippet v_cvt_f32_fp8, v_cvt_f32_fp8 v10, v2
snippet v_cvt_f32_bf8, v_cvt_f32_bf8 v10, v2
snippet v_cvt_f32_fp8_byte_2, v_cvt_f32_fp8_sdwa v10, v2 src0_sel:BYTE_2
snippet v_cvt_pk_f32_fp8, v_cvt_pk_f32_fp8 v[10:11], v2
snippet v_cvt_pk_f32_bf8, v_cvt_pk_f32_bf8 v[10:11], v2
snippet v_cvt_pk_f32_fp8_high, v_cvt_pk_f32_fp8_sdwa v[10:11], v2 src0_sel:WORD_1
snippet v_cvt_pk_fp8_f32, v_cvt_pk_fp8_f32 v10, v2, v4
snippet v_cvt_pk_bf8_f32, v_cvt_pk_bf8_f32 v10, v2, v4
snippet v_cvt_pk_fp8_f32_high, v_cvt_pk_fp8_f32 v10, -v2, |v4| op_sel:[0,0,1]
snippet v_cvt_sr_fp8_f32, v_cvt_sr_fp8_f32 v10, v2, v4
snippet v_cvt_sr_bf8_f32, v_cvt_sr_bf8_f32 v10, v2, v4
snippet v_cvt_sr_fp8_f32_byte_1, v_cvt_sr_fp8_f32 v10, v2, v4 op_sel:[0,0,1,0]
snippet v_cvt_sr_fp8_f32_byte_2, v_cvt_sr_fp8_f32 v10, v2, v4 op_sel:[0,0,0,1]
snippet v_cvt_sr_bf8_f32_byte_3, v_cvt_sr_bf8_f32 v10, v2, v4 op_sel:[0,0,1,1]
snippet buffer_inv, buffer_inv sc1
snippet s_getreg_xcc_id, s_getreg_b32 s4, hwreg(20)

// Instructions of gfx90a that gfx942 has not got, or not under that number, and one not modelled.
gfx942_no_mac:
  .long 0x2c140902  // v_mac_f32 v10, v2, v4
  s_endpgm
snippet gfx942_sparse, v_smfmac_f32_16x16x32_f16 v[64:67], v[2:3], v[6:9], v12

snippet ds_pk_add_f16, ds_pk_add_f16 v2, v4 offset:16
snippet ds_pk_add_rtn_f16, ds_pk_add_rtn_f16 v8, v2, v4 offset:16
snippet ds_pk_add_bf16, ds_pk_add_bf16 v2, v4 offset:16
snippet ds_pk_add_rtn_bf16, ds_pk_add_rtn_bf16 v8, v2, v4 offset:16
snippet global_atomic_pk_add_bf16, global_atomic_pk_add_bf16 v[2:3], v4, off offset:16
snippet global_atomic_pk_add_bf16_glc, global_atomic_pk_add_bf16 v8, v[2:3], v4, off offset:16 sc0
snippet flat_atomic_pk_add_bf16, flat_atomic_pk_add_bf16 v[2:3], v4 offset:16
snippet flat_atomic_pk_add_f16, flat_atomic_pk_add_f16 v[2:3], v4 offset:16
snippet flat_atomic_add_f32, flat_atomic_add_f32 v[2:3], v4 offset:16

snippet global_load_lds_dword, global_load_lds_dword v[2:3], off offset:16
snippet global_load_lds_ubyte, global_load_lds_ubyte v[2:3], off

// Private memory: from no register, a vector one, a scalar one, and both.
snippet scratch_at_offset, scratch_load_dword v8, off, off offset:16
snippet scratch_at_vector, scratch_load_dword v8, v2, off offset:16
snippet scratch_at_scalar, scratch_load_dword v8, off, s6 offset:16
snippet scratch_at_both, scratch_load_dword v8, v2, s6 offset:16

// Products of matrices: A from v2, B from v20, sums in v64.
.macro product name, sums, operands
snippet \name, \name v[64:64+\sums-1], v[2:2+\operands-1], v[20:20+\operands-1], v[64:64+\sums-1]
.endm
product v_mfma_i32_32x32x16_i8, 16, 2
product v_mfma_i32_16x16x32_i8, 4, 2
product v_mfma_f32_16x16x8_xf32, 4, 2
product v_mfma_f32_32x32x4_xf32, 16, 2
product v_mfma_f32_16x16x32_bf8_bf8, 4, 2
product v_mfma_f32_16x16x32_bf8_fp8, 4, 2
product v_mfma_f32_16x16x32_fp8_bf8, 4, 2
product v_mfma_f32_16x16x32_fp8_fp8, 4, 2
product v_mfma_f32_32x32x16_bf8_bf8, 16, 2
product v_mfma_f32_32x32x16_bf8_fp8, 16, 2
product v_mfma_f32_32x32x16_fp8_bf8, 16, 2
product v_mfma_f32_32x32x16_fp8_fp8, 16, 2
product v_mfma_f32_32x32x8_bf16, 16, 2
product v_mfma_f32_16x16x16_bf16, 4, 2
product v_mfma_f32_16x16x16_f16, 4, 2
product v_mfma_f64_16x16x4_f64, 8, 2
// Several small matrices at once.
product v_mfma_f32_32x32x4_2b_bf16, 32, 2
product v_mfma_f32_16x16x4_4b_bf16, 16, 2
product v_mfma_f32_4x4x4_16b_bf16, 4, 2
product v_mfma_f64_4x4x4_4b_f64, 2, 2
snippet double_negated, v_mfma_f64_16x16x4_f64 v[64:71], v[2:3], v[20:21], v[64:71] neg:[1,0,1]
snippet half_denormal, v_mfma_f32_4x4x4_16b_f16 v[64:67], v[2:3], v[20:21], v[64:67]
