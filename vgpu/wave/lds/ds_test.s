// SPDX-License-Identifier: MIT
// Address v2, data v4 (and v6 as second data), result v8.
.include "snippet.inc"

snippet ds_nop, ds_nop
snippet ds_read_b32, ds_read_b32 v8, v2 offset:16
snippet ds_read_b64, ds_read_b64 v[8:9], v2 offset:16
snippet ds_read_b96, ds_read_b96 v[8:10], v2 offset:16
snippet ds_read_b128, ds_read_b128 v[8:11], v2 offset:16
snippet ds_write_b32, ds_write_b32 v2, v4 offset:16
snippet ds_write_b64, ds_write_b64 v2, v[4:5] offset:16
snippet ds_write_b96, ds_write_b96 v2, v[4:6] offset:16
snippet ds_write_b128, ds_write_b128 v2, v[4:7] offset:16
snippet ds_read2_b32, ds_read2_b32 v[8:9], v2 offset0:3 offset1:7
snippet ds_read2_b64, ds_read2_b64 v[8:11], v2 offset0:3 offset1:7
snippet ds_read2st64_b32, ds_read2st64_b32 v[8:9], v2 offset0:1 offset1:3
snippet ds_read2st64_b64, ds_read2st64_b64 v[8:11], v2 offset0:1 offset1:3
snippet ds_write2_b32, ds_write2_b32 v2, v4, v6 offset0:3 offset1:7
snippet ds_write2_b64, ds_write2_b64 v2, v[4:5], v[6:7] offset0:3 offset1:7
snippet ds_write2st64_b32, ds_write2st64_b32 v2, v4, v6 offset0:1 offset1:3
snippet ds_write2st64_b64, ds_write2st64_b64 v2, v[4:5], v[6:7] offset0:1 offset1:3
.irp op, u8, i8, u16, i16, u8_d16, u8_d16_hi, i8_d16, i8_d16_hi, u16_d16, u16_d16_hi
snippet ds_read_\op, ds_read_\op v8, v2 offset:16
.endr
.irp op, b8, b16, b8_d16_hi, b16_d16_hi
snippet ds_write_\op, ds_write_\op v2, v4 offset:16
.endr
snippet ds_read_addtid_b32, ds_read_addtid_b32 v8 offset:16
snippet ds_write_addtid_b32, ds_write_addtid_b32 v4 offset:16

.irp op, add_u, sub_u, rsub_u, inc_u, dec_u, min_i, max_i, min_u, max_u, and_b, or_b, xor_b
snippet ds_\op\()32, ds_\op\()32 v2, v4 offset:16
snippet ds_\op\()64, ds_\op\()64 v2, v[4:5] offset:16
.endr
.irp op, add, sub, rsub, inc, dec, min, max
snippet ds_\op\()_rtn_u32, ds_\op\()_rtn_u32 v8, v2, v4 offset:16
snippet ds_\op\()_rtn_u64, ds_\op\()_rtn_u64 v[8:9], v2, v[4:5] offset:16
.endr
.irp op, min, max
snippet ds_\op\()_rtn_i32, ds_\op\()_rtn_i32 v8, v2, v4 offset:16
snippet ds_\op\()_rtn_i64, ds_\op\()_rtn_i64 v[8:9], v2, v[4:5] offset:16
.endr
.irp op, and, or, xor, wrxchg
snippet ds_\op\()_rtn_b32, ds_\op\()_rtn_b32 v8, v2, v4 offset:16
snippet ds_\op\()_rtn_b64, ds_\op\()_rtn_b64 v[8:9], v2, v[4:5] offset:16
.endr

// Two data operands.
.irp op, mskor_b, cmpst_b, cmpst_f
snippet ds_\op\()32, ds_\op\()32 v2, v4, v6 offset:16
snippet ds_\op\()64, ds_\op\()64 v2, v[4:5], v[6:7] offset:16
.endr
.irp op, mskor_rtn_b, cmpst_rtn_b, cmpst_rtn_f
snippet ds_\op\()32, ds_\op\()32 v8, v2, v4, v6 offset:16
snippet ds_\op\()64, ds_\op\()64 v[8:9], v2, v[4:5], v[6:7] offset:16
.endr
snippet ds_wrap_rtn_b32, ds_wrap_rtn_b32 v8, v2, v4, v6 offset:16

.irp op, min, max
snippet ds_\op\()_f32, ds_\op\()_f32 v2, v4 offset:16
snippet ds_\op\()_f64, ds_\op\()_f64 v2, v[4:5] offset:16
snippet ds_\op\()_rtn_f32, ds_\op\()_rtn_f32 v8, v2, v4 offset:16
snippet ds_\op\()_rtn_f64, ds_\op\()_rtn_f64 v[8:9], v2, v[4:5] offset:16
.endr
snippet ds_add_f32, ds_add_f32 v2, v4 offset:16
snippet ds_add_rtn_f32, ds_add_rtn_f32 v8, v2, v4 offset:16

snippet ds_wrxchg2_rtn_b32, ds_wrxchg2_rtn_b32 v[8:9], v2, v4, v6 offset0:3 offset1:7
snippet ds_wrxchg2_rtn_b64, ds_wrxchg2_rtn_b64 v[8:11], v2, v[4:5], v[6:7] offset0:3 offset1:7
snippet ds_wrxchg2st64_rtn_b32, ds_wrxchg2st64_rtn_b32 v[8:9], v2, v4, v6 offset0:1 offset1:3
snippet ds_wrxchg2st64_rtn_b64, ds_wrxchg2st64_rtn_b64 v[8:11], v2, v[4:5], v[6:7] offset0:1 offset1:3
snippet ds_append, ds_append v8 offset:16
snippet ds_consume, ds_consume v8 offset:16

snippet ds_permute_b32, ds_permute_b32 v8, v2, v4
snippet ds_bpermute_b32, ds_bpermute_b32 v8, v2, v4
snippet permute_offset, ds_permute_b32 v8, v2, v4 offset:8
snippet bpermute_offset, ds_bpermute_b32 v8, v2, v4 offset:8
snippet ds_swizzle_b32, ds_swizzle_b32 v8, v2 offset:swizzle(QUAD_PERM, 3, 2, 0, 1)
snippet swizzle_bits, ds_swizzle_b32 v8, v2 offset:swizzle(BITMASK_PERM, "01pip")
snippet swizzle_reverse, ds_swizzle_b32 v8, v2 offset:swizzle(REVERSE, 16)
snippet swizzle_broadcast, ds_swizzle_b32 v8, v2 offset:swizzle(BROADCAST, 8, 5)
snippet swizzle_rotate_up, ds_swizzle_b32 v8, v2 offset:0xc0a0
snippet swizzle_rotate_down, ds_swizzle_b32 v8, v2 offset:0xc4a0
snippet swizzle_rotate_masked, ds_swizzle_b32 v8, v2 offset:0xc0b8
snippet swizzle_fft, ds_swizzle_b32 v8, v2 offset:0xe000
snippet swizzle_fft_pairs, ds_swizzle_b32 v8, v2 offset:0xe010
snippet swizzle_fft_none, ds_swizzle_b32 v8, v2 offset:0xe01f
snippet ds_gws_init, ds_gws_init v2 offset:3 gds
snippet ds_gws_barrier, ds_gws_barrier v2 offset:3 gds
