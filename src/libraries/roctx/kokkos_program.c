// SPDX-License-Identifier: MIT
// Calls the tools in KOKKOS_TOOLS_LIBS as Kokkos does: opens each library and looks up its
// functions.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void* g_tool;

static void* Find(const char* name) {
  void* const found = dlsym(g_tool, name);
  if (found == NULL) {
    fprintf(stderr, "kokkos_program: no %s\n", name);
    exit(1);
  }
  return found;
}

// ISO C has no conversion between data and function pointers.
#define FUNCTION(type, variable, name)           \
  type variable;                                 \
  do {                                           \
    void* const address = Find(name);            \
    memcpy(&variable, &address, sizeof address); \
  } while (0)

typedef void Init(int, uint64_t, uint32_t, void*);
typedef void Settings(uint32_t, void*);
typedef void BeginKernel(const char*, uint32_t, uint64_t*);
typedef void EndKernel(uint64_t);
typedef void Text(const char*);
typedef void Nothing(void);
typedef void Create(const char*, uint32_t*);
typedef void Number(uint32_t);

int main(void) {
  const char* const libraries = getenv("KOKKOS_TOOLS_LIBS");
  if (libraries == NULL) return 2;
  char first[4096];
  snprintf(first, sizeof first, "%.*s", (int)strcspn(libraries, ";"), libraries);
  g_tool = dlopen(first, RTLD_NOW | RTLD_GLOBAL);
  if (g_tool == NULL) {
    fprintf(stderr, "kokkos_program: %s\n", dlerror());
    return 1;
  }
  FUNCTION(Init*, init, "kokkosp_init_library");
  FUNCTION(Settings*, settings, "kokkosp_request_tool_settings");
  FUNCTION(Nothing*, finalize, "kokkosp_finalize_library");
  FUNCTION(Text*, push, "kokkosp_push_profile_region");
  FUNCTION(Nothing*, pop, "kokkosp_pop_profile_region");
  FUNCTION(Text*, event, "kokkosp_profile_event");
  FUNCTION(Create*, create, "kokkosp_create_profile_section");
  FUNCTION(Number*, start, "kokkosp_start_profile_section");
  FUNCTION(Number*, stop, "kokkosp_stop_profile_section");
  FUNCTION(Number*, destroy, "kokkosp_destroy_profile_section");
  init(0, 20210225, 0, NULL);
  unsigned char asked[256];
  memset(asked, 1, sizeof asked);
  settings(255, asked);
  if (asked[0] != 0) return 3;
  push("time step");
  const char* const kinds[] = {"parallel_for", "parallel_reduce", "parallel_scan", "fence"};
  for (int i = 0; i < 4; ++i) {
    char name[64];
    snprintf(name, sizeof name, "kokkosp_begin_%s", kinds[i]);
    FUNCTION(BeginKernel*, begin, name);
    snprintf(name, sizeof name, "kokkosp_end_%s", kinds[i]);
    FUNCTION(EndKernel*, end, name);
    uint64_t handle = 77;
    begin(kinds[i], 1, &handle);
    end(handle);
  }
  uint32_t outer = 0, inner = 0;
  create("outer section", &outer);
  create("inner section", &inner);
  start(outer);
  start(inner);
  stop(outer);
  destroy(inner);  // stops it
  destroy(outer);
  event("converged");
  pop();
  finalize();
  return 0;
}
