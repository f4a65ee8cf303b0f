// SPDX-License-Identifier: MIT
// Products of matrices, and accumulation registers. A is in 2, B in 6, sums in 64.
.include "snippet.inc"

snippet v_mfma_f32_32x32x1f32, v_mfma_f32_32x32x1f32 v[64:95], v2, v6, v[64:95]
snippet v_mfma_f32_32x32x1f32_acc, v_mfma_f32_32x32x1f32 a[64:95], a2, a6, a[64:95]
snippet v_mfma_f32_16x16x1f32, v_mfma_f32_16x16x1f32 v[64:79], v2, v6, v[64:79]
snippet v_mfma_f32_16x16x1f32_acc, v_mfma_f32_16x16x1f32 a[64:79], a2, a6, a[64:79]
snippet v_mfma_f32_4x4x1f32, v_mfma_f32_4x4x1f32 v[64:67], v2, v6, v[64:67]
snippet v_mfma_f32_4x4x1f32_acc, v_mfma_f32_4x4x1f32 a[64:67], a2, a6, a[64:67]
snippet v_mfma_f32_32x32x2f32, v_mfma_f32_32x32x2f32 v[64:79], v2, v6, v[64:79]
snippet v_mfma_f32_32x32x2f32_acc, v_mfma_f32_32x32x2f32 a[64:79], a2, a6, a[64:79]
snippet v_mfma_f32_16x16x4f32, v_mfma_f32_16x16x4f32 v[64:67], v2, v6, v[64:67]
snippet v_mfma_f32_16x16x4f32_acc, v_mfma_f32_16x16x4f32 a[64:67], a2, a6, a[64:67]
snippet v_mfma_f32_32x32x4f16, v_mfma_f32_32x32x4f16 v[64:95], v[2:3], v[6:7], v[64:95]
snippet v_mfma_f32_32x32x4f16_acc, v_mfma_f32_32x32x4f16 a[64:95], a[2:3], a[6:7], a[64:95]
snippet v_mfma_f32_16x16x4f16, v_mfma_f32_16x16x4f16 v[64:79], v[2:3], v[6:7], v[64:79]
snippet v_mfma_f32_16x16x4f16_acc, v_mfma_f32_16x16x4f16 a[64:79], a[2:3], a[6:7], a[64:79]
snippet v_mfma_f32_4x4x4f16, v_mfma_f32_4x4x4f16 v[64:67], v[2:3], v[6:7], v[64:67]
snippet v_mfma_f32_4x4x4f16_acc, v_mfma_f32_4x4x4f16 a[64:67], a[2:3], a[6:7], a[64:67]
snippet v_mfma_f32_32x32x8f16, v_mfma_f32_32x32x8f16 v[64:79], v[2:3], v[6:7], v[64:79]
snippet v_mfma_f32_32x32x8f16_acc, v_mfma_f32_32x32x8f16 a[64:79], a[2:3], a[6:7], a[64:79]
snippet v_mfma_f32_16x16x16f16, v_mfma_f32_16x16x16f16 v[64:67], v[2:3], v[6:7], v[64:67]
snippet v_mfma_f32_16x16x16f16_acc, v_mfma_f32_16x16x16f16 a[64:67], a[2:3], a[6:7], a[64:67]
snippet v_mfma_i32_32x32x4i8, v_mfma_i32_32x32x4i8 v[64:95], v2, v6, v[64:95]
snippet v_mfma_i32_32x32x4i8_acc, v_mfma_i32_32x32x4i8 a[64:95], a2, a6, a[64:95]
snippet v_mfma_i32_16x16x4i8, v_mfma_i32_16x16x4i8 v[64:79], v2, v6, v[64:79]
snippet v_mfma_i32_16x16x4i8_acc, v_mfma_i32_16x16x4i8 a[64:79], a2, a6, a[64:79]
snippet v_mfma_i32_4x4x4i8, v_mfma_i32_4x4x4i8 v[64:67], v2, v6, v[64:67]
snippet v_mfma_i32_4x4x4i8_acc, v_mfma_i32_4x4x4i8 a[64:67], a2, a6, a[64:67]
snippet v_mfma_i32_32x32x8i8, v_mfma_i32_32x32x8i8 v[64:79], v2, v6, v[64:79]
snippet v_mfma_i32_32x32x8i8_acc, v_mfma_i32_32x32x8i8 a[64:79], a2, a6, a[64:79]
snippet v_mfma_i32_16x16x16i8, v_mfma_i32_16x16x16i8 v[64:67], v2, v6, v[64:67]
snippet v_mfma_i32_16x16x16i8_acc, v_mfma_i32_16x16x16i8 a[64:67], a2, a6, a[64:67]
snippet v_mfma_f32_32x32x4bf16_1k, v_mfma_f32_32x32x4bf16_1k v[64:95], v[2:3], v[6:7], v[64:95]
snippet v_mfma_f32_32x32x4bf16_1k_acc, v_mfma_f32_32x32x4bf16_1k a[64:95], a[2:3], a[6:7], a[64:95]
snippet v_mfma_f32_16x16x4bf16_1k, v_mfma_f32_16x16x4bf16_1k v[64:79], v[2:3], v[6:7], v[64:79]
snippet v_mfma_f32_16x16x4bf16_1k_acc, v_mfma_f32_16x16x4bf16_1k a[64:79], a[2:3], a[6:7], a[64:79]
snippet v_mfma_f32_4x4x4bf16_1k, v_mfma_f32_4x4x4bf16_1k v[64:67], v[2:3], v[6:7], v[64:67]
snippet v_mfma_f32_4x4x4bf16_1k_acc, v_mfma_f32_4x4x4bf16_1k a[64:67], a[2:3], a[6:7], a[64:67]
snippet v_mfma_f32_32x32x8bf16_1k, v_mfma_f32_32x32x8bf16_1k v[64:79], v[2:3], v[6:7], v[64:79]
snippet v_mfma_f32_32x32x8bf16_1k_acc, v_mfma_f32_32x32x8bf16_1k a[64:79], a[2:3], a[6:7], a[64:79]
snippet v_mfma_f32_16x16x16bf16_1k, v_mfma_f32_16x16x16bf16_1k v[64:67], v[2:3], v[6:7], v[64:67]
snippet v_mfma_f32_16x16x16bf16_1k_acc, v_mfma_f32_16x16x16bf16_1k a[64:67], a[2:3], a[6:7], a[64:67]
snippet v_mfma_f32_32x32x2bf16, v_mfma_f32_32x32x2bf16 v[64:95], v2, v6, v[64:95]
snippet v_mfma_f32_32x32x2bf16_acc, v_mfma_f32_32x32x2bf16 a[64:95], a2, a6, a[64:95]
snippet v_mfma_f32_16x16x2bf16, v_mfma_f32_16x16x2bf16 v[64:79], v2, v6, v[64:79]
snippet v_mfma_f32_16x16x2bf16_acc, v_mfma_f32_16x16x2bf16 a[64:79], a2, a6, a[64:79]
snippet v_mfma_f32_4x4x2bf16, v_mfma_f32_4x4x2bf16 v[64:67], v2, v6, v[64:67]
snippet v_mfma_f32_4x4x2bf16_acc, v_mfma_f32_4x4x2bf16 a[64:67], a2, a6, a[64:67]
snippet v_mfma_f32_32x32x4bf16, v_mfma_f32_32x32x4bf16 v[64:79], v2, v6, v[64:79]
snippet v_mfma_f32_32x32x4bf16_acc, v_mfma_f32_32x32x4bf16 a[64:79], a2, a6, a[64:79]
snippet v_mfma_f32_16x16x8bf16, v_mfma_f32_16x16x8bf16 v[64:67], v2, v6, v[64:67]
snippet v_mfma_f32_16x16x8bf16_acc, v_mfma_f32_16x16x8bf16 a[64:67], a2, a6, a[64:67]
snippet v_mfma_f64_16x16x4f64, v_mfma_f64_16x16x4f64 v[64:71], v[2:3], v[6:7], v[64:71]
snippet v_mfma_f64_16x16x4f64_acc, v_mfma_f64_16x16x4f64 a[64:71], a[2:3], a[6:7], a[64:71]
snippet v_mfma_f64_4x4x4f64, v_mfma_f64_4x4x4f64 v[64:65], v[2:3], v[6:7], v[64:65]
snippet v_mfma_f64_4x4x4f64_acc, v_mfma_f64_4x4x4f64 a[64:65], a[2:3], a[6:7], a[64:65]

// Kinds of registers and places that differ.
snippet mfma_mixed, v_mfma_f32_16x16x4f32 a[100:103], v2, a6, a[64:67]
snippet mfma_constant, v_mfma_f32_16x16x4f32 v[64:67], v2, v6, 1.0
snippet mfma_constant_int, v_mfma_i32_16x16x16i8 v[64:67], v2, v6, -3
snippet mfma_constant_double, v_mfma_f64_4x4x4f64 v[64:65], v[2:3], v[6:7], 0.5
// Modifiers.
snippet mfma_cbsz_1, v_mfma_f32_4x4x4f16 v[64:67], v[2:3], v[6:7], v[64:67] cbsz:1 abid:1
snippet mfma_cbsz_2, v_mfma_f32_4x4x4f16 v[64:67], v[2:3], v[6:7], v[64:67] cbsz:2 abid:3
snippet mfma_blgp_1, v_mfma_f32_32x32x2f32 v[64:79], v2, v6, v[64:79] blgp:1
snippet mfma_blgp_2, v_mfma_f32_32x32x2f32 v[64:79], v2, v6, v[64:79] blgp:2
snippet mfma_blgp_3, v_mfma_f32_32x32x2f32 v[64:79], v2, v6, v[64:79] blgp:3
snippet mfma_blgp_4, v_mfma_f32_32x32x2f32 v[64:79], v2, v6, v[64:79] blgp:4
snippet mfma_double_blgp, v_mfma_f64_4x4x4f64 v[64:65], v[2:3], v[6:7], v[64:65] blgp:1
snippet mfma_blgp_7, v_mfma_f32_32x32x2f32 v[64:79], v2, v6, v[64:79] blgp:7

// Moves between the kinds.
snippet v_accvgpr_read_b32, v_accvgpr_read_b32 v10, a2
snippet v_accvgpr_write_b32, v_accvgpr_write_b32 a10, v2
snippet v_accvgpr_write_b32_constant, v_accvgpr_write_b32 a10, 1.0
snippet v_accvgpr_mov_b32, v_accvgpr_mov_b32 a10, a2

// Memory straight to and from them. The address is in v0 and v1, or for DS in v0.
snippet acc_global_load, global_load_dwordx4 a[10:13], v[0:1], off
snippet acc_global_store, global_store_dwordx3 v[0:1], a[10:12], off
snippet acc_global_atomic, global_atomic_add a10, v[0:1], a12, off glc
snippet acc_buffer_load, buffer_load_dwordx2 a[10:11], v0, s[8:11], 0 offen
snippet acc_ds_read2, ds_read2_b64 a[10:13], v0 offset1:1
snippet acc_ds_write, ds_write_b64 v0, a[10:11]
snippet acc_wraps, global_load_dwordx2 a[254:255], v[0:1], off
