// SPDX-License-Identifier: MIT
// signal_times: checks the times that the runtime returns for the application's own completion
// signals. On a virtual GPU with --dispatch-ns DURATION_NS a kernel that ends at once takes at
// least that long on the GPU's clock.
//
//   signal_times DURATION_NS
//
// Signals are used in three ways, as programs do: one signal for one kernel, one signal reused at
// once, and one signal that several kernels count down together.
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

void Check(hsa_status_t status, const char* what) {
  if (status == HSA_STATUS_SUCCESS || status == HSA_STATUS_INFO_BREAK) return;
  const char* text = "?";
  (void)hsa_status_string(status, &text);
  std::fprintf(stderr, "signal_times: %s: %s\n", what, text);
  std::exit(1);
}
#define CHECK(call) Check((call), #call)

hsa_agent_t gpu{};
hsa_agent_t host{};
hsa_queue_t* queue = nullptr;
void* code = nullptr;

hsa_status_t OnAgent(hsa_agent_t agent, void*) {
  hsa_device_type_t type;
  CHECK(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
  if (type == HSA_DEVICE_TYPE_GPU && gpu.handle == 0) gpu = agent;
  if (type == HSA_DEVICE_TYPE_CPU && host.handle == 0) host = agent;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t OnPool(hsa_amd_memory_pool_t pool, void* data) {
  uint32_t flags = 0;
  CHECK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags));
  if (!(flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED)) return HSA_STATUS_SUCCESS;
  *static_cast<hsa_amd_memory_pool_t*>(data) = pool;
  return HSA_STATUS_INFO_BREAK;
}

void Launch(hsa_signal_t signal) {
  hsa_kernel_dispatch_packet_t packet{};
  packet.workgroup_size_x = 64;
  packet.workgroup_size_y = packet.workgroup_size_z = 1;
  packet.grid_size_x = 64;
  packet.grid_size_y = packet.grid_size_z = 1;
  packet.kernel_object = reinterpret_cast<uint64_t>(code);
  packet.completion_signal = signal;
  const uint64_t index = hsa_queue_add_write_index_screlease(queue, 1);
  char* slot = static_cast<char*>(queue->base_address) + (index % queue->size) * 64;
  std::memcpy(slot + 4, reinterpret_cast<char*>(&packet) + 4, 60);
  constexpr uint32_t kOneDimension = 1u << 16;
  constexpr uint32_t kHeader = HSA_PACKET_TYPE_KERNEL_DISPATCH | 1 << HSA_PACKET_HEADER_BARRIER |
                               HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
                               HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE;
  __atomic_store_n(reinterpret_cast<uint32_t*>(slot), kOneDimension | kHeader, __ATOMIC_RELEASE);
  hsa_signal_store_screlease(queue->doorbell_signal, static_cast<hsa_signal_value_t>(index));
}

void WaitForZero(hsa_signal_t signal) {
  while (hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX,
                                   HSA_WAIT_STATE_BLOCKED) > 0) {
  }
}

// 1 when the times of the signal's last kernel cannot be right.
int Wrong(const char* how, hsa_signal_t signal, uint64_t expected_ns) {
  hsa_amd_profiling_dispatch_time_t time{};
  CHECK(hsa_amd_profiling_get_dispatch_time(gpu, signal, &time));
  constexpr uint64_t kTwoTicks = 80;  // of the 25 MHz GPU clock
  constexpr uint64_t kAbsurdNs = 10'000'000'000;
  uint64_t now = 0;
  CHECK(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &now));
  const uint64_t took = time.end - time.start;
  const bool recent = time.end <= now + kTwoTicks && now - time.end < kAbsurdNs;
  if (recent && took + kTwoTicks >= expected_ns && took < kAbsurdNs) return 0;
  std::printf("signal_times: %s: %" PRIu64 " .. %" PRIu64 " at %" PRIu64 ", a kernel of %" PRIu64
              " ns\n",
              how, time.start, time.end, now, expected_ns);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t expected_ns = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000000;
  hsa_amd_memory_pool_t pool{};
  CHECK(hsa_init());
  CHECK(hsa_iterate_agents(OnAgent, nullptr));
  CHECK(hsa_amd_agent_iterate_memory_pools(host, OnPool, &pool));
  CHECK(hsa_amd_memory_pool_allocate(pool, 4096, 0, &code));
  CHECK(hsa_amd_agents_allow_access(1, &gpu, nullptr, code));
  constexpr int64_t kEntryOffset = 256;
  constexpr uint32_t kEndProgram = 0xBF810000;  // s_endpgm
  std::memset(code, 0, 4096);
  std::memcpy(static_cast<char*>(code) + 16, &kEntryOffset, sizeof kEntryOffset);
  std::memcpy(static_cast<char*>(code) + kEntryOffset, &kEndProgram, sizeof kEndProgram);
  CHECK(hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_SINGLE, nullptr, nullptr, UINT32_MAX, UINT32_MAX,
                         &queue));
  CHECK(hsa_amd_profiling_set_profiler_enabled(queue, 1));

  int wrong = 0;
  constexpr int kKernels = 20;
  hsa_signal_t reused;
  CHECK(hsa_signal_create(1, 0, nullptr, &reused));
  for (int i = 0; i < kKernels; i++) {
    hsa_signal_t fresh;
    CHECK(hsa_signal_create(1, 0, nullptr, &fresh));
    Launch(fresh);
    WaitForZero(fresh);
    wrong += Wrong("fresh signal", fresh, expected_ns);
    CHECK(hsa_signal_destroy(fresh));

    hsa_signal_store_relaxed(reused, 1);
    Launch(reused);
    WaitForZero(reused);
    wrong += Wrong("reused signal", reused, expected_ns);
  }
  hsa_signal_store_relaxed(reused, kKernels);
  for (int i = 0; i < kKernels; i++) Launch(reused);
  WaitForZero(reused);
  wrong += Wrong("shared signal", reused, expected_ns);
  const hsa_signal_value_t left = hsa_signal_load_relaxed(reused);
  if (left != 0)
    std::printf("signal_times: the shared signal ended at %" PRId64 "\n",
                static_cast<int64_t>(left));

  CHECK(hsa_signal_destroy(reused));
  CHECK(hsa_queue_destroy(queue));
  CHECK(hsa_amd_memory_pool_free(code));
  CHECK(hsa_shut_down());
  std::printf("signal_times: %d kernels, %d wrong times\n", 3 * kKernels, wrong);
  return wrong == 0 && left == 0 ? 0 : 1;
}
