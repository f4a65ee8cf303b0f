// SPDX-License-Identifier: MIT
// Built without sanitizers, because their runtimes look functions up before they work themselves.
#include "libraries/hip/lookups.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

#include <atomic>

#include "base/elf_symbols.h"
#include "base/environment.h"
#include "capture/hip/hip_library.h"

// The results of RTLD_NEXT and RTLD_DEFAULT depend on the return address. So dlsym and dlvsym are
// not written in C++: they jump to the next dlsym with the caller's stack unchanged.
//
//   rtl_hip_dlsym(handle, name, caller) -> rax: the function to jump to, or null
//                                          rdx: the result if rax is null
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

// The next dlsym after this library's in symbol order: the one of libc, or of another library
// before libc.
std::atomic<Dlsym> next_dlsym{nullptr};
std::atomic<Dlvsym> next_dlvsym{nullptr};

bool IsSame(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) ++a, ++b;
  return *a == *b;
}

// Finds a function of libc, or before glibc 2.34 of libdl. Reads the loader's list without calling
// any function.
void* Libc(const char* name) {
  for (const link_map* map = _r_debug.r_map; map != nullptr; map = map->l_next) {
    const char* file = map->l_name;
    for (const char* at = file; *at != '\0'; ++at) {
      if (*at == '/') file = at + 1;
    }
    if (!IsSame(file, "libc.so.6") && !IsSame(file, "libdl.so.2")) continue;
    const uint64_t value = ElfSymbols(map->l_ld, map->l_addr).ValueOf(name);
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
  void* const found = libc(RTLD_NEXT, "dlsym");  // searched from this library on
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

// True for names that may be HIP's: "hip…", "__hip…", and the mangled form "_Z22hip…". For other
// names the table is not searched, because a sanitizer looks functions up before the code of this
// library may run.
bool MayBeHips(const char* name) {
  if (name == nullptr) return false;
  if (name[0] == '_' && name[1] == '_') {
    name += 2;
  } else if (name[0] == '_' && name[1] == 'Z') {
    for (name += 2; *name >= '0' && *name <= '9';) ++name;
  }
  return name[0] == 'h' && name[1] == 'i' && name[2] == 'p';
}

// The library that contains this code, under the name that the loader knows; "" for the program
// itself. Null if the code is in no library.
const char* FileOf(const void* code) {
  Dl_info info = {};
  void* map = nullptr;
  if (dladdr1(code, &info, &map, RTLD_DL_LINKMAP) == 0 || map == nullptr) return nullptr;
  return static_cast<const link_map*>(map)->l_name;
}

// True if the caller is one of the tracer's own libraries, which get HIP's own functions.
bool IsOurs(const void* caller) {
  const char* const path = FileOf(caller);
  if (path == nullptr) return false;
  const char* const slash = strrchr(path, '/');
  const char* const file = slash == nullptr ? path : slash + 1;
  return strncmp(file, "librtl", 6) == 0 || strncmp(file, "librocprofiler-sdk.so", 21) == 0;
}

// While no HIP is among the program's global symbols: the HIP to which libraries without a HIP of
// their own make calls. It is the first one that was needed, it never changes, and its handle is
// kept.
constinit std::atomic<void*> local_hip{nullptr};

// `wanted`: a function of the HIP that is searched; null: any HIP.
void* LocalHip(const char* name, void* wanted) {
  void* const known = local_hip.load(std::memory_order_acquire);
  if (known != nullptr) return known;
  capture::HipLibrary library;
  if (!library.Find(wanted) || (wanted != nullptr && library.Symbol(name) != wanted))
    return nullptr;
  void* none = nullptr;
  return local_hip.compare_exchange_strong(none, library.handle(), std::memory_order_acq_rel)
             ? library.handle()
             : none;
}

// Withdraws the request to pass tables. The text of an environment variable is shared by all
// namespaces, although each has a C library of its own.
void EndRegistration() {
  const char* const library = EnvironmentValue("ROCPROFILER_REGISTER_LIBRARY");
  const char* const slash = library == nullptr ? nullptr : strrchr(library, '/');
  if (slash != nullptr && strcmp(slash + 1, "librtl.so") == 0) *const_cast<char*>(library) = '\0';
}

// The function that the global scope has after this library; null if there is none.
void* Behind(Dlsym next, const char* name) { return next(RTLD_NEXT, name); }

// True if a call of this library's function of this name ends in `function`. A function of another
// HIP must not be replaced by this library's.
bool Reaches(Dlsym next, const char* name, void* function) {
  void* const global = Behind(next, name);
  if (global != nullptr) return global == function;
  void* const hip = LocalHip(name, function);
  return hip != nullptr && next(hip, name) == function;
}

// Searches the caller's library and the libraries that it needs.
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

// True if this library's function, called by this caller, ends in `function`. A library that is
// linked to a HIP of its own calls that HIP.
bool IsCalledFrom(Dlsym next, const char* name, const void* caller, void* function) {
  if (!Reaches(next, name, function)) return false;
  void* const seen = SeenFrom(caller, [&](void* library) { return next(library, name); });
  return seen == nullptr || seen == function || seen == WrapperOf(name);
}

// A lookup that finds something leaves no error text, so the text of the lookups made here is
// cleared.
Answer Ours(const char* name) {
  (void)dlerror();
  return {nullptr, WrapperOf(name)};
}

// Called when a lookup has found this library's function. Returns null, with the loader's error
// text, if the lookup would find nothing without this library.
Answer OursIfThere(Dlsym next, const char* name) {
  if (Behind(next, name) != nullptr) return {nullptr, WrapperOf(name)};
  // searched again, because other lookups have changed the error text
  return {nullptr, Behind(next, name)};
}

}  // namespace

void* LocalFunction(const char* symbol) {
  void* const hip = LocalHip(symbol, nullptr);
  const Dlsym next = NextDlsym();
  return hip == nullptr || next == nullptr ? nullptr : next(hip, symbol);
}

void* WrapperFor(const char* symbol, void* function) {
  void* const ours = WrapperOf(symbol);
  const Dlsym next = NextDlsym();
  return ours != nullptr && next != nullptr && function != nullptr &&
                 Reaches(next, symbol, function)
             ? ours
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
  if (handle == RTLD_NEXT || handle == RTLD_DEFAULT) {
    void* const seen = SeenFrom(caller, [&](void* library) { return next(library, name); });
    // A library that itself has a function of this name wants another one. For it, the next
    // function in the program is this library's.
    if (seen != nullptr && seen != ours && Reaches(next, name, seen)) return Ours(name);
    if (handle == RTLD_DEFAULT) {
      return next(handle, name) == ours ? OursIfThere(next, name) : untraced;
    }
    return seen == ours ? OursIfThere(next, name) : untraced;
  }
  void* const found = next(handle, name);
  if (found == nullptr) return {nullptr, nullptr};  // the loader's error text is set
  if (found == ours) return OursIfThere(next, name);
  return IsCalledFrom(next, name, caller, found) ? Ours(name) : untraced;
}

__attribute__((used, visibility("hidden"))) Answer rtl_hip_dlvsym(void* handle, const char* name,
                                                                  const char* version,
                                                                  const void* caller) {
  const Dlvsym next = NextDlvsym();
  const Answer untraced = {reinterpret_cast<void*>(next), nullptr};
  if (next == nullptr || !MayBeHips(name) || IsOurs(caller) || WrapperOf(name) == nullptr)
    return untraced;
  const Dlsym plain = NextDlsym();
  if (plain == nullptr) return untraced;
  if (handle == RTLD_NEXT || handle == RTLD_DEFAULT) {
    void* seen = SeenFrom(caller, [&](void* library) { return next(library, name, version); });
    // This library's functions have no version, so a result from the global scope is not one of
    // them.
    if (seen == nullptr && handle == RTLD_DEFAULT) seen = next(handle, name, version);
    return seen != nullptr && Reaches(plain, name, seen) ? Ours(name) : untraced;
  }
  void* const found = next(handle, name, version);
  if (found == nullptr) return {nullptr, nullptr};
  return IsCalledFrom(plain, name, caller, found) ? Ours(name) : untraced;
}

// Returns the next dlmopen, to be called for a new namespace.
__attribute__((used, visibility("hidden"))) void* rtl_hip_dlmopen(Lmid_t where) {
  const Dlsym next = NextDlsym();
  if (next == nullptr) return nullptr;
  if (where != LM_ID_BASE) EndRegistration();
  return next(RTLD_NEXT, "dlmopen");
}

}  // extern "C"
}  // namespace rtl::hip_preload
