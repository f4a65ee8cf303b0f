// SPDX-License-Identifier: MIT
#include "vgpu/wave/gws.h"

#include <mutex>

#include "vgpu/run/config.h"

namespace vgpu {
namespace {

struct Resource {
  std::mutex mutex;
  uint32_t to_come = 0;  // waves that have to arrive before the one that opens the barrier
  uint64_t round = 1;    // tickets are rounds, and 0 is none
};

Resource& GetResource(int gpu, uint32_t resource) {
  static Resource resources[kMaxGpus][kGwsResources];
  return resources[gpu][resource % kGwsResources];
}

}  // namespace

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
