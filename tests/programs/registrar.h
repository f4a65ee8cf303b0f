// SPDX-License-Identifier: MIT
// registrar.h: registers a table as a runtime built with rocprofiler-register does: with
// librocprofiler-register where it is installed, otherwise by calling the library that it would
// have found.
#pragma once

#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>

namespace programs {

inline constexpr uint32_t kRegisteredVersion = 1'18'00;
inline constexpr int kNobodyThere = -1;

inline int AskDirectly(const char* library, uint32_t version, void** tables) {
  using SetApiTable =
      int (*)(const char* name, uint64_t version, uint64_t instance, void** tables, uint64_t count);
  const char* const name = std::getenv("ROCPROFILER_REGISTER_LIBRARY");
  void* const tool = name == nullptr ? RTLD_DEFAULT : dlopen(name, RTLD_LAZY | RTLD_GLOBAL);
  const auto set = reinterpret_cast<SetApiTable>(dlsym(tool, "rocprofiler_set_api_table"));
  return set == nullptr ? kNobodyThere : set(library, version, 0, tables, 1);
}

// True where the runtime does it, as AMD's builds do: it has loaded that library before us.
inline bool RuntimeRegisters() {
  return dlopen("librocprofiler-register.so.0", RTLD_NOW | RTLD_NOLOAD) != nullptr;
}

struct Registered {
  const char* how;
  int code;  // zero: taken
};

inline Registered RegisterTable(const char* library, uint32_t (*import)(), uint32_t version,
                                void* table) {
  using Register = int (*)(const char* name, uint32_t (*import)(), uint32_t version, void** tables,
                           uint64_t count, uint64_t* id);
  void* tables[] = {table};
  void* const registrar = dlopen("librocprofiler-register.so.0", RTLD_NOW);
  if (registrar == nullptr)
    return {"rocprofiler_set_api_table", AskDirectly(library, version, tables)};
  const auto add =
      reinterpret_cast<Register>(dlsym(registrar, "rocprofiler_register_library_api_table"));
  uint64_t id = 0;
  return {"librocprofiler-register",
          add == nullptr ? kNobodyThere : add(library, import, version, tables, 1, &id)};
}

}  // namespace programs
