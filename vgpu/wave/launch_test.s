// SPDX-License-Identifier: MIT
// Kernels. Unless said otherwise: s[0:1] kernarg segment, s2 (s3, s4) workgroup id, v0 (v1, v2)
// work-item id; the kernarg segment starts with the address of the output.

// out[index of the item in the grid] = x | y << 10 | z << 20
// kernargs: out, group size x y z, grid size x y
kernel_ids:
  s_load_dwordx2 s[6:7], s[0:1], 0
  s_load_dwordx4 s[8:11], s[0:1], 8
  s_load_dword s12, s[0:1], 24
  s_mul_i32 s2, s2, s8
  s_mul_i32 s3, s3, s9
  s_mul_i32 s4, s4, s10
  v_add_u32 v0, s2, v0
  v_add_u32 v1, s3, v1
  v_add_u32 v2, s4, v2
  v_mul_lo_u32 v3, v2, s12
  v_add_u32 v3, v3, v1
  v_mul_lo_u32 v3, v3, s11
  v_add_u32 v3, v3, v0
  v_lshlrev_b32 v3, 2, v3
  v_lshl_or_b32 v4, v1, 10, v0
  v_lshl_or_b32 v4, v2, 20, v4
  global_store_dword v3, v4, s[6:7]
  s_endpgm

// All user and system SGPRs are on: the kernarg segment is s[8:9]. out[i] = s<i> for 20 registers,
// then v0, v1 and v2 of the wave's last lane.
kernel_registers:
  s_load_dwordx2 s[40:41], s[8:9], 0
  v_mov_b32 v10, 0
  s_brev_b64 s[44:45], 1
  s_mov_b64 exec, s[44:45]
.irp i, 0, 4, 8, 12, 16
  v_mov_b32 v12, s[\i+0]
  v_mov_b32 v13, s[\i+1]
  v_mov_b32 v14, s[\i+2]
  v_mov_b32 v15, s[\i+3]
  global_store_dwordx4 v10, v[12:15], s[40:41] offset:\i*4
.endr
  global_store_dwordx3 v10, v[0:2], s[40:41] offset:80
  s_endpgm

// out[group * 256 + i] = what item 255 - i wrote to LDS: 3 * (255 - i) + group
kernel_barrier:
  s_load_dwordx2 s[6:7], s[0:1], 0
  v_mul_u32_u24 v1, v0, 3
  v_add_u32 v1, s2, v1
  v_lshlrev_b32 v2, 2, v0
  ds_write_b32 v2, v1
  s_waitcnt lgkmcnt(0)
  s_barrier
  v_sub_u32 v3, 1020, v2
  ds_read_b32 v4, v3
  s_lshl_b32 s8, s2, 10
  v_add_u32 v2, s8, v2
  global_store_dword v2, v4, s[6:7]
  s_endpgm

// Every wave reads a word of LDS, which is 16, and item 0 then replaces it: no barrier in between.
// out[i] = what item i has read
kernel_read_then_replace:
  s_load_dwordx2 s[6:7], s[0:1], 0
  v_mov_b32 v1, 0
  v_mov_b32 v2, 16
  ds_write_b32 v1, v2
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_read_b32 v3, v1
  s_waitcnt lgkmcnt(0)
  v_cmp_eq_u32 vcc, 0, v0
  s_and_saveexec_b64 s[8:9], vcc
  s_cbranch_execz replaced
  v_add_u32 v4, 1, v3
  ds_write_b32 v1, v4
replaced:
  s_mov_b64 exec, s[8:9]
  v_lshlrev_b32 v5, 2, v0
  global_store_dword v5, v3, s[6:7]
  s_endpgm

// The same without a branch, so that load and store are in one block of code.
kernel_read_then_replace_at_once:
  s_load_dwordx2 s[6:7], s[0:1], 0
  v_mov_b32 v1, 0
  v_mov_b32 v2, 16
  ds_write_b32 v1, v2
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_read_b32 v3, v1
  s_waitcnt lgkmcnt(0)
  v_cmp_eq_u32 vcc, 0, v0
  s_and_saveexec_b64 s[8:9], vcc
  v_add_u32 v4, 1, v3
  ds_write_b32 v1, v4
  s_mov_b64 exec, s[8:9]
  v_lshlrev_b32 v5, 2, v0
  global_store_dword v5, v3, s[6:7]
  s_endpgm

// Every item stores its number, waits for the store, and reads what the item 64 further on stored.
// out[i] = that number
kernel_store_then_read:
  s_load_dwordx2 s[6:7], s[0:1], 0
  v_lshlrev_b32 v1, 2, v0
  ds_write_b32 v1, v0
  s_waitcnt lgkmcnt(0)
  v_add_u32 v2, 256, v1
  v_and_b32 v2, 0xfff, v2
  ds_read_b32 v3, v2
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v3, s[6:7]
  s_endpgm

// Waves 0 and 1 of 4 end at once; the others meet at a barrier and count themselves.
kernel_early_end:
  s_load_dwordx2 s[6:7], s[0:1], 0
  v_readfirstlane_b32 s8, v0
  s_cmp_lt_u32 s8, 128
  s_cbranch_scc1 early_end
  s_barrier
  s_mov_b64 exec, 1
  v_mov_b32 v1, 0
  v_mov_b32 v2, 1
  global_atomic_add v1, v2, s[6:7]
early_end:
  s_endpgm

// s3 is the wave's scratch offset: out[group * 2 + wave] = s3, after a store to private memory that
// is read again when all groups have done theirs. Mismatches are counted at out[64].
// s[8:11] is loaded as the private segment's descriptor from kernarg 16.
kernel_scratch:
  s_load_dwordx2 s[6:7], s[0:1], 0
  s_load_dwordx4 s[8:11], s[0:1], 16
  v_readfirstlane_b32 s12, v0
  s_lshr_b32 s12, s12, 6
  s_lshl1_add_u32 s12, s2, s12
  s_lshl_b32 s13, s12, 2
  v_mov_b32 v1, s13
  v_mov_b32 v2, s3
  v_lshl_add_u32 v3, s12, 8, v0
  buffer_store_dword v3, off, s[8:11], s3 offset:8
  s_mov_b64 s[14:15], exec
  s_mov_b64 exec, 1
  global_store_dword v1, v2, s[6:7]
  v_mov_b32 v4, 0
  v_mov_b32 v5, 1
  global_atomic_add v4, v5, s[6:7] offset:512
scratch_wait:
  s_sleep 1
  global_load_dword v6, v4, s[6:7] offset:512
  v_readfirstlane_b32 s16, v6
  s_cmp_lt_u32 s16, 16
  s_cbranch_scc1 scratch_wait
  s_mov_b64 exec, s[14:15]
  buffer_load_dword v7, off, s[8:11], s3 offset:8
  v_cmp_ne_u32 vcc, v3, v7
  s_and_b64 exec, exec, vcc
  global_atomic_add v4, v5, s[6:7] offset:256
  s_endpgm

// out[2 * group] and the next: FLAT_SCRATCH.
kernel_flat_scratch:
  s_load_dwordx2 s[6:7], s[0:1], 0
  s_mov_b64 s[8:9], flat_scratch
  v_mov_b32 v2, s8
  v_mov_b32 v3, s9
  s_lshl_b32 s10, s2, 3
  v_mov_b32 v1, s10
  global_store_dwordx2 v1, v[2:3], s[6:7]
  s_endpgm

// Every workgroup counts itself at out[0] and waits until all of them (kernarg 8) have. No s_sleep:
// only the end of its slice lets others run.
kernel_grid_barrier:
  s_load_dwordx2 s[6:7], s[0:1], 0
  s_load_dword s8, s[0:1], 8
  s_mov_b64 exec, 1
  v_mov_b32 v1, 0
  v_mov_b32 v2, 1
  global_atomic_add v1, v2, s[6:7]
grid_barrier_wait:
  global_load_dword v3, v1, s[6:7]
  v_readfirstlane_b32 s9, v3
  s_cmp_lt_u32 s9, s8
  s_cbranch_scc1 grid_barrier_wait
  global_atomic_add v1, v2, s[6:7] offset:4
  s_endpgm

// Waits until out[0] is not 0, then stores 1 at out[1].
kernel_wait_for_flag:
  s_load_dwordx2 s[6:7], s[0:1], 0
  s_mov_b64 exec, 1
  v_mov_b32 v1, 0
  v_mov_b32 v2, 1
wait_for_flag:
  global_load_dword v3, v1, s[6:7]
  v_readfirstlane_b32 s9, v3
  s_cmp_eq_u32 s9, 0
  s_cbranch_scc1 wait_for_flag
  global_store_dword v1, v2, s[6:7] offset:4
  s_endpgm

kernel_set_flag:
  s_load_dwordx2 s[6:7], s[0:1], 0
  v_mov_b32 v1, 0
  v_mov_b32 v2, 1
  global_store_dword v1, v2, s[6:7]
  s_endpgm

// Stores 1 at out[1] to show that it runs, and goes on for ever.
kernel_endless:
  s_load_dwordx2 s[6:7], s[0:1], 0
  v_mov_b32 v1, 0
  v_mov_b32 v2, 1
  global_store_dword v1, v2, s[6:7] offset:4
endless:
  s_branch endless

// Every item adds 1 to out[0], after 200 rounds of a loop.
kernel_count:
  s_load_dwordx2 s[6:7], s[0:1], 0
  s_movk_i32 s8, 200
  v_mov_b32 v1, 0
  v_mov_b32 v2, 1
count_loop:
  s_sub_u32 s8, s8, 1
  s_cmp_lg_u32 s8, 0
  s_cbranch_scc1 count_loop
  global_atomic_add v1, v2, s[6:7]
  s_endpgm

// Workgroup 2 of the grid does something that it must not.
.macro fault name, code:vararg
kernel_\name:
  s_cmp_lg_u32 s2, 2
  s_cbranch_scc1 \name\()_end
  \code
\name\()_end:
  s_endpgm
.endm
fault illegal, s_sethalt 1
fault trap, s_trap 2
fault bad_address, s_load_dword s8, s[8:9], 0
kernel_bad_aperture:
  v_mov_b32 v0, 0
  v_mov_b32 v1, 0x12340000
  flat_load_dword v2, v[0:1]
  s_endpgm

// The instructions of every wave for the hardware counters, besides s_endpgm: 2 VALU, 3 SALU, 1 SMEM,
// 1 LDS, 1 global load, 2 flat stores.
kernel_counted:
  s_load_dwordx2 s[6:7], s[0:1], 0
  s_mov_b32 s8, 0
  s_mov_b32 s9, 0
  s_mov_b32 s10, 0
  v_mov_b32 v2, s6
  v_mov_b32 v3, s7
  ds_nop
  global_load_dword v4, v[2:3], off
  flat_store_dword v[2:3], v4
  flat_store_dword v[2:3], v4
  s_endpgm

// out[0] = the constant, which the test changes in the code.
kernel_constant:
  s_load_dwordx2 s[6:7], s[0:1], 0
  v_mov_b32 v1, 0
  v_mov_b32 v2, 0x11111111
  global_store_dword v1, v2, s[6:7]
  s_endpgm
kernel_constant_end:
  s_nop 0

// gfx90a: out[lane] = v0, of one wave
kernel_packed_ids:
  s_load_dwordx2 s[6:7], s[0:1], 0
  v_mbcnt_lo_u32_b32 v1, -1, 0
  v_mbcnt_hi_u32_b32 v1, -1, v1
  v_lshlrev_b32 v1, 2, v1
  global_store_dword v1, v0, s[6:7]
  s_endpgm

// Counts to 1000 with the carry alive from one instruction to the next; out[0] = the result.
kernel_counts_long:
  s_load_dwordx2 s[6:7], s[0:1], 0
  s_mov_b32 s8, 0
counts_long:
  s_add_u32 s8, s8, 1
  s_cmp_lt_u32 s8, 1000
  s_cbranch_scc1 counts_long
  v_mov_b32 v1, 0
  v_mov_b32 v2, s8
  global_store_dword v1, v2, s[6:7]
  s_endpgm
kernel_counts_long_end:

// A trap handler as the runtimes have it, but shorter. Its memory: dwords 0 samples, 1 those whose
// program counter is outside [dwords 4-5, 6-7), 2 doorbell, 3 packet | wave << 16 | workgroup << 24.
// It changes SCC, EXEC and every free trap temporary.
trap_handler:
  s_bitcmp1_b32 ttmp1, 24
  s_cbranch_scc0 trap_exit
  s_and_b32 ttmp1, ttmp1, 0xffff
  s_load_dwordx2 ttmp[2:3], ttmp[14:15], 16
  s_load_dwordx2 ttmp[4:5], ttmp[14:15], 24
  s_waitcnt lgkmcnt(0)
  s_sub_u32 ttmp2, ttmp0, ttmp2
  s_subb_u32 ttmp3, ttmp1, ttmp3
  s_cbranch_scc1 trap_outside
  s_sub_u32 ttmp4, ttmp0, ttmp4
  s_subb_u32 ttmp5, ttmp1, ttmp5
  s_cbranch_scc1 trap_inside
trap_outside:
  s_mov_b32 ttmp2, 1
  s_atomic_add ttmp2, ttmp[14:15], 4
trap_inside:
  s_mov_b32 ttmp2, 1
  s_atomic_add ttmp2, ttmp[14:15], 0
  s_mov_b64 ttmp[4:5], exec
  s_mov_b32 exec_lo, 0x80000000
  s_sendmsg 10
trap_wait:
  s_bitcmp0_b32 exec_lo, 31
  s_cbranch_scc0 trap_wait
  s_and_b32 ttmp2, exec_lo, 0x3ff
  s_mov_b64 exec, ttmp[4:5]
  s_store_dword ttmp2, ttmp[14:15], 8
  s_lshl_b32 ttmp3, ttmp11, 16
  s_or_b32 ttmp3, ttmp3, ttmp6
  s_lshl_b32 ttmp4, ttmp8, 24
  s_or_b32 ttmp3, ttmp3, ttmp4
  s_store_dword ttmp3, ttmp[14:15], 12
  s_dcache_wb
trap_exit:
  s_setreg_b32 hwreg(HW_REG_STATUS), ttmp12
  s_rfe_b64 [ttmp0, ttmp1]

trap_endless:
  s_branch trap_endless
trap_halt:
  s_bitset1_b32 ttmp12, 13
  s_setreg_b32 hwreg(HW_REG_STATUS), ttmp12
  s_rfe_b64 [ttmp0, ttmp1]
