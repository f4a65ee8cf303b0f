// SPDX-License-Identifier: MIT
.include "snippet.inc"

snippet v_add_u32, v_add_u32 v10, v2, v4
snippet v_add_u32_clamp, v_add_u32 v10, v2, v4 clamp
snippet v_sub_u32, v_sub_u32 v10, v2, v4
snippet v_sub_u32_clamp, v_sub_u32 v10, v2, v4 clamp
snippet v_subrev_u32, v_subrev_u32 v10, v2, v4
snippet v_add_i32, v_add_i32 v10, v2, v4
snippet v_add_i32_clamp, v_add_i32 v10, v2, v4 clamp
snippet v_sub_i32, v_sub_i32 v10, v2, v4
snippet v_sub_i32_clamp, v_sub_i32 v10, v2, v4 clamp
snippet v_add3_u32, v_add3_u32 v10, v2, v4, v6

snippet v_add_co_u32, v_add_co_u32 v10, vcc, v2, v4
snippet v_add_co_u32_e64, v_add_co_u32 v10, s[20:21], v2, v4
snippet v_sub_co_u32, v_sub_co_u32 v10, vcc, v2, v4
snippet v_sub_co_u32_e64, v_sub_co_u32 v10, s[20:21], v2, v4
snippet v_subrev_co_u32, v_subrev_co_u32 v10, vcc, v2, v4
snippet v_addc_co_u32, v_addc_co_u32 v10, vcc, v2, v4, vcc
snippet v_addc_co_u32_e64, v_addc_co_u32 v10, s[20:21], v2, v4, s[22:23]
snippet v_subb_co_u32, v_subb_co_u32 v10, vcc, v2, v4, vcc
snippet v_subb_co_u32_e64, v_subb_co_u32 v10, s[20:21], v2, v4, s[22:23]
snippet v_subbrev_co_u32, v_subbrev_co_u32 v10, vcc, v2, v4, vcc
snippet v_mad_u64_u32, v_mad_u64_u32 v[10:11], s[20:21], v2, v4, v[6:7]
snippet v_mad_i64_i32, v_mad_i64_i32 v[10:11], s[20:21], v2, v4, v[6:7]

snippet v_mul_lo_u32, v_mul_lo_u32 v10, v2, v4
snippet v_mul_hi_u32, v_mul_hi_u32 v10, v2, v4
snippet v_mul_hi_i32, v_mul_hi_i32 v10, v2, v4
snippet v_mul_u32_u24, v_mul_u32_u24 v10, v2, v4
snippet v_mul_hi_u32_u24, v_mul_hi_u32_u24 v10, v2, v4
snippet v_mul_i32_i24, v_mul_i32_i24 v10, v2, v4
snippet v_mul_hi_i32_i24, v_mul_hi_i32_i24 v10, v2, v4
snippet v_mad_u32_u24, v_mad_u32_u24 v10, v2, v4, v6
snippet v_mad_u32_u24_clamp, v_mad_u32_u24 v10, v2, v4, v6 clamp
snippet v_mad_i32_i24, v_mad_i32_i24 v10, v2, v4, v6
snippet v_mad_i32_i24_clamp, v_mad_i32_i24 v10, v2, v4, v6 clamp

snippet v_min_i32, v_min_i32 v10, v2, v4
snippet v_max_i32, v_max_i32 v10, v2, v4
snippet v_min_u32, v_min_u32 v10, v2, v4
snippet v_max_u32, v_max_u32 v10, v2, v4
snippet v_min3_i32, v_min3_i32 v10, v2, v4, v6
snippet v_max3_i32, v_max3_i32 v10, v2, v4, v6
snippet v_med3_i32, v_med3_i32 v10, v2, v4, v6
snippet v_min3_u32, v_min3_u32 v10, v2, v4, v6
snippet v_max3_u32, v_max3_u32 v10, v2, v4, v6
snippet v_med3_u32, v_med3_u32 v10, v2, v4, v6
snippet v_sad_u32, v_sad_u32 v10, v2, v4, v6
snippet v_sad_u32_clamp, v_sad_u32 v10, v2, v4, v6 clamp

snippet v_lshl_add_u32, v_lshl_add_u32 v10, v2, v4, v6
snippet v_add_lshl_u32, v_add_lshl_u32 v10, v2, v4, v6
snippet v_xad_u32, v_xad_u32 v10, v2, v4, v6
