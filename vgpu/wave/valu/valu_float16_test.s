// SPDX-License-Identifier: MIT
.include "snippet.inc"

snippet v_add_f16, v_add_f16 v10, v2, v4
snippet v_sub_f16, v_sub_f16 v10, v2, v4
snippet v_subrev_f16, v_subrev_f16 v10, v2, v4
snippet v_mul_f16, v_mul_f16 v10, v2, v4
snippet v_mac_f16, v_mac_f16 v10, v2, v4
snippet v_madmk_f16, v_madmk_f16 v10, v2, 0x4248, v4
snippet v_madak_f16, v_madak_f16 v10, v2, v4, 0x4248
snippet v_mad_legacy_f16, v_mad_legacy_f16 v10, v2, v4, v6
snippet v_mad_f16, v_mad_f16 v10, v2, v4, v6
snippet v_mad_f16_to_high, v_mad_f16 v10, v2, v4, v6 op_sel:[0,0,0,1]
snippet v_fma_legacy_f16, v_fma_legacy_f16 v10, v2, v4, v6
snippet v_fma_f16, v_fma_f16 v10, v2, v4, v6
snippet v_fma_f16_to_high, v_fma_f16 v10, v2, v4, v6 op_sel:[0,0,0,1]
snippet v_fma_f16_from_high, v_fma_f16 v10, v2, v4, v6 op_sel:[1,0,1,0]
snippet v_min_f16, v_min_f16 v10, v2, v4
snippet v_max_f16, v_max_f16 v10, v2, v4
snippet v_min3_f16, v_min3_f16 v10, v2, v4, v6
snippet v_max3_f16, v_max3_f16 v10, v2, v4, v6
snippet v_med3_f16, v_med3_f16 v10, v2, v4, v6
snippet v_med3_f16_to_high, v_med3_f16 v10, v2, v4, v6 op_sel:[0,0,0,1]
snippet v_exp_f16, v_exp_f16 v10, v2
snippet v_log_f16, v_log_f16 v10, v2
snippet v_rcp_f16, v_rcp_f16 v10, v2
snippet v_rsq_f16, v_rsq_f16 v10, v2
snippet v_sqrt_f16, v_sqrt_f16 v10, v2
snippet v_sin_f16, v_sin_f16 v10, v2
snippet v_cos_f16, v_cos_f16 v10, v2
snippet v_floor_f16, v_floor_f16 v10, v2
snippet v_ceil_f16, v_ceil_f16 v10, v2
snippet v_trunc_f16, v_trunc_f16 v10, v2
snippet v_rndne_f16, v_rndne_f16 v10, v2
snippet v_fract_f16, v_fract_f16 v10, v2
snippet v_frexp_mant_f16, v_frexp_mant_f16 v10, v2
snippet v_frexp_exp_i16_f16, v_frexp_exp_i16_f16 v10, v2
snippet v_ldexp_f16, v_ldexp_f16 v10, v2, v4
snippet v_pack_b32_f16, v_pack_b32_f16 v10, v2, v4
snippet v_pack_b32_f16_from_high, v_pack_b32_f16 v10, v2, v4 op_sel:[1,1,0]
snippet v_pack_b32_f16_modified, v_pack_b32_f16 v10, -v2, |v4|
