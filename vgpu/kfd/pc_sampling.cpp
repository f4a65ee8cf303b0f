// SPDX-License-Identifier: MIT
#include "vgpu/kfd/pc_sampling.h"

#include <algorithm>
#include <cerrno>

#include "vgpu/kfd/ioctls.h"
#include "vgpu/wave/host_trap.h"

namespace vgpu {
namespace {

constexpr uint32_t kMethodHostTrap = 1;
constexpr uint32_t kTypeMicroseconds = 0;
constexpr uint32_t kQueryAll = 1;
constexpr uint32_t kVersion = 1;  // 0.1, the first with host traps on gfx90a
constexpr PcSampleInfo kHostTrap = {0, 1, ~uint64_t{0}, 0, kMethodHostTrap, kTypeMicroseconds};

enum Operation : uint32_t { kQuery, kCreate, kDestroy, kStart, kStop };

}  // namespace

bool OffersPcSampling() {
  constexpr int kGfx90a = 0x90a;
  return GetConfig().pc_sampling && GetConfig().gfx == kGfx90a;
}

int PcSampling::Query(int gpu, bool all, PcSampleInfo* infos, uint32_t* count) {
  if (!offered_) return -EOPNOTSUPP;
  const uint32_t room = *count;
  *count = 1;
  if (infos == nullptr || room == 0) return 0;
  *infos = kHostTrap;
  std::lock_guard lock(mutex_);
  if (!all && !gpus_[gpu].active.empty()) infos->interval = gpus_[gpu].interval_us;
  return 0;
}

int PcSampling::Create(int gpu, const PcSampleInfo& wanted, uint32_t* session) {
  const bool fits = offered_ && wanted.method == kMethodHostTrap &&
                    wanted.type == kTypeMicroseconds && wanted.interval >= 1;
  if (!fits) return -EOPNOTSUPP;
  std::lock_guard lock(mutex_);
  Gpu& state = gpus_[gpu];
  if (!state.active.empty() && state.interval_us != wanted.interval) return -EEXIST;
  state.interval_us = wanted.interval;
  *session = next_session_++;
  state.active.emplace(*session, false);
  return 0;
}

bool* PcSampling::Find(int gpu, uint32_t session) {
  const auto found = gpus_[gpu].active.find(session);
  return found == gpus_[gpu].active.end() ? nullptr : &found->second;
}

bool PcSampling::AnyActive(int gpu) const {
  return std::ranges::any_of(gpus_[gpu].active, [](const auto& entry) { return entry.second; });
}

int PcSampling::Destroy(int gpu, uint32_t session) {
  std::lock_guard lock(mutex_);
  const bool* active = Find(gpu, session);
  if (active == nullptr) return -EINVAL;
  if (*active) return -EBUSY;
  gpus_[gpu].active.erase(session);
  return 0;
}

int PcSampling::Start(int gpu, uint32_t session) {
  std::lock_guard lock(mutex_);
  bool* active = Find(gpu, session);
  if (active == nullptr) return -EINVAL;
  if (*active) return -EALREADY;
  *active = true;
  StartHostTraps(gpu, gpus_[gpu].interval_us);
  return 0;
}

// When it returns, no wave is in the trap handler: the runtime frees the handler's buffers next.
int PcSampling::Stop(int gpu, uint32_t session) {
  std::lock_guard lock(mutex_);
  bool* active = Find(gpu, session);
  if (active == nullptr) return -EINVAL;
  if (!*active) return -EALREADY;
  *active = false;
  if (!AnyActive(gpu)) StopHostTraps(gpu);
  return 0;
}

int PcSample(Driver& driver, PcSampleArgs& args) {
  const int gpu = GpuOfId(args.gpu_id);
  if (gpu < 0) return -EINVAL;
  auto* infos = reinterpret_cast<PcSampleInfo*>(args.sample_info_ptr);
  PcSampling& sampling = driver.pc_sampling;
  switch (args.op) {
    case kQuery:
      args.version = kVersion;
      return sampling.Query(gpu, (args.flags & kQueryAll) != 0, infos, &args.num_sample_info);
    case kCreate:
      if (infos == nullptr || args.num_sample_info != 1) return -EINVAL;
      return sampling.Create(gpu, *infos, &args.trace_id);
    case kDestroy:
      return sampling.Destroy(gpu, args.trace_id);
    case kStart:
      return sampling.Start(gpu, args.trace_id);
    case kStop:
      return sampling.Stop(gpu, args.trace_id);
    default:
      return -EINVAL;
  }
}

}  // namespace vgpu
