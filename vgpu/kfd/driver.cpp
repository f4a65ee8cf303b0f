// SPDX-License-Identifier: MIT
#include "vgpu/kfd/driver.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include "vgpu/config/config.h"
#include "vgpu/config/log.h"
#include "vgpu/kfd/device_files.h"
#include "vgpu/kfd/topology.h"
#include "vgpu/mem/address_space.h"
#include "vgpu/queue/doorbell_watch.h"
#include "vgpu/wave/launch.h"

namespace vgpu {
namespace {

constexpr uint32_t kFirstGpuId = 0x4a10;
constexpr uint32_t kGpuIdStep = 0x111;
constexpr int kFirstMinorWithAges = 14;

std::atomic<Driver*> g_driver{nullptr};
bool g_was_made = false;  // accessed atomically; tells MemoryChanged that a driver was made

// The id of the process that owns this memory. A child with a copy of the memory reads 0, however
// the child was made; a child that shares the memory reads the id of its parent. nullptr: not
// known.
std::atomic<pid_t>* g_memory_of = nullptr;

[[gnu::constructor(101)]] void MarkMemory() {
  constexpr size_t kPage = 4096;
  const long page =
      syscall(SYS_mmap, nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == -1) return;
  if (syscall(SYS_madvise, page, kPage, MADV_WIPEONFORK) != 0) return;
  g_memory_of = reinterpret_cast<std::atomic<pid_t>*>(page);
  g_memory_of->store(getpid(), std::memory_order_relaxed);
}

pid_t MemoryOf() {
  return g_memory_of == nullptr ? getpid() : g_memory_of->load(std::memory_order_relaxed);
}

// Runs in a child with a copy of the memory, which has this thread only. Locks that other threads
// held stay locked, so the child gives up every object with a lock without freeing it.
void StartAfresh() {
  if (g_memory_of != nullptr) g_memory_of->store(getpid(), std::memory_order_relaxed);
  Driver* inherited = g_driver.exchange(nullptr, std::memory_order_acq_rel);
  if (inherited != nullptr) {
    inherited->memory.CloseFile();
    inherited->queues.CloseFiles();
    inherited->smi_events.CloseFiles();
    inherited->sync_objects.CloseFiles();
    inherited->pc_sampling.CloseFiles();
  }
  ForgetAddressSpaces();
  ForgetDoorbellWatch();
  ForgetDispatches();
  ForgetOpened();
}

std::vector<FaultPoint> FaultPlan() {
  std::vector<FaultPoint> plan;
  std::string why;
  // The parser of the options has already checked the plan.
  if (!ParseFaultPlan(GetConfig().faults, &plan, &why)) plan.clear();
  return plan;
}

std::string SamplingFile() {
  return OffersPcSampling() ? MachineRoot() + "/pc_sampling_sessions" : "";
}

// One file per process. The devices work without it.
void OpenCompletionLog(Driver* driver) {
  if (GetConfig().completions.empty()) return;
  const std::string path = GetConfig().completions + "." + std::to_string(driver->pid);
  const int error = driver->completions.Open(path, GetConfig().clock_hz);
  if (error != 0) {
    Log(LogLevel::kError, "cannot write completions to %s: %s", path.c_str(),
        std::strerror(-error));
  }
}

Driver* MakeDriver() {
  auto* driver = new Driver;
  if (driver->memory.Open(GetConfig().vram_bytes, GetConfig().num_gpus) == 0) {
    const int error = driver->queues.Open(GetConfig().num_gpus);
    if (error == 0) {
      OpenCompletionLog(driver);
      return driver;
    }
    Log(LogLevel::kError, "no doorbells for the devices: %s", std::strerror(-error));
  }
  delete driver;
  return nullptr;
}

void ForgetShared(uint64_t va, uint64_t bytes) {
  constexpr uint64_t kPage = 4096;
  Driver* driver = FindDriver();
  if (driver == nullptr) return;
  driver->svm.Forget(va, (bytes + kPage - 1) / kPage * kPage);
  for (int gpu = 0; gpu < GetConfig().num_gpus; ++gpu) ForgetProcessMemory(gpu);
}

}  // namespace

Driver::Driver()
    : pid(getpid()),
      events(GetConfig().kfd_minor >= kFirstMinorWithAges),
      faults_to_inject(FaultPlan()),
      pc_sampling(OffersPcSampling(), SamplingFile()) {}

Driver* GetDriver() {
  if (Driver* driver = FindDriver(); driver != nullptr) return driver;
  if (MemoryOf() == 0) StartAfresh();
  // A child that shares the memory makes no driver: its threads would end with the child, and the
  // parent would be left with the driver.
  if (MemoryOf() != getpid()) return nullptr;
  static const int fork_hook = pthread_atfork(nullptr, nullptr, &StartAfresh);
  if (fork_hook != 0) {
    Log(LogLevel::kError, "cannot follow forks: %s", std::strerror(fork_hook));
    return nullptr;
  }
  Driver* fresh = MakeDriver();
  if (fresh == nullptr) return nullptr;
  Driver* first = nullptr;
  if (g_driver.compare_exchange_strong(first, fresh, std::memory_order_acq_rel)) {
    __atomic_store_n(&g_was_made, true, __ATOMIC_RELEASE);
    return fresh;
  }
  fresh->memory.CloseFile();  // another thread was first; nothing refers to this one
  fresh->queues.CloseFiles();
  delete fresh;
  return first;
}

Driver* FindDriver() {
  Driver* driver = g_driver.load(std::memory_order_acquire);
  // A child with a copy of the memory that fork's hooks did not see (clone): the driver is the
  // parent's, and its locks may be held.
  if (driver != nullptr && MemoryOf() == 0) [[unlikely]]
    return nullptr;
  return driver;
}

// The thread sanitizer's runtime calls this before it supports instrumented code.
[[gnu::no_sanitize_thread]] void MemoryChanged(uint64_t va, uint64_t bytes) {
  if (__atomic_load_n(&g_was_made, __ATOMIC_ACQUIRE)) ForgetShared(va, bytes);
}

uint32_t GpuIdOf(int gpu) { return kFirstGpuId + kGpuIdStep * static_cast<uint32_t>(gpu); }

int GpuOfId(uint32_t gpu_id) {
  for (int gpu = 0; gpu < GetConfig().num_gpus; ++gpu) {
    if (GpuIdOf(gpu) == gpu_id) return gpu;
  }
  return -1;
}

}  // namespace vgpu
