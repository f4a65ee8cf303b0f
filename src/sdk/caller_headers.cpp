// SPDX-License-Identifier: MIT
#include "sdk/caller_headers.h"

#include <dlfcn.h>

namespace rtl::sdk {
namespace {

// The base address of the library or program that contains `address`; null: none.
const void* ModuleOf(const void* address) {
  Dl_info info = {};
  return dladdr(address, &info) == 0 ? nullptr : info.dli_fbase;
}

}  // namespace

void CallerHeaders::NoteAgentSize(const void* caller, size_t agent_size) {
  const void* const base = ModuleOf(caller);
  if (base == nullptr) return;
  for (Module& module : modules_) {
    const void* there = nullptr;  // the exchange takes a free slot, or finds its owner
    if (!module.base.compare_exchange_strong(there, base, std::memory_order_relaxed) &&
        there != base)
      continue;
    module.agent_size.store(agent_size, std::memory_order_relaxed);
    return;
  }
}

bool CallerHeaders::AreOfRocm70(const void* caller) const {
  const void* const base = ModuleOf(caller);
  for (const Module& module : modules_) {
    const void* const there = module.base.load(std::memory_order_relaxed);
    if (there == nullptr) return false;
    if (there == base) return module.agent_size.load(std::memory_order_relaxed) == kAgentOfRocm70;
  }
  return false;
}

}  // namespace rtl::sdk
