// SPDX-License-Identifier: MIT
.include "snippet.inc"

// Every source selection, plain and with sign extension.
.irp select, BYTE_0, BYTE_1, BYTE_2, BYTE_3, WORD_0, WORD_1, DWORD
snippet sdwa_src0_\select, v_add_u32_sdwa v10, v2, v4 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:\select src1_sel:DWORD
snippet sdwa_src1_\select, v_add_u32_sdwa v10, v2, v4 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:\select
snippet sdwa_sext0_\select, v_add_u32_sdwa v10, sext(v2), v4 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:\select src1_sel:DWORD
snippet sdwa_sext1_\select, v_add_u32_sdwa v10, v2, sext(v4) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:\select
.endr

// Every destination selection with every treatment of the rest.
.irp select, BYTE_0, BYTE_1, BYTE_2, BYTE_3, WORD_0, WORD_1, DWORD
.irp unused, PAD, SEXT, PRESERVE
snippet sdwa_dst_\select\()_\unused, v_mov_b32_sdwa v10, v2 dst_sel:\select dst_unused:UNUSED_\unused src0_sel:DWORD
.endr
.endr

snippet sdwa_f32_modified, v_add_f32_sdwa v10, -v2, |v4| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD
snippet sdwa_f16_high, v_add_f16_sdwa v10, -v2, v4 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:WORD_0
snippet sdwa_f32_clamp, v_mul_f32_sdwa v10, v2, v4 clamp dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD
snippet sdwa_f32_mul4, v_mul_f32_sdwa v10, v2, v4 mul:4 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD
snippet sdwa_scalar, v_add_u32_sdwa v10, s4, v4 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:DWORD
snippet sdwa_scalar1, v_sub_u32_sdwa v10, v2, s4 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:WORD_1
snippet sdwa_compare_vcc, v_cmp_eq_u32_sdwa vcc, v2, v4 src0_sel:BYTE_0 src1_sel:BYTE_1
snippet sdwa_compare_sgpr, v_cmp_lt_i32_sdwa s[20:21], sext(v2), sext(v4) src0_sel:WORD_0 src1_sel:WORD_1
snippet sdwa_carry, v_add_co_u32_sdwa v10, vcc, v2, v4 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
snippet sdwa_convert, v_cvt_f32_u32_sdwa v10, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2
