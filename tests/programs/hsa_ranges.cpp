// SPDX-License-Identifier: MIT
// Ranges around ranges: "outer" and "started" last as long as the program, which runs one kernel in a
// range of its own for each line of standard input and prints the line. Linked to libroctx64.so.4.
#include <cstring>

#include "hsa_support.h"

using namespace programs;

extern "C" {
int roctxRangePushA(const char* message);
int roctxRangePop();
uint64_t roctxRangeStartA(const char* message);
void roctxRangeStop(uint64_t range);
}

int main() {
  const Machine machine = StartHsa();
  uint32_t* const code = EmptyKernel(machine);
  hsa_queue_t* const queue = CreateQueue(machine, 64);
  roctxRangePushA("outer");
  const uint64_t started = roctxRangeStartA("started");
  std::printf("ready\n");
  std::fflush(stdout);
  for (char line[64]; std::fgets(line, sizeof line, stdin) != nullptr;) {
    line[std::strcspn(line, "\n")] = '\0';
    roctxRangePushA(line);
    hsa_kernel_dispatch_packet_t kernel = Dispatch(code, 64, 64);
    kernel.completion_signal = CreateSignal(1);
    Submit(queue, kernel, kDispatchHeader);
    WaitForZero(kernel.completion_signal);
    HSA_CHECK(hsa_signal_destroy(kernel.completion_signal));
    roctxRangePop();
    std::printf("a kernel ran: %s\n", line);
    std::fflush(stdout);
  }
  roctxRangeStop(started);
  Expect(roctxRangePop() == 0, "only the outer range is left");
  HSA_CHECK(hsa_queue_destroy(queue));
  Free(code);
  HSA_CHECK(hsa_shut_down());
  return ExitCode();
}
