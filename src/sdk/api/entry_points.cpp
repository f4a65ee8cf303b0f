// SPDX-License-Identifier: MIT
// The functions by which the runtimes call librocprofiler-sdk.so.1: through HSA_TOOLS_LIB, and
// through librocprofiler-register. `rtl_tools_X` implements the function X of that library
// (src/libraries/shell).
//
// No function here returns a failure: the runtime calls dlclose when OnLoad returns `false`, and
// other threads may already be inside the library.
#include <string.h>

#include "sdk/library.h"

using rtl::capture::Session;
using rtl::sdk::Library;

extern "C" {

bool rtl_tools_OnLoad(void* table, uint64_t, uint64_t, const char* const*) {
  if (Library* const library = Library::Get(); library != nullptr)
    library->OnTables("hsa", 0, 0, &table, 1, Session::LoadedBy::kToolsLib);
  return true;
}

void rtl_tools_OnUnload() {
  if (Library* const library = Library::Get(); library != nullptr) library->OnRuntimeGone();
}

// librtl_hip.so calls this at the first HIP call.
const rtl::capture::HipCallHooks* rtl_tools_hip_hooks(uint32_t version, const char* const* calls,
                                                      size_t count, const void* in_hip) {
  Library* const library = Library::Get();
  if (library == nullptr || version != rtl::capture::kHipCallHooksVersion) return nullptr;
  return library->OnHipPreload({calls, count, in_hip});
}

// librtl_rccl.so calls this at the first RCCL call.
const rtl::capture::RcclCallHooks* rtl_tools_rccl_hooks(uint32_t version) {
  Library* const library = Library::Get();
  if (library == nullptr || version != rtl::capture::kRcclCallHooksVersion) return nullptr;
  return library->OnRcclPreload();
}

// An OpenMP runtime calls this if it finds the library preloaded or in OMP_TOOL_LIBRARIES.
ompt_start_tool_result_t* rtl_tools_ompt_start_tool(unsigned int, const char*) {
  Library* const library = Library::Get();
  return library == nullptr ? nullptr : library->OnOpenMp();
}

// Nonzero if the registering library is unknown; its tables are then unchanged.
int rtl_tools_rocprofiler_set_api_table(const char* name, uint64_t version, uint64_t instance,
                                        void** tables, uint64_t count) {
  Library* const library = Library::Get();
  if (library == nullptr || name == nullptr || tables == nullptr || count == 0) return 1;
  if (strcmp(name, "hip_tools") == 0) return 0;  // no service uses this table
  if (rtl::sdk::InterceptTables::TableOf(name, 0) == 0) return 1;
  library->OnTables(name, version, instance, tables, count, Session::LoadedBy::kRegister);
  return 0;
}

}  // extern "C"
