// SPDX-License-Identifier: MIT
// roctx markers before, around and after a kernel and its runtime, from several threads. Linked to
// libroctx64.so.4.
#include <cstdlib>
#include <thread>

#include "hsa_support.h"

using namespace programs;

extern "C" {
void roctxMarkA(const char* message);
int roctxRangePushA(const char* message);
int roctxRangePop();
uint64_t roctxRangeStartA(const char* message);
void roctxRangeStop(uint64_t range);
}

namespace {

void RunAKernel(const Machine& machine) {
  uint32_t* kernel = EmptyKernel(machine);
  hsa_queue_t* queue = CreateQueue(machine, 64);
  hsa_kernel_dispatch_packet_t packet = Dispatch(kernel, 64, 64);
  packet.completion_signal = CreateSignal(1);
  Submit(queue, packet, kDispatchHeader);
  WaitForZero(packet.completion_signal);
  HSA_CHECK(hsa_signal_destroy(packet.completion_signal));
  HSA_CHECK(hsa_queue_destroy(queue));
  Free(kernel);
}

}  // namespace

int main() {
  // Runs as the last code of the program, after the runtime is gone.
  if (std::atexit([] { roctxMarkA("at exit"); }) != 0) Die("atexit", "no room");
  roctxMarkA("before the runtime");
  const uint64_t whole = roctxRangeStartA("from thread to thread");
  Expect(roctxRangePushA("outer") == 0, "the outermost range has level 0");
  const Machine machine = StartHsa();
  Expect(roctxRangePushA("kernel") == 1, "the range inside has level 1");
  RunAKernel(machine);
  Expect(roctxRangePop() == 1, "which its end returns");
  std::thread([&] {
    Expect(roctxRangePushA("on another thread") == 0, "each thread has levels of its own");
    roctxRangeStop(whole);
    Expect(roctxRangePop() == 0, "and ends them itself");
  }).join();
  HSA_CHECK(hsa_shut_down());
  Expect(roctxRangePop() == 0, "a range may outlive the runtime");
  Expect(roctxRangePop() == -1, "no range is left");
  roctxMarkA(nullptr);
  return ExitCode();
}
