// SPDX-License-Identifier: MIT
// Built without sanitizers: their runtimes look functions up before they work themselves.
#include "libraries/hip/lookups.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

#include <atomic>

#include "base/environment.h"
#include "capture/hip/hip_library.h"

// What RTLD_NEXT and RTLD_DEFAULT mean depends on the return address. So these two are no functions
// of C++: they jump to the next dlsym with the caller's stack as it was.
//
//   rtl_hip_dlsym(handle, name, caller) -> rax: the function to go on with, or null
//                                          rdx: the answer then
__asm__(
    ".text\n"
    ".globl dlsym\n.type dlsym, @function\n.balign 16\n"
    "dlsym:\n"
    "  .cfi_startproc\n"
    "  endbr64\n"
    "  pushq %rdi\n  .cfi_adjust_cfa_offset 8\n"
    "  pushq %rsi\n  .cfi_adjust_cfa_offset 8\n"
    "  subq $8, %rsp\n  .cfi_adjust_cfa_offset 8\n"
    "  movq 24(%rsp), %rdx\n"
    "  call rtl_hip_dlsym\n"
    "  addq $8, %rsp\n  .cfi_adjust_cfa_offset -8\n"
    "  popq %rsi\n  .cfi_adjust_cfa_offset -8\n"
    "  popq %rdi\n  .cfi_adjust_cfa_offset -8\n"
    "  testq %rax, %rax\n"
    "  je 1f\n"
    "  jmp *%rax\n"
    "1: movq %rdx, %rax\n"
    "  ret\n"
    "  .cfi_endproc\n"
    ".size dlsym, .-dlsym\n"
    ".globl dlvsym\n.type dlvsym, @function\n.balign 16\n"
    "dlvsym:\n"
    "  .cfi_startproc\n"
    "  endbr64\n"
    "  pushq %rdi\n  .cfi_adjust_cfa_offset 8\n"
    "  pushq %rsi\n  .cfi_adjust_cfa_offset 8\n"
    "  pushq %rdx\n  .cfi_adjust_cfa_offset 8\n"
    "  movq 24(%rsp), %rcx\n"
    "  call rtl_hip_dlvsym\n"
    "  movq %rdx, %r11\n"
    "  popq %rdx\n  .cfi_adjust_cfa_offset -8\n"
    "  popq %rsi\n  .cfi_adjust_cfa_offset -8\n"
    "  popq %rdi\n  .cfi_adjust_cfa_offset -8\n"
    "  testq %rax, %rax\n"
    "  je 1f\n"
    "  jmp *%rax\n"
    "1: movq %r11, %rax\n"
    "  ret\n"
    "  .cfi_endproc\n"
    ".size dlvsym, .-dlvsym\n"
    ".globl dlmopen\n.type dlmopen, @function\n.balign 16\n"
    "dlmopen:\n"
    "  .cfi_startproc\n"
    "  endbr64\n"
    "  pushq %rdi\n  .cfi_adjust_cfa_offset 8\n"
    "  pushq %rsi\n  .cfi_adjust_cfa_offset 8\n"
    "  pushq %rdx\n  .cfi_adjust_cfa_offset 8\n"
    "  call rtl_hip_dlmopen\n"
    "  popq %rdx\n  .cfi_adjust_cfa_offset -8\n"
    "  popq %rsi\n  .cfi_adjust_cfa_offset -8\n"
    "  popq %rdi\n  .cfi_adjust_cfa_offset -8\n"
    "  testq %rax, %rax\n"
    "  je 1f\n"
    "  jmp *%rax\n"
    "1: ret\n"
    "  .cfi_endproc\n"
    ".size dlmopen, .-dlmopen\n");

namespace rtl::hip_preload {
namespace {

using Dlsym = void* (*)(void* handle, const char* name);
using Dlvsym = void* (*)(void* handle, const char* name, const char* version);

struct Answer {
  void* go_on;
  void* found;
};

// The next dlsym behind this library's: libc's, or that of another library before it.
std::atomic<Dlsym> next_dlsym{nullptr};
std::atomic<Dlvsym> next_dlvsym{nullptr};

bool IsSame(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) ++a, ++b;
  return *a == *b;
}

// A loaded library's tables of symbols.
struct Symbols {
  const ElfW(Sym) * list = nullptr;
  const char* names = nullptr;
  const uint32_t* hashes = nullptr;  // DT_GNU_HASH

  explicit Symbols(const link_map& map) {
    for (const ElfW(Dyn)* each = map.l_ld; each->d_tag != DT_NULL; ++each) {
      // The loader has turned these into addresses.
      const void* const at = reinterpret_cast<const void*>(each->d_un.d_ptr);
      if (each->d_tag == DT_SYMTAB) list = static_cast<const ElfW(Sym)*>(at);
      if (each->d_tag == DT_STRTAB) names = static_cast<const char*>(at);
      if (each->d_tag == DT_GNU_HASH) hashes = static_cast<const uint32_t*>(at);
    }
  }

  uint64_t ValueOf(const char* name) const {
    if (list == nullptr || names == nullptr || hashes == nullptr) return 0;
    uint32_t hash = 5381;
    for (const char* at = name; *at != '\0'; ++at) hash = hash * 33 + static_cast<uint8_t>(*at);
    const uint32_t buckets = hashes[0], first = hashes[1], words = hashes[2];
    const uint32_t* const bucket = hashes + 4 + 2 * words;
    const uint32_t* const chain = bucket + buckets;
    uint32_t index = buckets == 0 ? 0 : bucket[hash % buckets];
    if (index < first) return 0;
    for (;; ++index) {
      const uint32_t there = chain[index - first];
      if ((there | 1) == (hash | 1) && IsSame(names + list[index].st_name, name) &&
          list[index].st_shndx != SHN_UNDEF)
        return list[index].st_value;
      if ((there & 1) != 0) return 0;
    }
  }
};

// libc's function; before 2.34 that of libdl. Read from the loader's list, without any function.
void* Libc(const char* name) {
  for (const link_map* map = _r_debug.r_map; map != nullptr; map = map->l_next) {
    const char* file = map->l_name;
    for (const char* at = file; *at != '\0'; ++at) {
      if (*at == '/') file = at + 1;
    }
    if (!IsSame(file, "libc.so.6") && !IsSame(file, "libdl.so.2")) continue;
    const uint64_t value = Symbols(*map).ValueOf(name);
    if (value != 0) return reinterpret_cast<void*>(map->l_addr + value);
  }
  return nullptr;
}

Dlsym NextDlsym() {
  Dlsym next = next_dlsym.load(std::memory_order_relaxed);
  if (next != nullptr) [[likely]]
    return next;
  const auto libc = reinterpret_cast<Dlsym>(Libc("dlsym"));
  if (libc == nullptr) return nullptr;
  void* const found = libc(RTLD_NEXT, "dlsym");  // as seen from this library
  next = found == nullptr ? libc : reinterpret_cast<Dlsym>(found);
  next_dlsym.store(next, std::memory_order_relaxed);
  return next;
}

Dlvsym NextDlvsym() {
  Dlvsym next = next_dlvsym.load(std::memory_order_relaxed);
  if (next != nullptr) return next;
  const Dlsym dlsym_there = NextDlsym();
  if (dlsym_there == nullptr) return nullptr;
  next = reinterpret_cast<Dlvsym>(dlsym_there(RTLD_NEXT, "dlvsym"));
  next_dlvsym.store(next, std::memory_order_relaxed);
  return next;
}

// "hip…", "__hip…", and what C++ makes of these: "_Z22hip…". Other names go on without a look at
// the table: a sanitizer looks its functions up before the code of this library may run.
bool MayBeHips(const char* name) {
  if (name == nullptr) return false;
  if (name[0] == '_' && name[1] == '_') {
    name += 2;
  } else if (name[0] == '_' && name[1] == 'Z') {
    for (name += 2; *name >= '0' && *name <= '9';) ++name;
  }
  return name[0] == 'h' && name[1] == 'i' && name[2] == 'p';
}

// The library that has this code, by the name that the loader knows: "" for the program itself.
// Null: it is in no library.
const char* FileOf(const void* code) {
  Dl_info info = {};
  void* map = nullptr;
  if (dladdr1(code, &info, &map, RTLD_DL_LINKMAP) == 0 || map == nullptr) return nullptr;
  return static_cast<const link_map*>(map)->l_name;
}

// The tracer's own libraries get HIP's own functions.
bool IsOurs(const void* caller) {
  const char* const path = FileOf(caller);
  if (path == nullptr) return false;
  const char* const slash = strrchr(path, '/');
  const char* const file = slash == nullptr ? path : slash + 1;
  return strncmp(file, "librtl", 6) == 0 || strncmp(file, "librocprofiler-sdk.so", 21) == 0;
}

// The function of the HIP in this process; null: there is none.
void* HipsFunction(const char* name) {
  capture::HipLibrary library;
  return library.Find() ? library.Symbol(name) : nullptr;
}

// The text of a variable is shared by all namespaces, each of which has a C library of its own.
void EndRegistration() {
  const char* const library = EnvironmentValue("ROCPROFILER_REGISTER_LIBRARY");
  const char* const slash = library == nullptr ? nullptr : strrchr(library, '/');
  if (slash != nullptr && strcmp(slash + 1, "librtl.so") == 0) *const_cast<char*>(library) = '\0';
}

// What the global scope has behind this library; null: nothing.
void* Behind(Dlsym next, const char* name) { return next(RTLD_NEXT, name); }

// The result of a search in the caller's library and in those that it needs.
template <typename Search>
void* SeenFrom(const void* caller, Search search) {
  const char* const path = FileOf(caller);
  if (path == nullptr) return nullptr;
  void* const library = dlopen(*path == '\0' ? nullptr : path, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  void* const found = search(library);
  (void)dlclose(library);  // drops the reference that dlopen added
  return found;
}

// A lookup has found our function because this library is preloaded. Null, with the loader's
// reason, where it finds nothing without it.
Answer OursIfThere(Dlsym next, const char* name) {
  if (Behind(next, name) != nullptr) return {nullptr, WrapperOf(name)};
  return {nullptr, Behind(next, name)};  // once more: other lookups have changed the reason
}

}  // namespace

void* WrapperFor(const char* symbol, void* function) {
  void* const ours = WrapperOf(symbol);
  return ours != nullptr && function != nullptr && function == HipsFunction(symbol) ? ours
                                                                                    : function;
}

extern "C" {

__attribute__((used, visibility("hidden"))) Answer rtl_hip_dlsym(void* handle, const char* name,
                                                                 const void* caller) {
  const Dlsym next = NextDlsym();
  const Answer untraced = {reinterpret_cast<void*>(next), nullptr};
  if (next == nullptr || !MayBeHips(name) || IsOurs(caller) || WrapperOf(name) == nullptr)
    return untraced;
  void* const ours = WrapperOf(name);
  void* const hips = HipsFunction(name);
  if (handle == RTLD_NEXT || handle == RTLD_DEFAULT) {
    void* const seen = SeenFrom(caller, [&](void* library) { return next(library, name); });
    // A library that has a function of this name itself wants another one. The program's next one
    // is this library's.
    if (seen != nullptr && seen == hips) return {nullptr, ours};
    if (handle == RTLD_DEFAULT) {
      return next(handle, name) == ours ? OursIfThere(next, name) : untraced;
    }
    return seen == ours ? OursIfThere(next, name) : untraced;
  }
  void* const found = next(handle, name);
  if (found == nullptr) return {nullptr, nullptr};  // with the loader's reason
  if (found == ours) return OursIfThere(next, name);
  return found == hips ? Answer{nullptr, ours} : untraced;
}

__attribute__((used, visibility("hidden"))) Answer rtl_hip_dlvsym(void* handle, const char* name,
                                                                  const char* version,
                                                                  const void* caller) {
  const Dlvsym next = NextDlvsym();
  const Answer untraced = {reinterpret_cast<void*>(next), nullptr};
  if (next == nullptr || !MayBeHips(name) || IsOurs(caller) || WrapperOf(name) == nullptr)
    return untraced;
  void* const hips = HipsFunction(name);
  if (handle == RTLD_NEXT || handle == RTLD_DEFAULT) {
    void* seen = SeenFrom(caller, [&](void* library) { return next(library, name, version); });
    // This library's functions have no version, so the global scope's answer is not ours.
    if (seen == nullptr && handle == RTLD_DEFAULT) seen = next(handle, name, version);
    return seen != nullptr && seen == hips ? Answer{nullptr, WrapperOf(name)} : untraced;
  }
  void* const found = next(handle, name, version);
  if (found == nullptr) return {nullptr, nullptr};
  return found == hips ? Answer{nullptr, WrapperOf(name)} : untraced;
}

// The next dlmopen, for a namespace.
__attribute__((used, visibility("hidden"))) void* rtl_hip_dlmopen(Lmid_t where) {
  const Dlsym next = NextDlsym();
  if (next == nullptr) return nullptr;
  if (where != LM_ID_BASE) EndRegistration();
  return next(RTLD_NEXT, "dlmopen");
}

}  // extern "C"
}  // namespace rtl::hip_preload
