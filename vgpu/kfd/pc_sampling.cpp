// SPDX-License-Identifier: MIT
#include "vgpu/kfd/pc_sampling.h"

#include <algorithm>
#include <cerrno>

#include "vgpu/config/gpu_model.h"
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

bool OffersPcSampling() { return GetConfig().pc_sampling && GetGpuModel().host_traps; }

int PcSampling::Query(int gpu, bool all, PcSampleInfo* infos, uint32_t* count) {
  if (!offered_) return -EOPNOTSUPP;
  const bool room = infos != nullptr && *count != 0;
  *count = 1;
  if (!room) return 0;
  std::lock_guard lock(mutex_);
  if (all || !sessions_.Find(gpu, infos)) *infos = kHostTrap;
  return 0;
}

int PcSampling::Create(int gpu, PcSampleInfo* wanted, uint32_t* session) {
  const bool fits = offered_ && wanted->method == kMethodHostTrap &&
                    wanted->type == kTypeMicroseconds && wanted->interval >= 1;
  if (!fits) return -EOPNOTSUPP;
  std::lock_guard lock(mutex_);
  Session created = {.interval_us = wanted->interval};
  if (const int error = sessions_.Add(gpu, wanted, &created.slot); error != 0) return error;
  *session = next_session_++;
  gpus_[gpu].emplace(*session, created);
  return 0;
}

PcSampling::Session* PcSampling::Find(int gpu, uint32_t session) {
  const auto found = gpus_[gpu].find(session);
  return found == gpus_[gpu].end() ? nullptr : &found->second;
}

bool PcSampling::AnyActive(int gpu) const {
  return std::ranges::any_of(gpus_[gpu], [](const auto& entry) { return entry.second.active; });
}

int PcSampling::Destroy(int gpu, uint32_t session) {
  std::lock_guard lock(mutex_);
  const Session* found = Find(gpu, session);
  if (found == nullptr) return -EINVAL;
  if (found->active) return -EBUSY;
  sessions_.Remove(found->slot);
  gpus_[gpu].erase(session);
  return 0;
}

int PcSampling::Start(int gpu, uint32_t session) {
  std::lock_guard lock(mutex_);
  Session* found = Find(gpu, session);
  if (found == nullptr) return -EINVAL;
  if (found->active) return -EALREADY;
  found->active = true;
  StartHostTraps(gpu, found->interval_us);
  return 0;
}

// Returns only when no wave is in the trap handler, because the runtime frees the handler's buffers
// next.
int PcSampling::Stop(int gpu, uint32_t session) {
  std::lock_guard lock(mutex_);
  Session* found = Find(gpu, session);
  if (found == nullptr) return -EINVAL;
  if (!found->active) return -EALREADY;
  found->active = false;
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
      return sampling.Create(gpu, infos, &args.trace_id);
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
