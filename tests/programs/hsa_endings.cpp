// SPDX-License-Identifier: MIT
// Processes that end, or fork, while the GPU has work.
//
//   hsa_endings launching   two threads still launch kernels when main returns
//   hsa_endings never       kernels are held without end when main returns
//   hsa_endings hang        the same, and main waits for them
//   hsa_endings callback    the runtime's own thread calls exit, from a signal's handler
//   hsa_endings input       ten kernels run for each line of standard input; the process ends
//                           at its end
//   hsa_endings fork        a child that ends at once, one that becomes this program again, and on
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "hsa_support.h"

using namespace programs;

namespace {

constexpr int kKernels = 10;

void Run(hsa_queue_t* queue, const uint32_t* code) {
  const hsa_signal_t done = CreateSignal(kKernels);
  hsa_kernel_dispatch_packet_t kernel = Dispatch(code, 64, 64);
  kernel.completion_signal = done;
  for (int i = 0; i < kKernels; ++i) Submit(queue, kernel, kDispatchHeader);
  WaitForZero(done);
  HSA_CHECK(hsa_signal_destroy(done));
}

int Launching(const Machine& machine) {
  static std::atomic<int> launched{0};
  const uint32_t* const code = EmptyKernel(machine);
  for (int i = 0; i < 2; ++i) {
    hsa_queue_t* const queue = CreateQueue(machine, 1024);
    std::thread([queue, code] {
      const hsa_kernel_dispatch_packet_t kernel = Dispatch(code, 64, 64);
      for (;; ++launched) Submit(queue, kernel, kDispatchHeader);
    }).detach();
  }
  while (launched < 1000) usleep(1000);
  std::printf("two threads launch kernels\n");
  return 3;
}

int Never(const Machine& machine, bool wait) {
  hsa_queue_t* const queue = CreateQueue(machine, 64);
  const uint32_t* const code = EmptyKernel(machine);
  Run(queue, code);
  hsa_barrier_and_packet_t barrier = {};
  barrier.dep_signal[0] = CreateSignal(1);
  Submit(queue, barrier, kBarrierHeader);
  for (int i = 0; i < kKernels; ++i) Submit(queue, Dispatch(code, 64, 64), kDispatchHeader);
  std::printf("ten kernels ran and ten never will\n");
  if (wait) {
    std::fflush(stdout);
    WaitForZero(barrier.dep_signal[0]);
  }
  return 4;
}

int RunForInput(const Machine& machine) {
  hsa_queue_t* const queue = CreateQueue(machine, 64);
  uint32_t* const code = EmptyKernel(machine);
  std::printf("ready\n");
  std::fflush(stdout);
  for (char line[64]; std::fgets(line, sizeof line, stdin) != nullptr;) {
    Run(queue, code);
    std::printf("ten kernels ran: %s", line);
    std::fflush(stdout);
  }
  HSA_CHECK(hsa_queue_destroy(queue));
  Free(code);
  HSA_CHECK(hsa_shut_down());
  return 0;
}

bool EndHere(hsa_signal_value_t, void*) {
  std::printf("a handler ends the process\n");
  std::exit(5);
}

int Callback(const Machine& machine) {
  hsa_queue_t* const queue = CreateQueue(machine, 64);
  const uint32_t* const code = EmptyKernel(machine);
  Run(queue, code);
  hsa_kernel_dispatch_packet_t kernel = Dispatch(code, 64, 64);
  kernel.completion_signal = CreateSignal(1);
  HSA_CHECK(hsa_amd_signal_async_handler(kernel.completion_signal, HSA_SIGNAL_CONDITION_LT, 1,
                                         EndHere, nullptr));
  Submit(queue, kernel, kDispatchHeader);
  for (;;) pause();
}

int Fork(const Machine& machine, char* program) {
  hsa_queue_t* const queue = CreateQueue(machine, 64);
  uint32_t* const code = EmptyKernel(machine);
  Run(queue, code);
  for (const bool becomes_another : {false, true}) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      if (becomes_another) execl("/proc/self/exe", program, "never", nullptr);
      _exit(becomes_another ? 1 : 6);
    }
    int status = 0;
    const bool ended = waitpid(child, &status, 0) == child && WIFEXITED(status);
    Expect(ended && WEXITSTATUS(status) == (becomes_another ? 4 : 6), "a child ended as it should");
    Run(queue, code);
  }
  Expect(waitpid(-1, nullptr, WNOHANG) == -1, "there is no other child");
  HSA_CHECK(hsa_queue_destroy(queue));
  Free(code);
  HSA_CHECK(hsa_shut_down());
  return ExitCode();
}

}  // namespace

int main(int argc, char** argv) {
  const char* way = argc > 1 ? argv[1] : "";
  const Machine machine = StartHsa();
  if (std::strcmp(way, "launching") == 0) return Launching(machine);
  if (std::strcmp(way, "never") == 0) return Never(machine, false);
  if (std::strcmp(way, "hang") == 0) return Never(machine, true);
  if (std::strcmp(way, "callback") == 0) return Callback(machine);
  if (std::strcmp(way, "input") == 0) return RunForInput(machine);
  if (std::strcmp(way, "fork") == 0) return Fork(machine, argv[0]);
  Die(way, "launching, never, hang, callback, input or fork");
}
