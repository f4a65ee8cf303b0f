// SPDX-License-Identifier: MIT
// Base (or descriptor) s[8:11], data s20 and up.
.include "snippet.inc"

snippet s_load_dword, s_load_dword s20, s[8:9], 0x14
snippet s_load_dwordx2, s_load_dwordx2 s[20:21], s[8:9], 0x14
snippet s_load_dwordx4, s_load_dwordx4 s[20:23], s[8:9], 0x14
snippet s_load_dwordx8, s_load_dwordx8 s[20:27], s[8:9], 0x14
snippet s_load_dwordx16, s_load_dwordx16 s[20:35], s[8:9], 0x14
snippet s_buffer_load_dword, s_buffer_load_dword s20, s[8:11], 0x14
snippet s_buffer_load_dwordx2, s_buffer_load_dwordx2 s[20:21], s[8:11], 0x14
snippet s_buffer_load_dwordx4, s_buffer_load_dwordx4 s[20:23], s[8:11], 0x14
snippet s_buffer_load_dwordx8, s_buffer_load_dwordx8 s[20:27], s[8:11], 0x14
snippet s_buffer_load_dwordx16, s_buffer_load_dwordx16 s[20:35], s[8:11], 0x14
snippet s_store_dword, s_store_dword s20, s[8:9], 0x14
snippet s_store_dwordx2, s_store_dwordx2 s[20:21], s[8:9], 0x14
snippet s_store_dwordx4, s_store_dwordx4 s[20:23], s[8:9], 0x14
snippet s_buffer_store_dword, s_buffer_store_dword s20, s[8:11], 0x14
snippet s_buffer_store_dwordx2, s_buffer_store_dwordx2 s[20:21], s[8:11], 0x14
snippet s_buffer_store_dwordx4, s_buffer_store_dwordx4 s[20:23], s[8:11], 0x14
.irp op, s_dcache_inv, s_dcache_wb, s_dcache_inv_vol, s_dcache_wb_vol
snippet \op, \op
.endr
snippet s_dcache_discard, s_dcache_discard s[8:9], 0
snippet s_dcache_discard_x2, s_dcache_discard_x2 s[8:9], 0
snippet s_memtime, s_memtime s[20:21]
snippet s_memrealtime, s_memrealtime s[20:21]

// cmpswap takes its data from twice as many registers: s20 or s[20:21] is stored, the upper half
// compared.
.irp op, swap, add, sub, smin, umin, smax, umax, and, or, xor, inc, dec
snippet s_atomic_\op, s_atomic_\op s20, s[8:9], 0x10
snippet s_atomic_\op\()_glc, s_atomic_\op s20, s[8:9], 0x10 glc
snippet s_atomic_\op\()_x2, s_atomic_\op\()_x2 s[20:21], s[8:9], 0x10
snippet s_atomic_\op\()_x2_glc, s_atomic_\op\()_x2 s[20:21], s[8:9], 0x10 glc
snippet s_buffer_atomic_\op, s_buffer_atomic_\op s20, s[8:11], 0x10
snippet s_buffer_atomic_\op\()_glc, s_buffer_atomic_\op s20, s[8:11], 0x10 glc
snippet s_buffer_atomic_\op\()_x2, s_buffer_atomic_\op\()_x2 s[20:21], s[8:11], 0x10
snippet s_buffer_atomic_\op\()_x2_glc, s_buffer_atomic_\op\()_x2 s[20:21], s[8:11], 0x10 glc
.endr
snippet s_atomic_cmpswap, s_atomic_cmpswap s[20:21], s[8:9], 0x10
snippet s_atomic_cmpswap_glc, s_atomic_cmpswap s[20:21], s[8:9], 0x10 glc
snippet s_atomic_cmpswap_x2, s_atomic_cmpswap_x2 s[20:23], s[8:9], 0x10
snippet s_atomic_cmpswap_x2_glc, s_atomic_cmpswap_x2 s[20:23], s[8:9], 0x10 glc
snippet s_buffer_atomic_cmpswap, s_buffer_atomic_cmpswap s[20:21], s[8:11], 0x10
snippet s_buffer_atomic_cmpswap_glc, s_buffer_atomic_cmpswap s[20:21], s[8:11], 0x10 glc
snippet s_buffer_atomic_cmpswap_x2, s_buffer_atomic_cmpswap_x2 s[20:23], s[8:11], 0x10
snippet s_buffer_atomic_cmpswap_x2_glc, s_buffer_atomic_cmpswap_x2 s[20:23], s[8:11], 0x10 glc

snippet smem_negative, s_load_dword s20, s[8:9], -0x14
snippet smem_sgpr_offset, s_load_dword s20, s[8:9], s3
snippet smem_m0_offset, s_load_dword s20, s[8:9], m0
snippet smem_over_base, s_load_dwordx4 s[8:11], s[8:9], 0
snippet smem_vcc, s_load_dwordx2 vcc, s[8:9], 0x14
snippet smem_unmapped, s_load_dwordx2 s[20:21], s[8:9], 0
snippet smem_both_offsets, s_load_dword s20, s[8:9], s3 offset:0x14
