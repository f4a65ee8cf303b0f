// SPDX-License-Identifier: MIT
// Another implementation of rocprofiler_set_api_table, which prints its arguments.
#include <cstdint>
#include <cstdio>

extern "C" __attribute__((visibility("default"))) int rocprofiler_set_api_table(
    const char* name, uint64_t version, uint64_t instance, void** tables, uint64_t count) {
  std::fprintf(stderr, "chain: %s, version %llu, instance %llu, %llu table%s\n", name,
               static_cast<unsigned long long>(version), static_cast<unsigned long long>(instance),
               static_cast<unsigned long long>(count), tables[0] == nullptr ? ", null" : "");
  return 0;
}
