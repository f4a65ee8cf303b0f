// SPDX-License-Identifier: MIT
// counter_memory.h: memory that the host and a GPU see, for packets and what they read.
//
// Threads    Open: one at a time. Allocate, Free: any
// Blocking   as long as the runtime
// Memory     the runtime's
// Errors     Open: what the runtime does not have
#pragma once

#include <hsa/hsa.h>
#include <stdint.h>

#include "base/status.h"
#include "capture/hsa/hsa_api.h"

namespace rtl::capture {

class CounterMemory {
 public:
  // `root_table`: the runtime's HsaApiTable.
  Status Open(const HsaApi& api, void* root_table);
  void* Allocate(hsa_agent_t gpu, uint64_t bytes) const;
  void Free(void* memory) const {
    if (!closed_) (void)free_(memory);  // refused: it is lost
  }
  // The runtime is about to go: the library's own destructors free nothing any more.
  void Close() { closed_ = true; }

 private:
  // As hsa_ext_amd.h has them; opaque handles are plain words.
  using PoolCallback = hsa_status_t (*)(uint64_t pool, void* data);

  struct Search {
    const CounterMemory* memory;
    uint64_t pool;
  };
  static hsa_status_t OnAgent(hsa_agent_t agent, void* data);
  static hsa_status_t OnPool(uint64_t pool, void* data);

  bool closed_ = false;
  const HsaApi* api_ = nullptr;
  uint64_t pool_ = 0;  // of the host
  hsa_status_t (*iterate_pools_)(hsa_agent_t agent, PoolCallback callback, void* data) = nullptr;
  hsa_status_t (*pool_info_)(uint64_t pool, uint32_t attribute, void* value) = nullptr;
  hsa_status_t (*allocate_)(uint64_t pool, size_t bytes, uint32_t flags, void** memory) = nullptr;
  hsa_status_t (*free_)(void* memory) = nullptr;
  hsa_status_t (*allow_)(uint32_t count, const hsa_agent_t* agents, const uint32_t* flags,
                         const void* memory) = nullptr;
};

}  // namespace rtl::capture
