// SPDX-License-Identifier: MIT
// How the runtimes find the library: HSA_TOOLS_LIB, and librocprofiler-register.
//
// Nothing here returns a failure: the runtime answers `false` from OnLoad with dlclose, and other
// threads may already be inside us.
#include <pthread.h>
#include <string.h>

#include "sdk/library.h"

#define RTL_EXPORT __attribute__((visibility("default")))

using rtl::capture::Session;
using rtl::sdk::Library;

namespace {

void ForkedInChild() {
  if (Library* const library = Library::Get(); library != nullptr) library->ForkedInChild();
}

__attribute__((constructor)) void MakeLibrary() {
  Library::Make();
  (void)pthread_atfork(nullptr, nullptr, ForkedInChild);  // refused: a child's events are kept, too
}

}  // namespace

extern "C" {

RTL_EXPORT bool OnLoad(void* table, uint64_t, uint64_t, const char* const*) {
  // False: nothing is traced; the runtime need not know.
  if (Library* const library = Library::Get(); library != nullptr)
    (void)library->OnRuntime(table, Session::Door::kToolsLib);
  return true;
}

RTL_EXPORT void OnUnload() {
  if (Library* const library = Library::Get(); library != nullptr) library->OnRuntimeGone();
}

// Other tables than that of HSA stay as they are.
RTL_EXPORT int rocprofiler_set_api_table(const char* name, uint64_t, uint64_t, void** tables,
                                         uint64_t count) {
  static constexpr const char* kKnown[] = {"hsa",   "hip",  "hip_compiler", "hip_tools",
                                           "roctx", "rccl", "rocdecode",    "rocjpeg"};
  Library* const library = Library::Get();
  if (library == nullptr || name == nullptr || tables == nullptr || count == 0) return 1;
  bool known = false;
  for (const char* const each : kKnown) known = known || strcmp(each, name) == 0;
  if (!known) return 1;
  // False: nothing is traced; the table is as it was.
  if (strcmp(name, "hsa") == 0) (void)library->OnRuntime(tables[0], Session::Door::kRegister);
  return 0;
}

}  // extern "C"
