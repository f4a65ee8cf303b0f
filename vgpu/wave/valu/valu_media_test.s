// SPDX-License-Identifier: MIT
.include "snippet.inc"

snippet v_sad_u8, v_sad_u8 v10, v2, v4, v6
snippet v_sad_u8_clamp, v_sad_u8 v10, v2, v4, v6 clamp
snippet v_sad_hi_u8, v_sad_hi_u8 v10, v2, v4, v6
snippet v_sad_u16, v_sad_u16 v10, v2, v4, v6
snippet v_msad_u8, v_msad_u8 v10, v2, v4, v6
snippet v_qsad_pk_u16_u8, v_qsad_pk_u16_u8 v[10:11], v[2:3], v4, v[6:7]
snippet v_qsad_pk_u16_u8_clamp, v_qsad_pk_u16_u8 v[10:11], v[2:3], v4, v[6:7] clamp
snippet v_mqsad_pk_u16_u8, v_mqsad_pk_u16_u8 v[10:11], v[2:3], v4, v[6:7]
snippet v_mqsad_u32_u8, v_mqsad_u32_u8 v[10:13], v[2:3], v4, v[6:9]
// The assembler refuses a constant as the accumulators; here it is encoded by hand (operand code
// 128).
snippet v_mqsad_u32_u8_scalar, .long 0xd1e7000a, 0x02020902
snippet v_lerp_u8, v_lerp_u8 v10, v2, v4, v6
