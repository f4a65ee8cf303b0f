// SPDX-License-Identifier: MIT
// Memory of each kind that HSA provides, some of it from several threads. Prints what it allocated
// and freed, in order.
#include <dlfcn.h>

#include <cstdio>
#include <thread>
#include <vector>

#include "hsa_support.h"

using namespace programs;

namespace {

constexpr int kThreads = 4;
constexpr int kPerThread = 25;

void Say(const char* what, const char* whose, size_t bytes, const void* address) {
  std::printf("%s %s %zu %p\n", what, whose, bytes, address);
}

void* FromPool(hsa_amd_memory_pool_t pool, const char* whose, size_t bytes) {
  void* memory = nullptr;
  HSA_CHECK(hsa_amd_memory_pool_allocate(pool, bytes, 0, &memory));
  Say("allocate", whose, bytes, memory);
  return memory;
}

void GiveBack(void* memory) {
  HSA_CHECK(hsa_amd_memory_pool_free(memory));
  Say("free", "none", 0, memory);
}

hsa_status_t TakeGlobal(hsa_region_t region, void* data) {
  hsa_region_segment_t segment;
  HSA_CHECK(hsa_region_get_info(region, HSA_REGION_INFO_SEGMENT, &segment));
  bool allowed = false;
  HSA_CHECK(hsa_region_get_info(region, HSA_REGION_INFO_RUNTIME_ALLOC_ALLOWED, &allowed));
  auto& found = *static_cast<hsa_region_t*>(data);
  if (segment == HSA_REGION_SEGMENT_GLOBAL && allowed && found.handle == 0) found = region;
  return HSA_STATUS_SUCCESS;
}

void FromRegion(const Machine& machine) {
  hsa_region_t region = {};
  HSA_CHECK(hsa_agent_iterate_regions(machine.cpu, TakeGlobal, &region));
  void* memory = nullptr;
  HSA_CHECK(hsa_memory_allocate(region, 12288, &memory));
  Say("allocate", "cpu", 12288, memory);
  HSA_CHECK(hsa_memory_free(memory));
  Say("free", "none", 0, memory);
}

// Newer runtimes: memory that has no address yet. They refuse it where the driver is too old.
void FromHandle(const Machine& machine) {
  using Create = hsa_status_t (*)(hsa_amd_memory_pool_t pool, size_t bytes, int type,
                                  uint64_t flags, uint64_t* handle);
  using Release = hsa_status_t (*)(uint64_t handle);
  const auto create = reinterpret_cast<Create>(dlsym(RTLD_DEFAULT, "hsa_amd_vmem_handle_create"));
  const auto release =
      reinterpret_cast<Release>(dlsym(RTLD_DEFAULT, "hsa_amd_vmem_handle_release"));
  if (create == nullptr || release == nullptr) return;
  constexpr size_t kBytes = size_t{2} << 20;
  constexpr int kPinned = 1;
  uint64_t handle = 0;
  const hsa_status_t status = create(machine.vram, kBytes, kPinned, 0, &handle);
  Say("vmem", "gpu", kBytes, reinterpret_cast<void*>(handle));
  if (status != HSA_STATUS_SUCCESS) return;
  HSA_CHECK(release(handle));
  Say("vmem_free", "none", 0, reinterpret_cast<void*>(handle));
}

}  // namespace

int main() {
  const Machine machine = StartHsa();
  std::vector<void*> all;
  for (size_t i = 1; i <= 3; ++i) {
    all.push_back(FromPool(machine.system, "cpu", i * 4096));
    all.push_back(FromPool(machine.vram, "gpu", i * 8192));
  }
  void* none = nullptr;
  constexpr size_t kTooMuch = size_t{1} << 60;
  const hsa_status_t refused = hsa_amd_memory_pool_allocate(machine.vram, kTooMuch, 0, &none);
  if (refused == HSA_STATUS_SUCCESS) Die("hsa_amd_memory_pool_allocate", "no pool has so much");
  Say("allocate", "gpu", kTooMuch, nullptr);
  FromRegion(machine);
  FromHandle(machine);
  for (void* memory : all) GiveBack(memory);

  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&machine] {
      for (int j = 0; j < kPerThread; ++j) {
        void* memory = nullptr;
        HSA_CHECK(hsa_amd_memory_pool_allocate(machine.system, 65536, 0, &memory));
        HSA_CHECK(hsa_amd_memory_pool_free(memory));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  HSA_CHECK(hsa_shut_down());
  return ExitCode();
}
