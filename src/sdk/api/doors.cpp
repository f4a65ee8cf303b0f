// SPDX-License-Identifier: MIT
// How the runtimes find the library: HSA_TOOLS_LIB, and librocprofiler-register.
//
// Nothing here returns a failure: the runtime answers `false` from OnLoad with dlclose, and other
// threads may already be inside us.
#include <pthread.h>
#include <string.h>

#include "capture/engines/other_engines.h"
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
  if (Library* const library = Library::Get(); library != nullptr)
    library->OnTables("hsa", 0, 0, &table, 1, Session::Door::kToolsLib);
  return true;
}

RTL_EXPORT void OnUnload() {
  if (Library* const library = Library::Get(); library != nullptr) library->OnRuntimeGone();
}

// The other library's engine introduces itself, and meets ours.
RTL_EXPORT const rtl::capture::EngineLink* rtl_engine_link(const rtl::capture::EngineLink* other) {
  return rtl::capture::OtherEngines::Exchange(other);
}

// librtl_hip.so's question at its first call.
RTL_EXPORT const rtl::capture::PreloadDoor* rtl_hip_door(uint32_t version, const char* const* calls,
                                                         size_t count) {
  Library* const library = Library::Get();
  if (library == nullptr || version != rtl::capture::kPreloadDoorVersion) return nullptr;
  return library->OnHipPreload({calls, count});
}

// Not zero: it is no library that we know, and its tables are as they were.
RTL_EXPORT int rocprofiler_set_api_table(const char* name, uint64_t version, uint64_t instance,
                                         void** tables, uint64_t count) {
  Library* const library = Library::Get();
  if (library == nullptr || name == nullptr || tables == nullptr || count == 0) return 1;
  if (strcmp(name, "hip_tools") == 0) return 0;  // of no service
  if (rtl::sdk::InterceptTables::TableOf(name, 0) == 0) return 1;
  library->OnTables(name, version, instance, tables, count, Session::Door::kRegister);
  return 0;
}

}  // extern "C"
