// SPDX-License-Identifier: MIT
// Stands in for ROCm 10's HSA runtime on a gfx1250: it is this machine's runtime, with its
// functions in tables of the newer layout, and with another name for the GPU.
#include <dlfcn.h>
#include <hsa/hsa.h>
#include <stdlib.h>
#include <string.h>

#include "spec/api/hsa_tables.h"

#define API extern "C" __attribute__((visibility("default")))

namespace {

constexpr uint32_t kCoreSlots = 125, kAmdSlots = 90, kAmdStep = 16;

struct Version {
  uint32_t major, bytes, step, reserved;
};
template <uint32_t kSlots>
struct Table {
  Version version;
  void* slots[kSlots];
};
struct Root {
  Version version;
  void* tables[6];  // core, amd, and four that are not used here
};

Table<kCoreSlots> core = {{2, sizeof core, 0, 0}, {}};
Table<kAmdSlots> amd = {{2, sizeof amd, kAmdStep, 0}, {}};
Root root = {{3, sizeof root, 1, 0}, {&core, &amd}};
void* real = nullptr;
void* tool = nullptr;

template <typename F>
F Function(void* library, const char* name) {
  return reinterpret_cast<F>(dlsym(library, name));
}

hsa_status_t NotHere() { return HSA_STATUS_ERROR; }

hsa_status_t AgentInfo(hsa_agent_t agent, hsa_agent_info_t what, void* value) {
  const auto info = Function<decltype(&hsa_agent_get_info)>(real, "hsa_agent_get_info");
  const hsa_status_t status = info(agent, what, value);
  char* const name = static_cast<char*>(value);
  if (status == HSA_STATUS_SUCCESS && what == HSA_AGENT_INFO_NAME && strncmp(name, "gfx", 3) == 0) {
    strcpy(name, "gfx1250");
  }
  return status;
}

void Fill(void** slot, const char* name) {
  if (void* const function = dlsym(real, name)) *slot = function;
}

void FillTables() {
  for (void*& slot : core.slots) slot = reinterpret_cast<void*>(&NotHere);
  for (void*& slot : amd.slots) slot = reinterpret_cast<void*>(&NotHere);
#define X(name, slot)                    \
  Fill(&core.slots[slot], "hsa_" #name); \
  if (!strcmp(#name, "agent_get_info")) core.slots[slot] = reinterpret_cast<void*>(&AgentInfo);
  RTL_HSA_CORE_SLOTS(X)
#undef X
#define X(name, before, slot) Fill(&amd.slots[slot], "hsa_" #name);
  RTL_HSA_AMD_SLOTS(X)
#undef X
}

}  // namespace

API hsa_status_t hsa_init() {
  const char* const path = getenv("HSA_TOOLS_LIB");
  tool = path == nullptr ? nullptr : dlopen(path, RTLD_NOW);
  unsetenv("HSA_TOOLS_LIB");  // otherwise the real runtime would pass its own tables
  real = dlopen(REAL_RUNTIME, RTLD_NOW);
  if (real == nullptr || Function<hsa_status_t (*)()>(real, "hsa_init")() != HSA_STATUS_SUCCESS) {
    return HSA_STATUS_ERROR;
  }
  FillTables();
  using Load = bool (*)(void*, uint64_t, uint64_t, const char* const*);
  const Load load = tool == nullptr ? nullptr : Function<Load>(tool, "OnLoad");
  if (load != nullptr) (void)load(&root, 1, 0, nullptr);
  return HSA_STATUS_SUCCESS;
}

API hsa_status_t hsa_shut_down() {
  const auto unload = tool == nullptr ? nullptr : Function<void (*)()>(tool, "OnUnload");
  if (unload != nullptr) unload();
  return Function<hsa_status_t (*)()>(real, "hsa_shut_down")();
}

// Looked up by name, and never called.
API hsa_status_t hsa_amd_queue_create() { return NotHere(); }
