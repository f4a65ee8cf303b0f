// SPDX-License-Identifier: MIT
// Kernels whose memory instructions can be counted on paper. Each of the 16 waves of a workgroup
// loads, stores and changes its own 256 bytes, which are four cache lines, and all load the first
// dword.
// Three kernels have 4, 8 and 12 workgroups: 384 waves.
#include <cstring>
#include <vector>

#include "hsa_support.h"

using namespace programs;

namespace {

constexpr uint32_t kItems = 1024;  // of a workgroup

// The same words for gfx9, gfx90a and gfx942.
constexpr uint32_t kCode[] = {
    0xc0060200, 0x00000000,  // s_load_dwordx2 s[8:9], s[0:1], 0x0
    0xc0020280, 0x00000000,  // s_load_dword s10, s[0:1], 0x0
    0x24020082,              // v_lshlrev_b32 v1, 2, v0
    0xbf8cc07f,              // s_waitcnt lgkmcnt(0)
    0x7e080208,              // v_mov_b32 v4, s8
    0x7e0a0209,              // v_mov_b32 v5, s9
    0xbe8c0008,              // s_mov_b32 s12, s8
    0x860dff09, 0x0000ffff,  // s_and_b32 s13, s9, 0xffff
    0xbe8e00c1,              // s_mov_b32 s14, -1
    0xbe8f00ff, 0x00027000,  // s_mov_b32 s15, 0x27000
    0xdc508000, 0x02080001,  // global_load_dword v2, v1, s[8:9]
    0xdc508000, 0x02080001,  // global_load_dword v2, v1, s[8:9]
    0xdc500000, 0x03000004,  // flat_load_dword v3, v[4:5]
    0xdc708000, 0x00080201,  // global_store_dword v1, v2, s[8:9]
    0xdd088000, 0x00080201,  // global_atomic_add v1, v2, s[8:9]
    0xdd098000, 0x03080201,  // global_atomic_add v3, v1, v2, s[8:9] glc
    0xe0501000, 0x80030601,  // buffer_load_dword v6, v1, s[12:15], 0 offen
    0xe0501000, 0x80030601,  // buffer_load_dword v6, v1, s[12:15], 0 offen
    0xe0501000, 0x80030601,  // buffer_load_dword v6, v1, s[12:15], 0 offen
    0xe0701000, 0x80030601,  // buffer_store_dword v6, v1, s[12:15], 0 offen
    0xe1081000, 0x80030601,  // buffer_atomic_add v6, v1, s[12:15], 0 offen
    0xd9330000, 0x00000000,  // ds_gws_init v0 gds
    0xbf810000,              // s_endpgm
};

uint32_t* MemoryKernel(const Machine& machine) {
  uint32_t* kernel = EmptyKernel(machine);
  kernel[11] = 1;       // gfx90a: accumulation registers begin behind 8 others
  kernel[12] = 1;       // 8 vector registers, or 16
  kernel[13] = 2 << 1;  // two registers are set:
  kernel[14] = 1 << 3;  // the address of the arguments
  std::memcpy(kernel + 64, kCode, sizeof kCode);
  return kernel;
}

}  // namespace

int main() {
  const Machine machine = StartHsa();
  hsa_queue_t* const queue = CreateQueue(machine, 64);
  uint32_t* kernel = MemoryKernel(machine);
  auto* data = Allocate<uint32_t>(machine, machine.system, kItems);
  for (uint32_t i = 0; i < kItems; ++i) data[i] = 0;
  auto* argument = Allocate<uint32_t*>(machine, machine.kernargs, 1);
  *argument = data;
  std::vector<hsa_signal_t> ends;
  for (uint32_t groups = 4; groups <= 12; groups += 4) {
    hsa_kernel_dispatch_packet_t packet = Dispatch(kernel, groups * kItems, kItems);
    packet.kernarg_address = argument;
    ends.push_back(CreateSignal(1));
    packet.completion_signal = ends.back();
    Submit(queue, packet, kDispatchHeader);
  }
  for (const hsa_signal_t end : ends) WaitForZero(end);
  Expect(true, "3 kernels ended");
  for (const hsa_signal_t end : ends) HSA_CHECK(hsa_signal_destroy(end));
  HSA_CHECK(hsa_queue_destroy(queue));
  Free(argument);
  Free(data);
  Free(kernel);
  HSA_CHECK(hsa_shut_down());
  return ExitCode();
}
