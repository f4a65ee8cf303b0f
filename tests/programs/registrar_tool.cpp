// SPDX-License-Identifier: MIT
// A tool for HSA_TOOLS_LIB that does what a runtime built with rocprofiler-register does by itself:
// it registers the runtime's table. With librocprofiler-register where there is one, else by asking
// the library that it would have found. What came of it is a line on stderr. REGISTRAR_ALSO in the
// environment: the name of another library whose table is registered in the same way.
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

using Register = int (*)(const char* name, uint32_t (*import)(), uint32_t version, void** tables,
                         uint64_t count, uint64_t* id);
using SetApiTable = int (*)(const char* name, uint64_t version, uint64_t instance, void** tables,
                            uint64_t count);
constexpr uint32_t kVersion = 1'18'00;

// A table as that of a library nobody knows.
struct OtherTable {
  uint64_t size = sizeof(OtherTable);
  void* function = nullptr;
};

int AskDirectly(const char* library, void** tables) {
  const char* name = std::getenv("ROCPROFILER_REGISTER_LIBRARY");
  void* const tool = name == nullptr ? RTLD_DEFAULT : dlopen(name, RTLD_LAZY | RTLD_GLOBAL);
  const auto set = reinterpret_cast<SetApiTable>(dlsym(tool, "rocprofiler_set_api_table"));
  return set == nullptr ? -1 : set(library, kVersion, 0, tables, 1);
}

void RegisterAnother() {
  const char* const name = std::getenv("REGISTRAR_ALSO");
  if (name == nullptr) return;
  OtherTable table;
  void* tables[] = {&table};
  const int code = AskDirectly(name, tables);
  const bool untouched = table.size == sizeof(table) && table.function == nullptr;
  std::fprintf(stderr, "registrar: %s: %s, table %s\n", name, code == 0 ? "taken" : "refused",
               untouched ? "untouched" : "changed");
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) uint32_t rocprofiler_register_import_hsa() { return 1; }

__attribute__((visibility("default"))) bool OnLoad(void* table, uint64_t, uint64_t,
                                                   const char* const*) {
  RegisterAnother();
  void* tables[] = {table};
  if (void* library = dlopen("librocprofiler-register.so.0", RTLD_NOW)) {
    const auto reg =
        reinterpret_cast<Register>(dlsym(library, "rocprofiler_register_library_api_table"));
    uint64_t id = 0;
    const int code = reg == nullptr
                         ? -1
                         : reg("hsa", rocprofiler_register_import_hsa, kVersion, tables, 1, &id);
    std::fprintf(stderr, "registrar: librocprofiler-register: %d\n", code);
    return true;
  }
  std::fprintf(stderr, "registrar: %s: %d\n", "rocprofiler_set_api_table",
               AskDirectly("hsa", tables));
  return true;
}

__attribute__((visibility("default"))) void OnUnload() {}

}  // extern "C"
