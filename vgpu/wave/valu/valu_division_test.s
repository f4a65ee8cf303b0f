// SPDX-License-Identifier: MIT
.include "snippet.inc"

snippet v_div_scale_f32, v_div_scale_f32 v10, s[20:21], v2, v4, v6
snippet v_div_scale_f32_denominator, v_div_scale_f32 v10, s[20:21], v4, v4, v6
snippet v_div_scale_f64, v_div_scale_f64 v[10:11], s[20:21], v[2:3], v[4:5], v[6:7]
snippet v_div_fmas_f32, v_div_fmas_f32 v10, v2, v4, v6
snippet v_div_fmas_f64, v_div_fmas_f64 v[10:11], v[2:3], v[4:5], v[6:7]
snippet v_div_fixup_f32, v_div_fixup_f32 v10, v2, v4, v6
snippet v_div_fixup_f64, v_div_fixup_f64 v[10:11], v[2:3], v[4:5], v[6:7]
snippet v_div_fixup_legacy_f16, v_div_fixup_legacy_f16 v10, v2, v4, v6
snippet v_div_fixup_f16, v_div_fixup_f16 v10, v2, v4, v6

// The sequences into which a compiler expands v10 = v2 / v4.
.macro divide_f32
  v_div_scale_f32 v20, s[20:21], v4, v4, v2
  v_div_scale_f32 v21, vcc, v2, v4, v2
  v_rcp_f32 v22, v20
  v_fma_f32 v23, -v20, v22, 1.0
  v_fma_f32 v22, v23, v22, v22
  v_mul_f32 v23, v21, v22
  v_fma_f32 v24, -v20, v23, v21
  v_fma_f32 v23, v24, v22, v23
  v_fma_f32 v24, -v20, v23, v21
  v_div_fmas_f32 v23, v24, v22, v23
  v_div_fixup_f32 v10, v23, v4, v2
.endm
.macro divide_f64
  v_div_scale_f64 v[20:21], s[20:21], v[4:5], v[4:5], v[2:3]
  v_rcp_f64 v[22:23], v[20:21]
  v_fma_f64 v[24:25], -v[20:21], v[22:23], 1.0
  v_fma_f64 v[22:23], v[22:23], v[24:25], v[22:23]
  v_fma_f64 v[24:25], -v[20:21], v[22:23], 1.0
  v_fma_f64 v[22:23], v[22:23], v[24:25], v[22:23]
  v_div_scale_f64 v[24:25], vcc, v[2:3], v[4:5], v[2:3]
  v_mul_f64 v[26:27], v[24:25], v[22:23]
  v_fma_f64 v[20:21], -v[20:21], v[26:27], v[24:25]
  v_div_fmas_f64 v[20:21], v[20:21], v[22:23], v[26:27]
  v_div_fixup_f64 v[10:11], v[20:21], v[4:5], v[2:3]
.endm
snippet divide_f32, divide_f32
snippet divide_f64, divide_f64
