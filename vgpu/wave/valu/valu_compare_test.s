// SPDX-License-Identifier: MIT
.include "snippet.inc"

// e32 writes VCC, e64 s[20:21]; sources are v2 and v4 (pairs for 64 bits).
.macro compare relation, type, first, second
snippet v_cmp_\relation\()_\type, v_cmp_\relation\()_\type vcc, \first, \second
snippet v_cmp_\relation\()_\type\()_e64, v_cmp_\relation\()_\type\()_e64 s[20:21], \first, \second
snippet v_cmpx_\relation\()_\type, v_cmpx_\relation\()_\type vcc, \first, \second
.endm

.irp relation, f, lt, eq, le, gt, lg, ge, o, u, nge, nlg, ngt, nle, neq, nlt, tru
  compare \relation, f16, v2, v4
.endr
.irp relation, f, lt, eq, le, gt, lg, ge, o, u, nge, nlg, ngt, nle, neq, nlt, tru
  compare \relation, f32, v2, v4
.endr
.irp relation, f, lt, eq, le, gt, lg, ge, o, u, nge, nlg, ngt, nle, neq, nlt, tru
  compare \relation, f64, v[2:3], v[4:5]
.endr
.irp relation, f, lt, eq, le, gt, ne, ge, t
  compare \relation, i16, v2, v4
.endr
.irp relation, f, lt, eq, le, gt, ne, ge, t
  compare \relation, u16, v2, v4
.endr
.irp relation, f, lt, eq, le, gt, ne, ge, t
  compare \relation, i32, v2, v4
.endr
.irp relation, f, lt, eq, le, gt, ne, ge, t
  compare \relation, u32, v2, v4
.endr
.irp relation, f, lt, eq, le, gt, ne, ge, t
  compare \relation, i64, v[2:3], v[4:5]
.endr
.irp relation, f, lt, eq, le, gt, ne, ge, t
  compare \relation, u64, v[2:3], v[4:5]
.endr

compare class, f16, v2, v4
compare class, f32, v2, v4
compare class, f64, v[2:3], v4
