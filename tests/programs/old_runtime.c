// SPDX-License-Identifier: MIT
// Stands in for an HSA runtime whose tables are older than any that the tracer knows: it starts,
// passes them to its tool, and stops.
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define API __attribute__((visibility("default")))

enum { kCoreSlots = 125, kAmdSlots = 20 };  // 48 in ROCm 4.5

struct Version {
  uint32_t major, bytes, step, reserved;
};
struct CoreTable {
  struct Version version;
  void (*slots[kCoreSlots])(void);
};
struct AmdTable {
  struct Version version;
  void (*slots[kAmdSlots])(void);
};
struct RootTable {
  struct Version version;
  void* core;
  void* amd;
  void* others[2];
};

static struct CoreTable core = {{1, sizeof(struct CoreTable), 0, 0}, {0}};
static struct AmdTable amd = {{1, sizeof(struct AmdTable), 0, 0}, {0}};
static struct RootTable root = {{1, sizeof(struct RootTable), 0, 0}, &core, &amd, {0, 0}};

static void Nothing(void) {}

API int hsa_init(void) {
  for (int i = 0; i < kCoreSlots; ++i) core.slots[i] = Nothing;
  for (int i = 0; i < kAmdSlots; ++i) amd.slots[i] = Nothing;
  const char* const path = getenv("HSA_TOOLS_LIB");
  void* const tool = path == NULL ? NULL : dlopen(path, RTLD_NOW);
  if (tool == NULL) return 0;
  bool (*load)(void*, uint64_t, uint64_t, const char* const*);
  *(void**)&load = dlsym(tool, "OnLoad");
  if (load != NULL) (void)load(&root, 1, 0, NULL);
  return 0;
}

API int hsa_shut_down(void) { return 0; }
