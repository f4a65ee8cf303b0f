// SPDX-License-Identifier: MIT
// A library that looks like a tool of rocprofiler-sdk and wants nothing.
#include <stddef.h>
#include <stdint.h>

__attribute__((visibility("default"))) void* rocprofiler_configure(uint32_t version,
                                                                   const char* runtime,
                                                                   uint32_t priority, void* id) {
  (void)version, (void)runtime, (void)priority, (void)id;
  return NULL;
}
