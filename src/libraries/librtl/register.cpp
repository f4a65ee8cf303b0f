// SPDX-License-Identifier: MIT
#include "libraries/librtl/register.h"

#include <dlfcn.h>
#include <string.h>

#include "base/environment.h"
#include "base/log.h"

namespace rtl {
namespace {

constexpr int kTaken = 0;
constexpr int kRefused = 1;

// The libraries whose tables are accepted. Wrappers are put into the tables only if the calls are
// recorded.
constexpr const char* kLeftAlone[] = {"hip",  "hip_compiler", "hip_tools", "roctx",
                                      "rccl", "rocdecode",    "rocjpeg"};

bool IsLeftAlone(const char* name) {
  for (const char* known : kLeftAlone) {
    if (strcmp(name, known) == 0) return true;
  }
  return false;
}

// The function in the library that RTL_REGISTER_CHAIN names. Null if no library is named, or if it
// has no such function; the second case is reported once.
SetApiTable NextInChain() {
  const char* const path = EnvironmentValue("RTL_REGISTER_CHAIN");
  if (path == nullptr || *path == '\0') return nullptr;
  void* const library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  const char* why = library == nullptr ? dlerror() : "it has no rocprofiler_set_api_table";
  void* const function = library == nullptr ? nullptr : dlsym(library, "rocprofiler_set_api_table");
  if (function == nullptr) {
    static bool said = false;
    if (!said) Warn("RTL_REGISTER_CHAIN=%.200s gets no tables: %s", path, why);
    said = true;
  }
  return reinterpret_cast<SetApiTable>(function);
}

}  // namespace

int TakeApiTable(capture::Session* session, const capture::CallSources& sources, const char* name,
                 uint64_t version, uint64_t instance, void** tables, uint64_t count, bool* traced) {
  *traced = false;
  if (name == nullptr || tables == nullptr || count == 0 || tables[0] == nullptr) return kRefused;
  int answer = IsLeftAlone(name) ? kTaken : kRefused;
  if (strcmp(name, "hsa") == 0 && session != nullptr &&
      session->OnLoad(tables[0], capture::Session::LoadedBy::kRegister)) {
    *traced = true;
    answer = kTaken;
  }
  // A table of HIP is accepted even if its calls are not recorded, because rocprofiler-register
  // offers it to no other library.
  if (sources.hip != nullptr && capture::HipTables::IsOne(name))
    (void)sources.hip->OpenTable(name, version, tables[0]);
  if (sources.rccl != nullptr && strcmp(name, "rccl") == 0)
    (void)sources.rccl->OpenTable(tables[0]);
  if (session != nullptr && IsLeftAlone(name)) session->NoteTables(name, version, instance);
  const SetApiTable next = NextInChain();
  if (next == nullptr) return answer;
  const int theirs = next(name, version, instance, tables, count);
  return answer == kTaken ? kTaken : theirs;
}

}  // namespace rtl
