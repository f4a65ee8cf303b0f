// SPDX-License-Identifier: MIT
.include "snippet.inc"

snippet v_add_u16, v_add_u16 v10, v2, v4
snippet v_add_u16_clamp, v_add_u16 v10, v2, v4 clamp
snippet v_sub_u16, v_sub_u16 v10, v2, v4
snippet v_sub_u16_clamp, v_sub_u16 v10, v2, v4 clamp
snippet v_subrev_u16, v_subrev_u16 v10, v2, v4
snippet v_add_i16, v_add_i16 v10, v2, v4
snippet v_add_i16_clamp, v_add_i16 v10, v2, v4 clamp
snippet v_add_i16_to_high, v_add_i16 v10, v2, v4 op_sel:[0,0,1]
snippet v_sub_i16, v_sub_i16 v10, v2, v4
snippet v_sub_i16_clamp, v_sub_i16 v10, v2, v4 clamp
snippet v_mul_lo_u16, v_mul_lo_u16 v10, v2, v4
snippet v_lshlrev_b16, v_lshlrev_b16 v10, v2, v4
snippet v_lshrrev_b16, v_lshrrev_b16 v10, v2, v4
snippet v_ashrrev_i16, v_ashrrev_i16 v10, v2, v4
snippet v_min_u16, v_min_u16 v10, v2, v4
snippet v_max_u16, v_max_u16 v10, v2, v4
snippet v_min_i16, v_min_i16 v10, v2, v4
snippet v_max_i16, v_max_i16 v10, v2, v4
snippet v_min3_u16, v_min3_u16 v10, v2, v4, v6
snippet v_max3_u16, v_max3_u16 v10, v2, v4, v6
snippet v_med3_u16, v_med3_u16 v10, v2, v4, v6
snippet v_min3_i16, v_min3_i16 v10, v2, v4, v6
snippet v_max3_i16, v_max3_i16 v10, v2, v4, v6
snippet v_med3_i16, v_med3_i16 v10, v2, v4, v6
snippet v_mad_legacy_u16, v_mad_legacy_u16 v10, v2, v4, v6
snippet v_mad_legacy_i16, v_mad_legacy_i16 v10, v2, v4, v6
snippet v_mad_u16, v_mad_u16 v10, v2, v4, v6
snippet v_mad_u16_clamp, v_mad_u16 v10, v2, v4, v6 clamp
snippet v_mad_u16_to_high, v_mad_u16 v10, v2, v4, v6 op_sel:[0,0,0,1]
snippet v_mad_i16, v_mad_i16 v10, v2, v4, v6
snippet v_mad_i16_clamp, v_mad_i16 v10, v2, v4, v6 clamp
snippet v_mad_u32_u16, v_mad_u32_u16 v10, v2, v4, v6
snippet v_mad_u32_u16_clamp, v_mad_u32_u16 v10, v2, v4, v6 clamp
snippet v_mad_u32_u16_from_high, v_mad_u32_u16 v10, v2, v4, v6 op_sel:[1,0,0,0]
snippet v_mad_i32_i16, v_mad_i32_i16 v10, v2, v4, v6
snippet v_mad_i32_i16_clamp, v_mad_i32_i16 v10, v2, v4, v6 clamp
