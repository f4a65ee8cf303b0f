// SPDX-License-Identifier: MIT
// A tool for HSA_TOOLS_LIB that does what a runtime built with rocprofiler-register does by itself:
// it registers the runtime's table. Of a runtime that does so it leaves the table alone. It prints the result on stderr. REGISTRAR_ALSO in the
// environment: the name of another library whose table is registered in the same way.
#include <cstdio>

#include "registrar.h"

using namespace programs;

namespace {

// A table under the name of an unknown library.
struct OtherTable {
  uint64_t size = sizeof(OtherTable);
  void* function = nullptr;
};

void RegisterAnother() {
  const char* const name = std::getenv("REGISTRAR_ALSO");
  if (name == nullptr) return;
  OtherTable table;
  void* tables[] = {&table};
  const int code = AskDirectly(name, kRegisteredVersion, tables);
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
  if (RuntimeRegisters()) return true;
  const Registered registered =
      RegisterTable("hsa", rocprofiler_register_import_hsa, kRegisteredVersion, table);
  std::fprintf(stderr, "registrar: %s: %d\n", registered.how, registered.code);
  return true;
}

__attribute__((visibility("default"))) void OnUnload() {}

}  // extern "C"
