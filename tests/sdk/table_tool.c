/* SPDX-License-Identifier: MIT
 * Puts functions of its own into the tables of HIP and ROCTx, and prints at the end how often each
 * was called. A table is its size in bytes, followed by its functions in the order of their ids. */
#include <rocprofiler-sdk/hip/runtime_api_id.h>
#include <rocprofiler-sdk/marker/api_id.h>
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static int (*next_malloc)(void** memory, size_t bytes);
static int (*next_push)(const char* message);
static atomic_uint tables[2], mallocs, pushes;
static atomic_ulong versions[2];

static int Malloc(void** memory, size_t bytes) {
  ++mallocs;
  return next_malloc(memory, bytes);
}

static int Push(const char* message) {
  ++pushes;
  return next_push(message);
}

static void Replace(void* table, unsigned id, void* ours, void* next) {
  void** const slot = (void**)table + 1 + id;
  memcpy(next, slot, sizeof *slot);
  *slot = ours;
}

static void OnTable(rocprofiler_intercept_table_t type, uint64_t version, uint64_t instance,
                    void** here, uint64_t count, void* data) {
  const int is_hip = type == ROCPROFILER_HIP_RUNTIME_TABLE;
  int (*const malloc_function)(void**, size_t) = Malloc;
  int (*const push_function)(const char*) = Push;
  void* ours = NULL;
  (void)data;
  if (count != 1 || instance != 0) return;
  ++tables[is_hip];
  versions[is_hip] = version;
  if (is_hip) {
    memcpy(&ours, &malloc_function, sizeof ours);
    Replace(here[0], ROCPROFILER_HIP_RUNTIME_API_ID_hipMalloc, ours, &next_malloc);
  } else {
    memcpy(&ours, &push_function, sizeof ours);
    Replace(here[0], ROCPROFILER_MARKER_CORE_API_ID_roctxRangePushA, ours, &next_push);
  }
}

static int Initialize(rocprofiler_client_finalize_t finalize, void* data) {
  (void)finalize, (void)data;
  return rocprofiler_at_intercept_table_registration(
             OnTable, ROCPROFILER_HIP_RUNTIME_TABLE | ROCPROFILER_MARKER_CORE_TABLE, NULL) !=
         ROCPROFILER_STATUS_SUCCESS;
}

static void Finalize(void* data) {
  (void)data;
  fprintf(stderr,
          "HIP: %u tables, version %lu, hipMalloc %u; ROCTx: %u tables, version %lu, push %u\n",
          tables[1], versions[1], mallocs, tables[0], versions[0], pushes);
}

ROCPROFILER_PUBLIC_API rocprofiler_tool_configure_result_t* rocprofiler_configure(
    uint32_t version, const char* text, uint32_t priority, rocprofiler_client_id_t* client) {
  static rocprofiler_tool_configure_result_t result = {sizeof result, Initialize, Finalize, NULL};
  (void)version, (void)text, (void)priority;
  client->name = "table_tool";
  return &result;
}
