// SPDX-License-Identifier: MIT
// Barrier packets hold a queue until all, or any, of their signals are zero, or one compares as the
// packet says.
// usage: hsa_barriers [milliseconds for which a barrier is seen to hold]
#include "hsa_support.h"

using namespace programs;

namespace {

uint64_t g_while = 50'000'000;  // a barrier is seen to hold for so long, in ns

constexpr uint16_t Header(hsa_packet_type_t type) {
  return static_cast<uint16_t>(type << HSA_PACKET_HEADER_TYPE | 1 << HSA_PACKET_HEADER_BARRIER |
                               kSystemFences);
}

// The signal's value when it is zero, or when the time is over.
hsa_signal_value_t Wait(hsa_signal_t signal, uint64_t limit) {
  return hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_LT, 1, limit,
                                   HSA_WAIT_STATE_BLOCKED);
}

void AndWaitsForAll(hsa_queue_t* queue) {
  const hsa_signal_t first = CreateSignal(1);
  const hsa_signal_t second = CreateSignal(1);
  const hsa_signal_t done = CreateSignal(1);
  hsa_barrier_and_packet_t packet = {};
  packet.dep_signal[0] = first;
  packet.dep_signal[4] = second;
  packet.completion_signal = done;
  Submit(queue, packet, Header(HSA_PACKET_TYPE_BARRIER_AND));
  hsa_signal_store_screlease(first, 0);
  Expect(Wait(done, g_while) == 1, "barrier-and holds while one signal is set");
  hsa_signal_subtract_screlease(second, 1);
  Expect(Wait(done, UINT64_MAX) == 0, "barrier-and completes when all are zero");
  for (const hsa_signal_t signal : {first, second, done}) HSA_CHECK(hsa_signal_destroy(signal));
}

void OrWaitsForOne(hsa_queue_t* queue) {
  const hsa_signal_t first = CreateSignal(1);
  const hsa_signal_t second = CreateSignal(1);
  const hsa_signal_t done = CreateSignal(1);
  hsa_barrier_or_packet_t packet = {};
  packet.dep_signal[0] = first;
  packet.dep_signal[3] = second;
  packet.completion_signal = done;
  Submit(queue, packet, Header(HSA_PACKET_TYPE_BARRIER_OR));
  Expect(Wait(done, g_while) == 1, "barrier-or holds while all signals are set");
  hsa_signal_store_screlease(second, 0);
  Expect(Wait(done, UINT64_MAX) == 0, "barrier-or completes when one is zero");
  for (const hsa_signal_t signal : {first, second, done}) HSA_CHECK(hsa_signal_destroy(signal));
}

void ValueWaitsForItsCondition(hsa_queue_t* queue) {
  const hsa_signal_t level = CreateSignal(3);
  const hsa_signal_t done = CreateSignal(1);
  hsa_amd_barrier_value_packet_t packet = {};
  packet.header.AmdFormat = HSA_AMD_PACKET_TYPE_BARRIER_VALUE;
  packet.signal = level;
  packet.value = 7;
  packet.mask = -1;
  packet.cond = HSA_SIGNAL_CONDITION_GTE;
  packet.completion_signal = done;
  Submit(queue, packet, Header(HSA_PACKET_TYPE_VENDOR_SPECIFIC));
  Expect(Wait(done, g_while) == 1, "barrier-value holds while the signal is too low");
  hsa_signal_store_screlease(level, 9);
  Expect(Wait(done, UINT64_MAX) == 0, "barrier-value completes when it is high enough");
  for (const hsa_signal_t signal : {level, done}) HSA_CHECK(hsa_signal_destroy(signal));
}

void ABarrierHoldsTheKernelBehindIt(const Machine& machine, hsa_queue_t* queue) {
  const hsa_signal_t gate = CreateSignal(1);
  const hsa_signal_t done = CreateSignal(1);
  hsa_barrier_and_packet_t barrier = {};
  barrier.dep_signal[0] = gate;
  Submit(queue, barrier, Header(HSA_PACKET_TYPE_BARRIER_AND));
  uint32_t* code = EmptyKernel(machine);
  hsa_kernel_dispatch_packet_t kernel = Dispatch(code, 64, 64);
  kernel.completion_signal = done;
  Submit(queue, kernel, kDispatchHeader);
  Expect(Wait(done, g_while) == 1, "a kernel behind a barrier waits");
  hsa_signal_store_screlease(gate, 0);
  Expect(Wait(done, UINT64_MAX) == 0, "and runs when the barrier opens");
  for (const hsa_signal_t signal : {gate, done}) HSA_CHECK(hsa_signal_destroy(signal));
  Free(code);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) g_while = static_cast<uint64_t>(std::atoi(argv[1])) * 1'000'000;
  const Machine machine = StartHsa();
  hsa_queue_t* queue = CreateQueue(machine, 64);
  AndWaitsForAll(queue);
  OrWaitsForOne(queue);
  ValueWaitsForItsCondition(queue);
  ABarrierHoldsTheKernelBehindIt(machine, queue);
  HSA_CHECK(hsa_queue_destroy(queue));
  HSA_CHECK(hsa_shut_down());
  return ExitCode();
}
