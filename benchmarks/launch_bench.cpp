// SPDX-License-Identifier: MIT
// launch_bench: what one kernel launch costs a program, through the HSA runtime alone. Run it
// untraced and traced; benchmarks/overhead.py does both, interleaved. Prints "name value" lines;
// times in nanoseconds.
//
//   launch_bench rate HOST_NS LAUNCHES    HOST_NS of host work before each launch, one wait at the
//                                         end
//   launch_bench sync LAUNCHES            launches with a signal of its own, and waits for each
//   launch_bench burst KERNELS REPEATS    KERNELS launches, then one wait, over and over
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

void Check(hsa_status_t status, const char* what) {
  if (status == HSA_STATUS_SUCCESS || status == HSA_STATUS_INFO_BREAK) return;
  const char* text = "?";
  (void)hsa_status_string(status, &text);
  std::fprintf(stderr, "launch_bench: %s: %s\n", what, text);
  std::exit(1);
}
#define CHECK(call) Check((call), #call)

uint64_t NowNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(now.tv_nsec);
}

hsa_status_t FindGpu(hsa_agent_t agent, void* data) {
  hsa_device_type_t type;
  CHECK(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
  if (type != HSA_DEVICE_TYPE_GPU) return HSA_STATUS_SUCCESS;
  *static_cast<hsa_agent_t*>(data) = agent;
  return HSA_STATUS_INFO_BREAK;
}

hsa_status_t FindHost(hsa_agent_t agent, void* data) {
  hsa_device_type_t type;
  CHECK(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
  if (type != HSA_DEVICE_TYPE_CPU) return HSA_STATUS_SUCCESS;
  *static_cast<hsa_agent_t*>(data) = agent;
  return HSA_STATUS_INFO_BREAK;
}

hsa_status_t FindFinePool(hsa_amd_memory_pool_t pool, void* data) {
  uint32_t flags = 0;
  CHECK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags));
  if (!(flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED)) return HSA_STATUS_SUCCESS;
  *static_cast<hsa_amd_memory_pool_t*>(data) = pool;
  return HSA_STATUS_INFO_BREAK;
}

// One queue and one kernel that ends at once.
class Launcher {
 public:
  Launcher() {
    hsa_agent_t gpu{};
    hsa_agent_t host{};
    hsa_amd_memory_pool_t pool{};
    CHECK(hsa_init());
    CHECK(hsa_iterate_agents(FindGpu, &gpu));
    CHECK(hsa_iterate_agents(FindHost, &host));
    CHECK(hsa_amd_agent_iterate_memory_pools(host, FindFinePool, &pool));
    CHECK(hsa_queue_create(gpu, 16384, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr, UINT32_MAX,
                           UINT32_MAX, &queue_));
    CHECK(hsa_amd_memory_pool_allocate(pool, 4096, 0, &code_));
    CHECK(hsa_amd_agents_allow_access(1, &gpu, nullptr, code_));
    constexpr int64_t kEntryOffset = 256;
    constexpr uint32_t kEndProgram = 0xBF810000;  // s_endpgm
    std::memset(code_, 0, 4096);
    std::memcpy(static_cast<char*>(code_) + 16, &kEntryOffset, sizeof kEntryOffset);
    std::memcpy(static_cast<char*>(code_) + kEntryOffset, &kEndProgram, sizeof kEndProgram);
    CHECK(hsa_signal_create(1, 0, nullptr, &done_));
  }

  ~Launcher() {
    CHECK(hsa_queue_destroy(queue_));
    CHECK(hsa_signal_destroy(done_));
    CHECK(hsa_amd_memory_pool_free(code_));
    CHECK(hsa_shut_down());
  }

  void Launch(hsa_signal_t signal) {
    hsa_kernel_dispatch_packet_t packet{};
    packet.setup = 1;
    packet.workgroup_size_x = 64;
    packet.workgroup_size_y = packet.workgroup_size_z = 1;
    packet.grid_size_x = 64;
    packet.grid_size_y = packet.grid_size_z = 1;
    packet.kernel_object = reinterpret_cast<uint64_t>(code_);
    packet.completion_signal = signal;
    Submit(&packet, HSA_PACKET_TYPE_KERNEL_DISPATCH);
  }

  void LaunchAndWait() {
    hsa_signal_store_relaxed(done_, 1);
    Launch(done_);
    Wait();
  }

  // Waits until everything submitted so far has completed.
  void Drain() {
    hsa_signal_store_relaxed(done_, 1);
    hsa_barrier_and_packet_t packet{};
    packet.completion_signal = done_;
    Submit(&packet, HSA_PACKET_TYPE_BARRIER_AND | 1 << HSA_PACKET_HEADER_BARRIER);
    Wait();
  }

 private:
  void Wait() {
    while (hsa_signal_wait_scacquire(done_, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX,
                                     HSA_WAIT_STATE_BLOCKED) > 0) {
    }
  }

  void Submit(void* packet, uint32_t header) {
    header |= HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE;
    header |= HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE;
    const uint64_t index = hsa_queue_add_write_index_screlease(queue_, 1);
    while (index - hsa_queue_load_read_index_scacquire(queue_) >= queue_->size) {
    }
    char* slot = static_cast<char*>(queue_->base_address) + (index % queue_->size) * 64;
    uint32_t first;
    std::memcpy(&first, packet, sizeof first);
    std::memcpy(slot + 4, static_cast<char*>(packet) + 4, 60);
    __atomic_store_n(reinterpret_cast<uint32_t*>(slot), (first & 0xFFFF0000u) | header,
                     __ATOMIC_RELEASE);
    hsa_signal_store_screlease(queue_->doorbell_signal, static_cast<hsa_signal_value_t>(index));
  }

  hsa_queue_t* queue_ = nullptr;
  void* code_ = nullptr;
  hsa_signal_t done_{};
};

void PrintPercentiles(const char* name, std::vector<uint64_t>& values) {
  std::sort(values.begin(), values.end());
  std::printf("%s_p50 %llu\n", name, static_cast<unsigned long long>(values[values.size() / 2]));
  std::printf("%s_p99 %llu\n", name,
              static_cast<unsigned long long>(values[values.size() * 99 / 100]));
}

// The number of kernels that the tracer has to account for.
void PrintSubmitted(uint64_t kernels) {
  std::printf("submitted %llu\n", static_cast<unsigned long long>(kernels));
}

constexpr uint64_t kWarmUp = 100;

int Rate(uint64_t host_ns, uint64_t launches) {
  Launcher launcher;
  for (uint64_t i = 0; i < kWarmUp; i++) launcher.Launch({0});
  launcher.Drain();
  std::vector<uint64_t> calls(launches);
  const uint64_t start = NowNs();
  for (uint64_t& call : calls) {
    const uint64_t work_until = NowNs() + host_ns;
    while (NowNs() < work_until) {
    }
    const uint64_t before = NowNs();
    launcher.Launch({0});
    call = NowNs() - before;
  }
  launcher.Drain();
  const double seconds = static_cast<double>(NowNs() - start) / 1e9;
  std::printf("rate %.0f\n", static_cast<double>(launches) / seconds);
  PrintSubmitted(kWarmUp + launches);
  PrintPercentiles("call", calls);
  return 0;
}

int Sync(uint64_t launches) {
  Launcher launcher;
  for (uint64_t i = 0; i < kWarmUp; i++) launcher.LaunchAndWait();
  std::vector<uint64_t> waits(launches);
  for (uint64_t& wait : waits) {
    const uint64_t before = NowNs();
    launcher.LaunchAndWait();
    wait = NowNs() - before;
  }
  PrintPercentiles("sync", waits);
  PrintSubmitted(kWarmUp + launches);
  return 0;
}

int Burst(uint64_t kernels, uint64_t repeats) {
  Launcher launcher;
  std::vector<uint64_t> bursts(repeats);
  for (uint64_t& burst : bursts) {
    const uint64_t before = NowNs();
    for (uint64_t i = 0; i < kernels; i++) launcher.Launch({0});
    launcher.Drain();
    burst = NowNs() - before;
  }
  PrintPercentiles("burst", bursts);
  PrintSubmitted(kernels * repeats);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
  if (what == "rate" && argc == 4) return Rate(number(2), number(3));
  if (what == "sync" && argc == 3) return Sync(number(2));
  if (what == "burst" && argc == 4) return Burst(number(2), number(3));
  std::fprintf(
      stderr,
      "usage: launch_bench rate HOST_NS LAUNCHES | sync LAUNCHES | burst KERNELS REPEATS\n");
  return 2;
}
