// SPDX-License-Identifier: MIT
#include "libraries/roctx/offer.h"

#include <dlfcn.h>
#include <limits.h>
#include <sys/auxv.h>

#include "base/environment.h"
#include "base/library_beside.h"

namespace rtl {
namespace {

constexpr char kName[] = "roctx";
constexpr char kFunction[] = "rocprofiler_set_api_table";
constexpr char kLibrary[] = "librocprofiler-sdk.so.1";
constexpr char kRegister[] = "librocprofiler-register.so.0";

using SetApiTable = int (*)(const char* name, uint64_t version, uint64_t instance, void** tables,
                            uint64_t count);
struct RegisterId {
  uint64_t handle;
};
using RegisterTable = int (*)(const char* name, uint32_t (*version)(), uint32_t library_version,
                              void** tables, uint64_t count, RegisterId* id);

uint32_t Version() { return kRoctxVersion; }

template <typename Function>
Function Symbol(void* library, const char* name) {
  return library == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library, name));
}

bool IsSet(const char* variable) {
  const char* const value = EnvironmentValue(variable);
  return value != nullptr && *value != '\0';
}

void* LoadBesideThisLibrary() {
  char path[PATH_MAX];
  const auto here = reinterpret_cast<const void*>(&OfferTables);
  if (!PathBeside(here, kLibrary, path, sizeof path)) return nullptr;
  return dlopen(path, RTLD_LAZY | RTLD_GLOBAL);
}

// If tools are named, AMD's librocprofiler-register ends the process when it finds no library for
// them, neither by this name nor by its function. Returns true if it will find one.
bool RegisterFindsLibrary() {
  if (!IsSet("ROCP_TOOL_LIBRARIES") || IsSet("ROCPROFILER_REGISTER_LIBRARY")) return true;
  if (getauxval(AT_SECURE) != 0 || dlsym(RTLD_DEFAULT, kFunction) != nullptr) return true;
  return dlopen("librocprofiler-sdk.so", RTLD_LAZY | RTLD_LOCAL) != nullptr ||
         LoadBesideThisLibrary() != nullptr;
}

// False if librocprofiler-register is missing, or if it has no library to which it could pass the
// tables.
bool OfferToRegister(void** tables, uint64_t count) {
  void* const library = dlopen(kRegister, RTLD_NOW | RTLD_NOLOAD);
  const auto offer = Symbol<RegisterTable>(library, "rocprofiler_register_library_api_table");
  if (offer == nullptr || !RegisterFindsLibrary()) return false;
  RegisterId id = {};
  return offer(kName, Version, kRoctxVersion, tables, count, &id) == 0;
}

SetApiTable FindByEnvironment() {
  if (getauxval(AT_SECURE) != 0) return nullptr;
  if (const char* const path = EnvironmentValue("ROCPROFILER_REGISTER_LIBRARY");
      path != nullptr && *path != '\0')
    return Symbol<SetApiTable>(dlopen(path, RTLD_LAZY | RTLD_GLOBAL), kFunction);
  if (!IsSet("ROCP_TOOL_LIBRARIES") && dlsym(RTLD_DEFAULT, "rocprofiler_configure") == nullptr)
    return nullptr;
  return Symbol<SetApiTable>(LoadBesideThisLibrary(), kFunction);
}

}  // namespace

// A library may get the same tables twice; it recognises them.
void OfferTables(void** tables, uint64_t count) {
  const bool taken = OfferToRegister(tables, count);
  const auto loaded = Symbol<SetApiTable>(dlopen(kLibrary, RTLD_LAZY | RTLD_NOLOAD), kFunction);
  auto found = reinterpret_cast<SetApiTable>(dlsym(RTLD_DEFAULT, kFunction));
  if (!taken && found == nullptr && loaded == nullptr) found = FindByEnvironment();
  // On a nonzero result the tables are rejected and unchanged.
  if (!taken && found != nullptr) (void)found(kName, kRoctxVersion, 0, tables, count);
  if (loaded != nullptr && loaded != found) (void)loaded(kName, kRoctxVersion, 0, tables, count);
}

}  // namespace rtl
