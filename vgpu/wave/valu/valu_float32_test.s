// SPDX-License-Identifier: MIT
.include "snippet.inc"

snippet v_add_f32, v_add_f32 v10, v2, v4
snippet v_sub_f32, v_sub_f32 v10, v2, v4
snippet v_subrev_f32, v_subrev_f32 v10, v2, v4
snippet v_mul_f32, v_mul_f32 v10, v2, v4
snippet v_mul_legacy_f32, v_mul_legacy_f32 v10, v2, v4
snippet v_fma_f32, v_fma_f32 v10, v2, v4, v6
snippet v_fmac_f32, v_fmac_f32 v10, v2, v4
snippet v_mad_f32, v_mad_f32 v10, v2, v4, v6
snippet v_mac_f32, v_mac_f32 v10, v2, v4
snippet v_madmk_f32, v_madmk_f32 v10, v2, 0x40490fdb, v4
snippet v_madak_f32, v_madak_f32 v10, v2, v4, 0x40490fdb
snippet v_mad_legacy_f32, v_mad_legacy_f32 v10, v2, v4, v6
snippet v_min_f32, v_min_f32 v10, v2, v4
snippet v_max_f32, v_max_f32 v10, v2, v4
snippet v_min3_f32, v_min3_f32 v10, v2, v4, v6
snippet v_max3_f32, v_max3_f32 v10, v2, v4, v6
snippet v_med3_f32, v_med3_f32 v10, v2, v4, v6
snippet v_exp_f32, v_exp_f32 v10, v2
snippet v_log_f32, v_log_f32 v10, v2
snippet v_rcp_f32, v_rcp_f32 v10, v2
snippet v_rcp_iflag_f32, v_rcp_iflag_f32 v10, v2
snippet v_rsq_f32, v_rsq_f32 v10, v2
snippet v_sqrt_f32, v_sqrt_f32 v10, v2
snippet v_sin_f32, v_sin_f32 v10, v2
snippet v_cos_f32, v_cos_f32 v10, v2
snippet v_floor_f32, v_floor_f32 v10, v2
snippet v_ceil_f32, v_ceil_f32 v10, v2
snippet v_trunc_f32, v_trunc_f32 v10, v2
snippet v_rndne_f32, v_rndne_f32 v10, v2
snippet v_fract_f32, v_fract_f32 v10, v2
snippet v_frexp_mant_f32, v_frexp_mant_f32 v10, v2
snippet v_frexp_exp_i32_f32, v_frexp_exp_i32_f32 v10, v2
snippet v_ldexp_f32, v_ldexp_f32 v10, v2, v4
