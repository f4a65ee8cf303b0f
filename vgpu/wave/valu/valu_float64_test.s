// SPDX-License-Identifier: MIT
.include "snippet.inc"

snippet v_add_f64, v_add_f64 v[10:11], v[2:3], v[4:5]
snippet v_mul_f64, v_mul_f64 v[10:11], v[2:3], v[4:5]
snippet v_fma_f64, v_fma_f64 v[10:11], v[2:3], v[4:5], v[6:7]
snippet v_min_f64, v_min_f64 v[10:11], v[2:3], v[4:5]
snippet v_max_f64, v_max_f64 v[10:11], v[2:3], v[4:5]
snippet v_rcp_f64, v_rcp_f64 v[10:11], v[2:3]
snippet v_rsq_f64, v_rsq_f64 v[10:11], v[2:3]
snippet v_sqrt_f64, v_sqrt_f64 v[10:11], v[2:3]
snippet v_floor_f64, v_floor_f64 v[10:11], v[2:3]
snippet v_ceil_f64, v_ceil_f64 v[10:11], v[2:3]
snippet v_trunc_f64, v_trunc_f64 v[10:11], v[2:3]
snippet v_rndne_f64, v_rndne_f64 v[10:11], v[2:3]
snippet v_fract_f64, v_fract_f64 v[10:11], v[2:3]
snippet v_frexp_mant_f64, v_frexp_mant_f64 v[10:11], v[2:3]
snippet v_frexp_exp_i32_f64, v_frexp_exp_i32_f64 v10, v[2:3]
snippet v_ldexp_f64, v_ldexp_f64 v[10:11], v[2:3], v4
snippet v_trig_preop_f64, v_trig_preop_f64 v[10:11], v[2:3], v4
