// SPDX-License-Identifier: MIT
// counter_memory.h: allocates memory that both the host and a GPU can access, for packets and the
// values that they read.
//
// Threads    Open: one at a time. Allocate, Free: any
// Blocking   as long as the runtime
// Memory     the runtime's
// Errors     Open reports what the runtime lacks
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
    if (!closed_) (void)free_(memory);  // memory that cannot be freed is lost
  }
  // The runtime is about to be unloaded: from now on Free does nothing, also in the destructors of
  // AMD's library.
  void Close() { closed_ = true; }

 private:
  // As declared in hsa_ext_amd.h, with opaque handles as plain words.
  using PoolCallback = hsa_status_t (*)(uint64_t pool, void* data);

  struct Search {
    const CounterMemory* memory;
    uint64_t pool;
  };
  static hsa_status_t OnAgent(hsa_agent_t agent, void* data);
  static hsa_status_t OnPool(uint64_t pool, void* data);

  bool closed_ = false;
  const HsaApi* api_ = nullptr;
  uint64_t pool_ = 0;  // a memory pool of the host
  hsa_status_t (*iterate_pools_)(hsa_agent_t agent, PoolCallback callback, void* data) = nullptr;
  hsa_status_t (*pool_info_)(uint64_t pool, uint32_t attribute, void* value) = nullptr;
  hsa_status_t (*allocate_)(uint64_t pool, size_t bytes, uint32_t flags, void** memory) = nullptr;
  hsa_status_t (*free_)(void* memory) = nullptr;
  hsa_status_t (*allow_)(uint32_t count, const hsa_agent_t* agents, const uint32_t* flags,
                         const void* memory) = nullptr;
};

}  // namespace rtl::capture
