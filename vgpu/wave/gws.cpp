// SPDX-License-Identifier: MIT
#include "vgpu/wave/gws.h"

#include <atomic>
#include <mutex>

#include "vgpu/config/config.h"

namespace vgpu {
namespace {

struct Resource {
  std::mutex mutex;
  uint32_t to_come = 0;  // waves that have to arrive before the one that opens the barrier
  uint64_t round = 1;    // a ticket is the number of a round; 0 is no ticket
};

struct Resources {
  Resource resource[kMaxGpus][kGwsResources];
};

// Replaced in a forked child, because its locks may be held; otherwise never.
std::atomic<Resources*> g_resources{new Resources};

Resource& GetResource(int gpu, uint32_t resource) {
  Resources* all = g_resources.load(std::memory_order_relaxed);
  return all->resource[gpu][resource % kGwsResources];
}

}  // namespace

void ForgetGws() { g_resources.store(new Resources, std::memory_order_relaxed); }

void InitGws(int gpu, uint32_t resource, uint32_t waves) {
  Resource& state = GetResource(gpu, resource);
  std::lock_guard lock(state.mutex);
  state.to_come = waves;
}

uint64_t ArriveAtGws(int gpu, uint32_t resource, uint32_t waves) {
  Resource& state = GetResource(gpu, resource);
  std::lock_guard lock(state.mutex);
  if (state.to_come == 0) {
    state.to_come = waves;
    ++state.round;
    return 0;
  }
  --state.to_come;
  return state.round;
}

bool GwsIsOpen(int gpu, uint32_t resource, uint64_t ticket) {
  Resource& state = GetResource(gpu, resource);
  std::lock_guard lock(state.mutex);
  return state.round != ticket;
}

}  // namespace vgpu
