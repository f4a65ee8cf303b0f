// SPDX-License-Identifier: MIT
// gfx90a code. Address v[2:3] (or offset v2), data v[4:5], result v[8:9]; descriptor s[8:11], s6 added.
.include "snippet.inc"

.irp op, add_f32, pk_add_f16
snippet global_atomic_\op, global_atomic_\op v[2:3], v4, off offset:16
snippet global_atomic_\op\()_glc, global_atomic_\op v8, v[2:3], v4, off offset:16 glc
snippet buffer_atomic_\op, buffer_atomic_\op v4, v2, s[8:11], s6 offen offset:16
snippet buffer_atomic_\op\()_glc, buffer_atomic_\op v4, v2, s[8:11], s6 offen offset:16 glc
.endr
.irp op, add_f64, min_f64, max_f64
snippet global_atomic_\op, global_atomic_\op v[2:3], v[4:5], off offset:16
snippet global_atomic_\op\()_glc, global_atomic_\op v[8:9], v[2:3], v[4:5], off offset:16 glc
snippet flat_atomic_\op, flat_atomic_\op v[2:3], v[4:5] offset:16
snippet flat_atomic_\op\()_glc, flat_atomic_\op v[8:9], v[2:3], v[4:5] offset:16 glc
snippet buffer_atomic_\op, buffer_atomic_\op v[4:5], v2, s[8:11], s6 offen offset:16
snippet buffer_atomic_\op\()_glc, buffer_atomic_\op v[4:5], v2, s[8:11], s6 offen offset:16 glc
.endr
// Run as gfx906 code.
snippet gfx906_global_add, global_atomic_add_f64 v[2:3], v[4:5], off
snippet gfx906_buffer_add, buffer_atomic_pk_add_f16 v4, v2, s[8:11], s6 offen
snippet gfx906_ds_add, ds_add_f64 v2, v[4:5]

snippet ds_add_f64, ds_add_f64 v2, v[4:5] offset:16
snippet ds_add_rtn_f64, ds_add_rtn_f64 v[8:9], v2, v[4:5] offset:16
