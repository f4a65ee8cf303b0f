// SPDX-License-Identifier: MIT
// Eight queues on every GPU at once, one thread per GPU.
// usage: hsa_many_queues [kernels per queue]
#include <thread>
#include <vector>

#include "hsa_support.h"

using namespace programs;

namespace {

constexpr int kQueues = 8;

hsa_status_t AddGpu(hsa_agent_t agent, void* data) {
  hsa_device_type_t type;
  HSA_CHECK(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
  if (type == HSA_DEVICE_TYPE_GPU) static_cast<std::vector<hsa_agent_t>*>(data)->push_back(agent);
  return HSA_STATUS_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  const int kernels = argc > 1 ? std::atoi(argv[1]) : 100;
  const Machine machine = StartHsa();
  uint32_t* code = EmptyKernel(machine);
  std::vector<hsa_agent_t> gpus;
  HSA_CHECK(hsa_iterate_agents(AddGpu, &gpus));
  HSA_CHECK(
      hsa_amd_agents_allow_access(static_cast<uint32_t>(gpus.size()), gpus.data(), nullptr, code));
  std::vector<std::thread> threads;
  for (const hsa_agent_t gpu : gpus) {
    threads.emplace_back([&, gpu] {
      Machine mine = machine;
      mine.gpu = gpu;
      hsa_queue_t* queues[kQueues];
      for (hsa_queue_t*& queue : queues) queue = CreateQueue(mine, 128);
      const hsa_signal_t done = CreateSignal(kernels * kQueues);
      hsa_kernel_dispatch_packet_t kernel = Dispatch(code, 64, 64);
      kernel.completion_signal = done;
      for (int i = 0; i < kernels; ++i) {
        for (hsa_queue_t* queue : queues) Submit(queue, kernel, kDispatchHeader);
      }
      WaitForZero(done);
      for (hsa_queue_t* queue : queues) HSA_CHECK(hsa_queue_destroy(queue));
      HSA_CHECK(hsa_signal_destroy(done));
    });
  }
  for (std::thread& thread : threads) thread.join();
  Free(code);
  HSA_CHECK(hsa_shut_down());
  std::printf("%zu GPUs, %d queues each, %d kernels each\n", gpus.size(), kQueues, kernels);
  return ExitCode();
}
