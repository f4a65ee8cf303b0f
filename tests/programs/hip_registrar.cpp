// SPDX-License-Identifier: MIT
// For LD_PRELOAD: registers the dispatch tables of HIP as a HIP built with rocprofiler-register
// does, before the program's first call of it. The tables are HIP's own, found in its memory by
// their size and their number of functions. HIP_TABLE_BYTES in the environment is written into a
// table as its size first. A HIP that registers them itself is left alone. Prints a line on stderr when a library received the tables and refused
// one.
#include <limits.h>
#include <link.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "registrar.h"

using namespace programs;

namespace {

struct Hip {
  uint32_t version = 0;  // as HIP gives it: 70200 is 7.2
  uintptr_t code_begin = 0, code_end = 0;
  uintptr_t data_begin = 0, data_end = 0;
};

int FindHip(dl_phdr_info* info, size_t, void* found) {
  if (std::strstr(info->dlpi_name, "libamdhip64.so") == nullptr) return 0;
  auto* const hip = static_cast<Hip*>(found);
  char file[PATH_MAX] = {};
  unsigned major = 0;
  unsigned minor = 0;
  if (realpath(info->dlpi_name, file) != nullptr &&
      std::sscanf(std::strstr(file, ".so"), ".so.%u.%u", &major, &minor) == 2)
    hip->version = major * 10000 + minor * 100;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    if (part.p_type != PT_LOAD) continue;
    const uintptr_t begin = info->dlpi_addr + part.p_vaddr;
    if ((part.p_flags & PF_X) != 0) {
      hip->code_begin = begin;
      hip->code_end = begin + part.p_memsz;
    } else if ((part.p_flags & PF_W) != 0) {
      hip->data_begin = (begin + 7) & ~uintptr_t{7};
      hip->data_end = begin + part.p_memsz;
    }
  }
  return 1;
}

// A size and exactly that many functions of HIP; a few are declared only.
bool IsTable(const Hip& hip, const uint64_t* at, uint64_t functions) {
  if (reinterpret_cast<uintptr_t>(at + 1 + functions) > hip.data_end) return false;
  constexpr uint64_t kMostMissing = 16;
  uint64_t missing = 0;
  for (uint64_t i = 1; i <= functions; ++i) {
    if (at[i] == 0 && ++missing <= kMostMissing && functions > kMostMissing) continue;
    if (at[i] < hip.code_begin || at[i] >= hip.code_end) return false;
  }
  return true;
}

void* FindTable(const Hip& hip, uint64_t fewest, uint64_t most) {
  for (uintptr_t at = hip.data_begin; at + 8 <= hip.data_end; at += 8) {
    auto* const words = reinterpret_cast<uint64_t*>(at);
    const uint64_t functions = words[0] / 8 - 1;
    if (words[0] % 8 != 0 || functions < fewest || functions > most) continue;
    if (IsTable(hip, words, functions)) return words;
  }
  return nullptr;
}

bool Register(const char* name, uint32_t (*import)(), uint32_t version, void* table) {
  if (table == nullptr) return false;
  return RegisterTable(name, import, version, table).code == 0;
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) uint32_t rocprofiler_register_import_hip() { return 1; }
__attribute__((visibility("default"))) uint32_t rocprofiler_register_import_hip_compiler() {
  return 1;
}

// The first function of HIP that a program calls, before its main().
__attribute__((visibility("default"))) void** __hipRegisterFatBinary(const void* code) {
  static const auto real =
      reinterpret_cast<void** (*)(const void*)>(dlsym(RTLD_NEXT, "__hipRegisterFatBinary"));
  static bool registered = false;
  if (registered || RuntimeRegisters()) return real(code);
  registered = true;
  // Tables are filled in when they are first used.
  const auto forget =
      reinterpret_cast<void (*)(void**)>(dlsym(RTLD_NEXT, "__hipUnregisterFatBinary"));
  forget(real(code));
  const auto name_of = reinterpret_cast<const char* (*)(uint32_t)>(dlsym(RTLD_NEXT, "hipApiName"));
  if (name_of != nullptr) (void)name_of(1);
  Hip hip;
  if (dl_iterate_phdr(FindHip, &hip) == 0) return real(code);
  void* const table = FindTable(hip, 442, 1024);
  if (const char* const size = std::getenv("HIP_TABLE_BYTES"); size != nullptr && table != nullptr)
    *static_cast<uint64_t*>(table) = std::strtoull(size, nullptr, 10);
  const bool compiler = Register("hip_compiler", rocprofiler_register_import_hip_compiler,
                                 hip.version, FindTable(hip, 9, 9));
  const bool runtime = Register("hip", rocprofiler_register_import_hip, hip.version, table);
  if (std::getenv("ROCPROFILER_REGISTER_LIBRARY") != nullptr && !(compiler && runtime)) {
    std::fprintf(stderr, "hip_registrar: hip %s, hip_compiler %s\n", runtime ? "taken" : "refused",
                 compiler ? "taken" : "refused");
  }
  return real(code);
}

}  // extern "C"
