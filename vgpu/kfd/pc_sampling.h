// SPDX-License-Identifier: MIT
// pc_sampling.h: the PC-sampling sessions of this process, as the driver call PC_SAMPLE sees them.
//
// Threads    any; one lock
// Limits     host traps on gfx90a. All sessions of a GPU share one configuration, as with the real
//            driver, but only those of this process: other processes are not asked
#pragma once

#include <cstdint>
#include <map>
#include <mutex>

#include "vgpu/config/config.h"

namespace vgpu {

struct PcSampleInfo;

// Whether this machine's GPUs can, and are to.
bool OffersPcSampling();

class PcSampling {
 public:
  explicit PcSampling(bool offered) : offered_(offered) {}
  // 0 or -errno. `count` is the room at `infos` and becomes the number of configurations. With
  // `all`, a configuration in use does not hide the others.
  [[nodiscard]] int Query(int gpu, bool all, PcSampleInfo* infos, uint32_t* count);
  [[nodiscard]] int Create(int gpu, const PcSampleInfo& wanted, uint32_t* session);
  [[nodiscard]] int Destroy(int gpu, uint32_t session);
  [[nodiscard]] int Start(int gpu, uint32_t session);
  [[nodiscard]] int Stop(int gpu, uint32_t session);

 private:
  struct Gpu {
    uint64_t interval_us = 0;         // of all sessions
    std::map<uint32_t, bool> active;  // sessions, and whether each is started
  };

  bool* Find(int gpu, uint32_t session);
  bool AnyActive(int gpu) const;

  const bool offered_;
  std::mutex mutex_;
  Gpu gpus_[kMaxGpus];
  uint32_t next_session_ = 1;
};

}  // namespace vgpu
