// SPDX-License-Identifier: MIT
// Address v[2:3] (or offset v2), data v[4:7], result v[8:11].
.include "snippet.inc"

.macro load segment, op, registers, address:vararg
snippet \segment\()_load_\op, \segment\()_load_\op \registers, \address
.endm

.macro load_all op, registers
load flat, \op, \registers, v[2:3] offset:16
load global, \op, \registers, v[2:3], off offset:16
load scratch, \op, \registers, v2, off offset:16
.endm

.irp op, ubyte, sbyte, ushort, sshort, dword
load_all \op, v8
.endr
.irp op, ubyte_d16, ubyte_d16_hi, sbyte_d16, sbyte_d16_hi, short_d16, short_d16_hi
load_all \op, v8
.endr
load_all dwordx2, v[8:9]
load_all dwordx3, v[8:10]
load_all dwordx4, v[8:11]

.macro store_all op, registers
snippet flat_store_\op, flat_store_\op v[2:3], \registers offset:16
snippet global_store_\op, global_store_\op v[2:3], \registers, off offset:16
snippet scratch_store_\op, scratch_store_\op v2, \registers, off offset:16
.endm

.irp op, byte, byte_d16_hi, short, short_d16_hi, dword
store_all \op, v4
.endr
store_all dwordx2, v[4:5]
store_all dwordx3, v[4:6]
store_all dwordx4, v[4:7]

.macro atomic segment, op, tail:vararg
snippet \segment\()_atomic_\op, \segment\()_atomic_\op v[2:3], v4 \tail
snippet \segment\()_atomic_\op\()_glc, \segment\()_atomic_\op v8, v[2:3], v4 \tail glc
snippet \segment\()_atomic_\op\()_x2, \segment\()_atomic_\op\()_x2 v[2:3], v[4:5] \tail
snippet \segment\()_atomic_\op\()_x2_glc, \segment\()_atomic_\op\()_x2 v[8:9], v[2:3], v[4:5] \tail glc
.endm

// Twice the data: v4 or v[4:5] is stored, the upper half compared.
.macro atomic_compare segment, tail:vararg
snippet \segment\()_atomic_cmpswap, \segment\()_atomic_cmpswap v[2:3], v[4:5] \tail
snippet \segment\()_atomic_cmpswap_glc, \segment\()_atomic_cmpswap v8, v[2:3], v[4:5] \tail glc
snippet \segment\()_atomic_cmpswap_x2, \segment\()_atomic_cmpswap_x2 v[2:3], v[4:7] \tail
snippet \segment\()_atomic_cmpswap_x2_glc, \segment\()_atomic_cmpswap_x2 v[8:9], v[2:3], v[4:7] \tail glc
.endm

.irp op, swap, add, sub, smin, umin, smax, umax, and, or, xor, inc, dec
atomic flat, \op, offset:16
atomic global, \op, , off offset:16
.endr
atomic_compare flat, offset:16
atomic_compare global, , off offset:16

// Addressing.
snippet global_saddr, global_load_dword v8, v2, s[6:7] offset:16
snippet global_negative, global_load_dword v8, v[2:3], off offset:-16
snippet global_over_address, global_load_dwordx2 v[2:3], v[2:3], off
snippet scratch_saddr, scratch_load_dword v8, off, s6 offset:16
snippet scratch_negative, scratch_load_dword v8, v2, off offset:-16
snippet flat_largest_offset, flat_load_dword v8, v[2:3] offset:4095
