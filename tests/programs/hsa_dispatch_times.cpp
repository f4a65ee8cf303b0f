// SPDX-License-Identifier: MIT
// The times of a dispatch lie inside the host's interval around it, and dispatches do not overlap.
#include "hsa_support.h"

using namespace programs;

namespace {

// Runtimes promise this for times that they translate: they read the two clocks one after the
// other.
constexpr uint64_t kClockSlackNs = 500;

uint64_t HostNow() {
  uint64_t now = 0;
  HSA_CHECK(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &now));
  return now;
}

}  // namespace

int main() {
  const Machine machine = StartHsa();
  uint64_t frequency = 0;
  HSA_CHECK(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &frequency));
  Expect(frequency == 1'000'000'000, "the system clock counts nanoseconds");

  hsa_queue_t* queue = CreateQueue(machine, 64);
  HSA_CHECK(hsa_amd_profiling_set_profiler_enabled(queue, 1));
  uint32_t* code = EmptyKernel(machine);
  hsa_kernel_dispatch_packet_t kernel = Dispatch(code, 256, 64);
  bool inside = true;
  bool ordered = true;
  uint64_t last_end = 0;
  for (int i = 0; i < 20; ++i) {
    const hsa_signal_t done = CreateSignal(1);
    kernel.completion_signal = done;
    const uint64_t before = HostNow();
    Submit(queue, kernel, kDispatchHeader);
    WaitForZero(done);
    const uint64_t after = HostNow();
    hsa_amd_profiling_dispatch_time_t times = {};
    HSA_CHECK(hsa_amd_profiling_get_dispatch_time(machine.gpu, done, &times));
    inside = inside && times.start + kClockSlackNs >= before && times.end <= after + kClockSlackNs;
    ordered = ordered && times.start <= times.end && times.start + kClockSlackNs >= last_end;
    last_end = times.end;
    HSA_CHECK(hsa_signal_destroy(done));
  }
  Expect(inside, "20 dispatches ran between submit and completion");
  Expect(ordered, "one after the other");
  HSA_CHECK(hsa_queue_destroy(queue));
  Free(code);
  HSA_CHECK(hsa_shut_down());
  return ExitCode();
}
