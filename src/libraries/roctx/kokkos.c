// SPDX-License-Identifier: MIT
// librtl_kokkos.so: turns the calls of Kokkos to a tool (KOKKOS_TOOLS_LIBS) into ROCTx ranges and
// marks. Kernels, fences and regions of a thread nest; sections may overlap.
//
// Threads    any
// Blocking   sections: a mutex for a few instructions
// Memory     an entry for each section that exists, up to kMostSections
// Errors     further sections are not traced; one line reports it
#include <pthread.h>
#include <roctracer/roctx.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// The members of Kokkos's structures that are used here.
struct KokkosDeviceInfo;
struct KokkosToolSettings {
  bool requires_global_fencing;
};

enum { kMostSections = 4096, kNameBytes = 128 };

struct Section {
  char name[kNameBytes];
  roctx_range_id_t range;
  bool used;
  bool open;
};
static struct Section g_sections[kMostSections];
static pthread_mutex_t g_mutex = PTHREAD_MUTEX_INITIALIZER;

static void Begin(const char* name, uint64_t* handle) {
  (void)roctxRangePushA(name == NULL ? "" : name);
  if (handle != NULL) *handle = 0;
}
static void End(void) { (void)roctxRangePop(); }

void kokkosp_init_library(int sequence, uint64_t version, uint32_t devices,
                          struct KokkosDeviceInfo* device) {
  (void)sequence, (void)version, (void)devices, (void)device;
}
void kokkosp_finalize_library(void) {}

// A fence around every kernel would change the program's timing.
void kokkosp_request_tool_settings(uint32_t count, struct KokkosToolSettings* settings) {
  (void)count;
  settings->requires_global_fencing = false;
}

void kokkosp_begin_parallel_for(const char* name, uint32_t device, uint64_t* handle) {
  (void)device;
  Begin(name, handle);
}
void kokkosp_end_parallel_for(uint64_t handle) { (void)handle, End(); }
void kokkosp_begin_parallel_reduce(const char* name, uint32_t device, uint64_t* handle) {
  (void)device;
  Begin(name, handle);
}
void kokkosp_end_parallel_reduce(uint64_t handle) { (void)handle, End(); }
void kokkosp_begin_parallel_scan(const char* name, uint32_t device, uint64_t* handle) {
  (void)device;
  Begin(name, handle);
}
void kokkosp_end_parallel_scan(uint64_t handle) { (void)handle, End(); }
void kokkosp_begin_fence(const char* name, uint32_t device, uint64_t* handle) {
  (void)device;
  Begin(name, handle);
}
void kokkosp_end_fence(uint64_t handle) { (void)handle, End(); }

void kokkosp_push_profile_region(const char* name) { Begin(name, NULL); }
void kokkosp_pop_profile_region(void) { End(); }
void kokkosp_profile_event(const char* name) { roctxMarkA(name == NULL ? "" : name); }

void kokkosp_create_profile_section(const char* name, uint32_t* id) {
  static bool full = false;
  *id = UINT32_MAX;
  (void)pthread_mutex_lock(&g_mutex);
  for (uint32_t i = 0; i < kMostSections && *id == UINT32_MAX; ++i) {
    struct Section* const section = &g_sections[i];
    if (section->used) continue;
    section->used = true;
    section->open = false;
    (void)snprintf(section->name, sizeof section->name, "%s", name == NULL ? "" : name);
    *id = i;
  }
  const bool say = *id == UINT32_MAX && !full;
  full |= say;
  (void)pthread_mutex_unlock(&g_mutex);
  if (say) {
    (void)fprintf(stderr, "rtl: %d sections of Kokkos exist at once; further ones are not traced\n",
                  (int)kMostSections);
  }
}

static void StopLocked(struct Section* section) {
  if (section->open) roctxRangeStop(section->range);
  section->open = false;
}

void kokkosp_start_profile_section(uint32_t id) {
  if (id >= kMostSections) return;
  (void)pthread_mutex_lock(&g_mutex);
  struct Section* const section = &g_sections[id];
  StopLocked(section);
  if (section->used) {
    section->range = roctxRangeStartA(section->name);
    section->open = true;
  }
  (void)pthread_mutex_unlock(&g_mutex);
}

void kokkosp_stop_profile_section(uint32_t id) {
  if (id >= kMostSections) return;
  (void)pthread_mutex_lock(&g_mutex);
  StopLocked(&g_sections[id]);
  (void)pthread_mutex_unlock(&g_mutex);
}

void kokkosp_destroy_profile_section(uint32_t id) {
  if (id >= kMostSections) return;
  (void)pthread_mutex_lock(&g_mutex);
  StopLocked(&g_sections[id]);
  g_sections[id].used = false;
  (void)pthread_mutex_unlock(&g_mutex);
}
