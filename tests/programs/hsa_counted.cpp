// SPDX-License-Identifier: MIT
// Kernels whose instructions can be counted on paper: each wave runs 10 vector and 5 scalar moves.
// Two queues take them in turn: 4 waves on the first, 8 on the second, and so on.
#include <vector>

#include "hsa_support.h"

using namespace programs;

namespace {

constexpr int kKernels = 12;
constexpr uint32_t kVectorMove = 0x7e000300;  // v_mov_b32 v0, v0
constexpr uint32_t kScalarMove = 0xbe880008;  // s_mov_b32 s8, s8
constexpr uint32_t kEnd = 0xbf810000;         // s_endpgm

uint32_t* CountedKernel(const Machine& machine) {
  uint32_t* code = EmptyKernel(machine);
  uint32_t* at = code + 64;
  for (int i = 0; i < 10; ++i) *at++ = kVectorMove;
  for (int i = 0; i < 5; ++i) *at++ = kScalarMove;
  *at = kEnd;
  return code;
}

}  // namespace

int main() {
  const Machine machine = StartHsa();
  hsa_queue_t* const queues[] = {CreateQueue(machine, 64), CreateQueue(machine, 64)};
  uint32_t* code = CountedKernel(machine);
  std::vector<hsa_signal_t> ends;
  for (int i = 0; i < kKernels; ++i) {
    hsa_kernel_dispatch_packet_t kernel = Dispatch(code, 64 * 4 * (i + 1), 64);
    ends.push_back(CreateSignal(1));
    kernel.completion_signal = ends.back();
    Submit(queues[i % 2], kernel, kDispatchHeader);
  }
  for (const hsa_signal_t end : ends) WaitForZero(end);
  Expect(true, "12 kernels ended");
  for (const hsa_signal_t end : ends) HSA_CHECK(hsa_signal_destroy(end));
  for (hsa_queue_t* const queue : queues) HSA_CHECK(hsa_queue_destroy(queue));
  Free(code);
  HSA_CHECK(hsa_shut_down());
  return ExitCode();
}
