// SPDX-License-Identifier: MIT
// The runtime calls a handler registered on a completion signal when the kernel is done.
#include <condition_variable>
#include <mutex>

#include "hsa_support.h"

using namespace programs;

namespace {

struct Calls {
  std::mutex mutex;
  std::condition_variable changed;
  int count = 0;  // guarded by mutex
};

// False: do not call again.
bool OnSignal(hsa_signal_value_t, void* data) {
  auto& calls = *static_cast<Calls*>(data);
  std::lock_guard lock(calls.mutex);
  ++calls.count;
  calls.changed.notify_all();
  return false;
}

}  // namespace

int main() {
  const Machine machine = StartHsa();
  hsa_queue_t* queue = CreateQueue(machine, 64);
  uint32_t* code = EmptyKernel(machine);
  hsa_kernel_dispatch_packet_t kernel = Dispatch(code, 64, 64);
  Calls calls;
  constexpr int kKernels = 10;
  for (int i = 1; i <= kKernels; ++i) {
    const hsa_signal_t done = CreateSignal(1);
    HSA_CHECK(hsa_amd_signal_async_handler(done, HSA_SIGNAL_CONDITION_LT, 1, OnSignal, &calls));
    kernel.completion_signal = done;
    Submit(queue, kernel, kDispatchHeader);
    std::unique_lock lock(calls.mutex);
    calls.changed.wait(lock, [&] { return calls.count == i; });
    HSA_CHECK(hsa_signal_destroy(done));
  }
  Expect(calls.count == kKernels, "each of 10 kernels called its handler once");
  HSA_CHECK(hsa_queue_destroy(queue));
  Free(code);
  HSA_CHECK(hsa_shut_down());
  return ExitCode();
}
