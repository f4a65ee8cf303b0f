// SPDX-License-Identifier: MIT
// pc_sampling.h: the PC-sampling sessions of this process, as the driver call PC_SAMPLE sees them.
//
// Threads    any; one lock
// Limits     host traps on gfx90a. All sessions of a GPU share one configuration, whichever process
//            made them (sampling_sessions.h)
// Fork       the child calls CloseFiles
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "vgpu/config/config.h"
#include "vgpu/kfd/sampling_sessions.h"

namespace vgpu {

// Whether this machine's GPUs support PC sampling, and it is on.
bool OffersPcSampling();

class PcSampling {
 public:
  // `file`: where this machine's processes keep their sessions; empty: this process is alone.
  explicit PcSampling(bool offered, std::string file = "")
      : offered_(offered), sessions_(std::move(file)) {}
  // 0 or -errno. `count` is the capacity of `infos` and becomes the number of configurations. With
  // `all`, a configuration in use does not hide the others.
  [[nodiscard]] int Query(int gpu, bool all, PcSampleInfo* infos, uint32_t* count);
  // -EEXIST: *wanted is now the configuration in use.
  [[nodiscard]] int Create(int gpu, PcSampleInfo* wanted, uint32_t* session);
  [[nodiscard]] int Destroy(int gpu, uint32_t session);
  [[nodiscard]] int Start(int gpu, uint32_t session);
  [[nodiscard]] int Stop(int gpu, uint32_t session);
  void CloseFiles() { sessions_.Close(); }

 private:
  struct Session {
    uint64_t interval_us = 0;
    uint32_t slot = 0;  // in sessions_
    bool active = false;
  };

  Session* Find(int gpu, uint32_t session);
  bool AnyActive(int gpu) const;

  const bool offered_;
  std::mutex mutex_;
  SamplingSessions sessions_;
  std::map<uint32_t, Session> gpus_[kMaxGpus];  // this process's, by number
  uint32_t next_session_ = 1;
};

}  // namespace vgpu
