// SPDX-License-Identifier: MIT
.include "snippet.inc"

snippet v_cvt_f32_i32, v_cvt_f32_i32 v10, v2
snippet v_cvt_f32_u32, v_cvt_f32_u32 v10, v2
snippet v_cvt_u32_f32, v_cvt_u32_f32 v10, v2
snippet v_cvt_i32_f32, v_cvt_i32_f32 v10, v2
snippet v_cvt_rpi_i32_f32, v_cvt_rpi_i32_f32 v10, v2
snippet v_cvt_flr_i32_f32, v_cvt_flr_i32_f32 v10, v2
snippet v_cvt_off_f32_i4, v_cvt_off_f32_i4 v10, v2
snippet v_cvt_f32_ubyte0, v_cvt_f32_ubyte0 v10, v2
snippet v_cvt_f32_ubyte1, v_cvt_f32_ubyte1 v10, v2
snippet v_cvt_f32_ubyte2, v_cvt_f32_ubyte2 v10, v2
snippet v_cvt_f32_ubyte3, v_cvt_f32_ubyte3 v10, v2

snippet v_cvt_f64_f32, v_cvt_f64_f32 v[10:11], v2
snippet v_cvt_f32_f64, v_cvt_f32_f64 v10, v[2:3]
snippet v_cvt_f64_i32, v_cvt_f64_i32 v[10:11], v2
snippet v_cvt_f64_u32, v_cvt_f64_u32 v[10:11], v2
snippet v_cvt_i32_f64, v_cvt_i32_f64 v10, v[2:3]
snippet v_cvt_u32_f64, v_cvt_u32_f64 v10, v[2:3]

snippet v_cvt_f16_f32, v_cvt_f16_f32 v10, v2
snippet v_cvt_f32_f16, v_cvt_f32_f16 v10, v2
snippet v_cvt_f16_u16, v_cvt_f16_u16 v10, v2
snippet v_cvt_f16_i16, v_cvt_f16_i16 v10, v2
snippet v_cvt_u16_f16, v_cvt_u16_f16 v10, v2
snippet v_cvt_i16_f16, v_cvt_i16_f16 v10, v2
snippet v_cvt_norm_i16_f16, v_cvt_norm_i16_f16 v10, v2
snippet v_cvt_norm_u16_f16, v_cvt_norm_u16_f16 v10, v2

snippet v_cvt_pkrtz_f16_f32, v_cvt_pkrtz_f16_f32 v10, v2, v4
snippet v_cvt_pknorm_i16_f32, v_cvt_pknorm_i16_f32 v10, v2, v4
snippet v_cvt_pknorm_u16_f32, v_cvt_pknorm_u16_f32 v10, v2, v4
snippet v_cvt_pknorm_i16_f16, v_cvt_pknorm_i16_f16 v10, v2, v4
snippet v_cvt_pknorm_u16_f16, v_cvt_pknorm_u16_f16 v10, v2, v4
snippet v_cvt_pk_u16_u32, v_cvt_pk_u16_u32 v10, v2, v4
snippet v_cvt_pk_i16_i32, v_cvt_pk_i16_i32 v10, v2, v4
snippet v_cvt_pk_u8_f32, v_cvt_pk_u8_f32 v10, v2, v4, v6
snippet v_cvt_pkaccum_u8_f32, v_cvt_pkaccum_u8_f32 v10, v2, v4
snippet v_sat_pk_u8_i16, v_sat_pk_u8_i16 v10, v2
