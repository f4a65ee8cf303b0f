// SPDX-License-Identifier: MIT
// Queries a tool that is loaded into it, right after each wait, for the kernels and copies that
// have ended.
// usage: hsa_settle [rounds] [hold: at the end a kernel is in flight that never ends]
#include <dlfcn.h>

#include "hsa_support.h"

using namespace programs;

namespace {

constexpr unsigned kKernels = 62;
constexpr unsigned kCopies = 4;

using Round = int (*)(unsigned* kernels, unsigned* copies);
using Finalize = void (*)();

void RunRound(const Machine& machine, hsa_queue_t* queue, const uint32_t* code, char* memory) {
  const hsa_signal_t kernels = CreateSignal(1);
  const hsa_signal_t copies = CreateSignal(1);
  for (unsigned i = 0; i < kKernels; ++i) {
    hsa_kernel_dispatch_packet_t packet = Dispatch(code, 64, 64);
    if (i == kKernels - 1) packet.completion_signal = kernels;
    Submit(queue, packet, kDispatchHeader | 1 << HSA_PACKET_HEADER_BARRIER);
  }
  WaitForZero(kernels);
  for (unsigned i = 0; i < kCopies; ++i) {
    hsa_signal_store_relaxed(copies, 1);
    HSA_CHECK(hsa_amd_memory_async_copy(memory, machine.gpu, memory + 4096, machine.gpu, 256, 0,
                                        nullptr, copies));
    WaitForZero(copies);
  }
  HSA_CHECK(hsa_signal_destroy(kernels));
  HSA_CHECK(hsa_signal_destroy(copies));
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 20;
  const auto settle = reinterpret_cast<Round>(dlsym(RTLD_DEFAULT, "settle_round"));
  const auto finalize = reinterpret_cast<Finalize>(dlsym(RTLD_DEFAULT, "settle_finalize"));
  const Machine machine = StartHsa();
  hsa_queue_t* const queue = CreateQueue(machine, 1024);
  uint32_t* const code = EmptyKernel(machine);
  char* const memory = Allocate<char>(machine, machine.system, 8192);
  int incomplete = 0;
  for (int i = 0; i < rounds; ++i) {
    RunRound(machine, queue, code, memory);
    unsigned kernels = kKernels;
    unsigned copies = kCopies;
    if (settle != nullptr && settle(&kernels, &copies) != 0) Die("settle_round", "failed");
    if (kernels == kKernels && copies == kCopies) continue;
    ++incomplete;
    std::fprintf(stderr, "round %d: %u of %u kernels, %u of %u copies\n", i, kernels, kKernels,
                 copies, kCopies);
  }
  Expect(incomplete == 0, "every round was complete when its buffer had been flushed");
  RunRound(machine, queue, code, memory);
  if (argc > 2) {
    hsa_barrier_and_packet_t barrier = {};
    barrier.dep_signal[0] = CreateSignal(1);
    Submit(queue, barrier, kBarrierHeader);
    Submit(queue, Dispatch(code, 64, 64), kDispatchHeader);
  }
  if (finalize != nullptr) finalize();
  return ExitCode();
}
