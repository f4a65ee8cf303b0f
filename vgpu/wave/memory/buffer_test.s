// SPDX-License-Identifier: MIT
// Descriptor s[8:11], offset v2 (index and offset v[2:3]), data v[4:7], s6 added.
.include "snippet.inc"

.irp op, ubyte, sbyte, ushort, sshort, dword
snippet buffer_load_\op, buffer_load_\op v4, v2, s[8:11], s6 offen offset:16
.endr
.irp op, ubyte_d16, ubyte_d16_hi, sbyte_d16, sbyte_d16_hi, short_d16, short_d16_hi
snippet buffer_load_\op, buffer_load_\op v4, v2, s[8:11], s6 offen offset:16
.endr
snippet buffer_load_dwordx2, buffer_load_dwordx2 v[4:5], v2, s[8:11], s6 offen offset:16
snippet buffer_load_dwordx3, buffer_load_dwordx3 v[4:6], v2, s[8:11], s6 offen offset:16
snippet buffer_load_dwordx4, buffer_load_dwordx4 v[4:7], v2, s[8:11], s6 offen offset:16

.irp op, byte, byte_d16_hi, short, short_d16_hi, dword
snippet buffer_store_\op, buffer_store_\op v4, v2, s[8:11], s6 offen offset:16
.endr
snippet buffer_store_dwordx2, buffer_store_dwordx2 v[4:5], v2, s[8:11], s6 offen offset:16
snippet buffer_store_dwordx3, buffer_store_dwordx3 v[4:6], v2, s[8:11], s6 offen offset:16
snippet buffer_store_dwordx4, buffer_store_dwordx4 v[4:7], v2, s[8:11], s6 offen offset:16

.irp op, swap, add, sub, smin, umin, smax, umax, and, or, xor, inc, dec
snippet buffer_atomic_\op, buffer_atomic_\op v4, v2, s[8:11], s6 offen offset:16
snippet buffer_atomic_\op\()_glc, buffer_atomic_\op v4, v2, s[8:11], s6 offen offset:16 glc
snippet buffer_atomic_\op\()_x2, buffer_atomic_\op\()_x2 v[4:5], v2, s[8:11], s6 offen offset:16
snippet buffer_atomic_\op\()_x2_glc, buffer_atomic_\op\()_x2 v[4:5], v2, s[8:11], s6 offen offset:16 glc
.endr
snippet buffer_atomic_cmpswap, buffer_atomic_cmpswap v[4:5], v2, s[8:11], s6 offen offset:16
snippet buffer_atomic_cmpswap_glc, buffer_atomic_cmpswap v[4:5], v2, s[8:11], s6 offen offset:16 glc
snippet buffer_atomic_cmpswap_x2, buffer_atomic_cmpswap_x2 v[4:7], v2, s[8:11], s6 offen offset:16
snippet buffer_atomic_cmpswap_x2_glc, buffer_atomic_cmpswap_x2 v[4:7], v2, s[8:11], s6 offen offset:16 glc
snippet buffer_wbinvl1, buffer_wbinvl1
snippet buffer_wbinvl1_vol, buffer_wbinvl1_vol

// Addressing.
snippet buffer_plain, buffer_load_dword v4, off, s[8:11], 0 offset:16
snippet buffer_index, buffer_load_dword v4, v2, s[8:11], 0 idxen offset:16
snippet buffer_index_offset, buffer_load_dword v4, v[2:3], s[8:11], 0 idxen offen offset:16
snippet buffer_inline_soffset, buffer_load_dword v4, off, s[8:11], 64 offset:16
snippet buffer_private, buffer_load_dword v4, v2, s[8:11], s6 offen
snippet buffer_private_x4, buffer_load_dwordx4 v[4:7], v2, s[8:11], s6 offen
snippet buffer_private_byte, buffer_load_ubyte v4, v2, s[8:11], s6 offen
snippet buffer_private_store, buffer_store_dwordx2 v[4:5], v2, s[8:11], s6 offen

// Into LDS.
.irp op, ubyte, sbyte, ushort, sshort, dword
snippet buffer_load_\op\()_lds, buffer_load_\op v2, s[8:11], s6 offen offset:16 lds
.endr
snippet buffer_load_dwordx2_lds, .long 0xe0551010, 0x06020402

// Typed: the form of an element is the descriptor's.
snippet buffer_load_format_x, buffer_load_format_x v4, v2, s[8:11], s6 idxen
snippet buffer_load_format_xy, buffer_load_format_xy v[4:5], v2, s[8:11], s6 idxen
snippet buffer_load_format_xyz, buffer_load_format_xyz v[4:6], v2, s[8:11], s6 idxen
snippet buffer_load_format_xyzw, buffer_load_format_xyzw v[4:7], v2, s[8:11], s6 idxen
snippet buffer_load_format_d16_x, buffer_load_format_d16_x v4, v2, s[8:11], s6 idxen
snippet buffer_load_format_d16_xy, buffer_load_format_d16_xy v4, v2, s[8:11], s6 idxen
snippet buffer_load_format_d16_xyz, buffer_load_format_d16_xyz v[4:5], v2, s[8:11], s6 idxen
snippet buffer_load_format_d16_xyzw, buffer_load_format_d16_xyzw v[4:5], v2, s[8:11], s6 idxen
snippet buffer_store_format_x, buffer_store_format_x v4, v2, s[8:11], s6 idxen
snippet buffer_store_format_xy, buffer_store_format_xy v[4:5], v2, s[8:11], s6 idxen
snippet buffer_store_format_xyz, buffer_store_format_xyz v[4:6], v2, s[8:11], s6 idxen
snippet buffer_store_format_xyzw, buffer_store_format_xyzw v[4:7], v2, s[8:11], s6 idxen
snippet buffer_store_format_d16_x, buffer_store_format_d16_x v4, v2, s[8:11], s6 idxen
snippet buffer_store_format_d16_xy, buffer_store_format_d16_xy v4, v2, s[8:11], s6 idxen
snippet buffer_store_format_d16_xyz, buffer_store_format_d16_xyz v[4:5], v2, s[8:11], s6 idxen
snippet buffer_store_format_d16_xyzw, buffer_store_format_d16_xyzw v[4:5], v2, s[8:11], s6 idxen
