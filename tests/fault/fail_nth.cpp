// SPDX-License-Identifier: MIT
// fail_nth.so: preloaded before everything else, makes one call of the tracer's library fail: the
// n-th from one call site, or all from there on. Calls of other libraries pass, and see the caller
// that they would see without it (dlsym checks its caller).
//
//   RTL_FAULT=mmap@1a2b:3      the third call of mmap that returns to offset 0x1a2b of
//                              librtl_engine.so; mmap:3 the third from any call site in it; mmap:3+
//                              that and all later ones
//   RTL_FAULT_REPORT=FILE      created when that call has happened
//   RTL_FAULT_PLACES=FILE      counts every call, by function and place (Places)
//
// In front of the tracer in HSA_TOOLS_LIB it does the same for functions of the HSA runtime.
//
// The program may be loaded once for many runs (fork_server.cpp), and kernels that a HIP runtime
// compiles may be kept between them (kept_comgr.cpp).
//
// Threads    any; relaxed counters
#include "tests/fault/fail_nth.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <string_view>

#include "spec/api/hsa_tables.h"

// name, result, errno
#define LIBC_FAULTS(X)                    \
  X(mmap, -1, ENOMEM)                     \
  X(madvise, -1, ENOMEM)                  \
  X(open, -1, EMFILE)                     \
  X(openat, -1, EMFILE)                   \
  X(opendir, 0, EMFILE)                   \
  X(readdir, 0, 0)                        \
  X(fallocate, -1, ENOSPC)                \
  X(read, -1, EIO)                        \
  X(pread, -1, EIO)                       \
  X(write, -1, EIO)                       \
  X(pwrite, -1, ENOSPC)                   \
  X(flock, -1, ENOLCK)                    \
  X(stat, -1, EACCES)                     \
  X(fstat, -1, EIO)                       \
  X(access, -1, EACCES)                   \
  X(faccessat, -1, EACCES)                \
  X(readlink, -1, EACCES)                 \
  X(realpath, 0, EACCES)                  \
  X(getcwd, 0, ENOENT)                    \
  X(gethostname, -1, ENAMETOOLONG)        \
  X(getrlimit, -1, EFAULT)                \
  X(mkdir, -1, EACCES)                    \
  X(mkdtemp, 0, EACCES)                   \
  X(unlink, -1, EACCES)                   \
  X(unlinkat, -1, EACCES)                 \
  X(rmdir, -1, EACCES)                    \
  X(clone, -1, EAGAIN)                    \
  X(syscall, -1, ENOSYS)                  \
  X(process_vm_readv, -1, EPERM)          \
  X(nanosleep, -1, EINTR)                 \
  X(pthread_create, EAGAIN, 0)            \
  X(pthread_attr_init, ENOMEM, 0)         \
  X(pthread_attr_setstacksize, EINVAL, 0) \
  X(pthread_sigmask, EINVAL, 0)           \
  X(pthread_setname_np, ERANGE, 0)        \
  X(pthread_timedjoin_np, ETIMEDOUT, 0)   \
  X(pthread_key_create, EAGAIN, 0)        \
  X(pthread_setspecific, ENOMEM, 0)       \
  X(__register_atfork, ENOMEM, 0)         \
  X(__cxa_atexit, -1, ENOMEM)             \
  X(aligned_alloc, 0, ENOMEM)             \
  X(calloc, 0, ENOMEM)                    \
  X(realloc, 0, ENOMEM)                   \
  X(dlopen, 0, 0)                         \
  X(dlsym, 0, 0)                          \
  X(dladdr, 0, 0)                         \
  X(dladdr1, 0, 0)                        \
  X(dl_iterate_phdr, 0, 0)

// The functions that the tracer calls for itself. Calls that it forwards for the program are not
// here.
#define HSA_FAULTS(X)                            \
  X(iterate_agents)                              \
  X(agent_get_info)                              \
  X(executable_symbol_get_info)                  \
  X(executable_iterate_symbols)                  \
  X(system_get_major_extension_table)            \
  X(amd_signal_create)                           \
  X(amd_profiling_set_profiler_enabled)          \
  X(amd_profiling_get_async_copy_time)           \
  X(amd_profiling_convert_tick_to_system_domain) \
  X(amd_queue_intercept_create)                  \
  X(amd_queue_intercept_register)                \
  X(signal_create)                               \
  X(soft_queue_create)                           \
  X(agent_iterate_regions)                       \
  X(region_get_info)                             \
  X(amd_agent_iterate_memory_pools)              \
  X(amd_memory_pool_get_info)                    \
  X(amd_memory_pool_allocate)                    \
  X(amd_agents_allow_access)

// Each function: its number goes on the stack, on top of the address that it returns to.
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define STUB(symbol) \
  __asm__(".type " symbol ",@function\n" symbol ":\n"    \
          "  pushq $" TEXT(__COUNTER__) "\n"             \
          "  jmp fault_common\n")

// Ends in the real function, as if it had been called from our caller, or in an error.
__asm__(
    ".text\n"
    "fault_common:\n"
    "  push %rax\n  push %rdi\n  push %rsi\n  push %rdx\n  push %rcx\n  push %r8\n  push %r9\n"
    "  sub $8, %rsp\n"
    "  mov 64(%rsp), %rdi\n"
    "  mov 72(%rsp), %rsi\n"
    "  mov 40(%rsp), %rdx\n"  // the caller's second argument
    "  call fault_decide\n"
    "  mov %rax, %r11\n"
    "  add $8, %rsp\n"
    "  pop %r9\n  pop %r8\n  pop %rcx\n  pop %rdx\n  pop %rsi\n  pop %rdi\n  pop %rax\n"
    "  test %r11, %r11\n"
    "  jz 1f\n"
    "  add $8, %rsp\n"
    "  jmp *%r11\n"
    "1:\n"
    "  pop %rdi\n"
    "  jmp fault_answer\n");
#define X(name, ...)        \
  __asm__(".globl " #name); \
  STUB(#name);
LIBC_FAULTS(X)
#undef X
#define X(name) STUB("fault_hsa_" #name);
HSA_FAULTS(X)
#undef X

namespace {

struct Function {
  const char* name;
  long answer;
  int error;
};
constexpr long kOutOfResources = 0x1008;
constexpr Function kFunctions[] = {
#define X(name, answer, error) {#name, answer, error},
    LIBC_FAULTS(X)
#undef X
#define X(name) {"hsa_" #name, kOutOfResources, 0},
        HSA_FAULTS(X)
#undef X
};
constexpr size_t kCount = sizeof kFunctions / sizeof kFunctions[0];
constexpr size_t NumberOf(std::string_view name) {
  size_t i = 0;
  while (i < kCount && kFunctions[i].name != name) ++i;
  return i;
}
constexpr size_t kDlsym = NumberOf("dlsym");
static_assert(__COUNTER__ == kCount, "the stubs are numbered in the order of the table");

// The number of calls of each function from each call site in the tracer; RTL_FAULT_PLACES. It
// stays in the file however the process ends.
struct Places {
  static constexpr size_t kMost = 1024;
  struct Place {
    std::atomic<uint64_t> key;  // number of the function + 1, offset behind it in the low 48 bits
    std::atomic<uint64_t> calls;
  };
  uint64_t functions;
  char names[kCount][48];
  Place at[kMost];
};

std::atomic<void*> g_real[kCount];
Places* g_places;
size_t g_wanted = kCount;  // none
uint64_t g_wanted_offset;  // zero: anywhere
long g_wanted_call;
bool g_wanted_on;  // and all later ones
std::atomic<long> g_calls;
std::atomic<uintptr_t> g_tracer_begin, g_tracer_end;

using Dlsym = void* (*)(void*, const char*);

void* Resolve(size_t index) {
  static std::atomic<Dlsym> real_dlsym;
  Dlsym look_up = real_dlsym.load(std::memory_order_relaxed);
  if (look_up == nullptr) {
    // Versions of glibc from before 2.34 are in all later ones.
    look_up = reinterpret_cast<Dlsym>(dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5"));
    real_dlsym.store(look_up, std::memory_order_relaxed);
  }
  return look_up(RTLD_NEXT, kFunctions[index].name);
}

void* Real(size_t index) {
  void* real = g_real[index].load(std::memory_order_relaxed);
  if (real == nullptr) {
    real = Resolve(index);
    g_real[index].store(real, std::memory_order_relaxed);
  }
  return real;
}

template <typename F>
F RealNamed(F, const char* name) {
  return reinterpret_cast<F>(Real(NumberOf(name)));
}

// The end of the last segment of the library that begins here.
uintptr_t EndOf(uintptr_t base) {
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(base);
  const auto* segments = reinterpret_cast<const Elf64_Phdr*>(base + header->e_phoff);
  uintptr_t end = base;
  for (int i = 0; i < header->e_phnum; ++i) {
    const uintptr_t last = base + segments[i].p_vaddr + segments[i].p_memsz;
    if (segments[i].p_type == PT_LOAD && last > end) end = last;
  }
  return end;
}

// Zero: the caller is not the tracer.
uint64_t OffsetInTracer(uintptr_t caller) {
  uintptr_t begin = g_tracer_begin.load(std::memory_order_acquire);
  if (begin == 0) {
    Dl_info info;
    const auto look_up = RealNamed(&dladdr, "dladdr");
    if (look_up(reinterpret_cast<void*>(caller), &info) == 0 || info.dli_fname == nullptr ||
        strstr(info.dli_fname, "/librtl_engine.so") == nullptr) {
      return 0;
    }
    begin = reinterpret_cast<uintptr_t>(info.dli_fbase);
    g_tracer_end.store(EndOf(begin), std::memory_order_relaxed);
    g_tracer_begin.store(begin, std::memory_order_release);
  }
  return caller > begin && caller < g_tracer_end.load(std::memory_order_relaxed) ? caller - begin
                                                                                 : 0;
}

void CountAt(size_t index, uint64_t offset) {
  const uint64_t key = (index + 1) << 48 | offset;
  for (Places::Place& place : g_places->at) {
    uint64_t found = place.key.load(std::memory_order_relaxed);
    if (found == 0 && place.key.compare_exchange_strong(found, key)) found = key;
    if (found != key) continue;
    place.calls.fetch_add(1, std::memory_order_relaxed);
    return;
  }
}

void Report() {
  const char* const path = getenv("RTL_FAULT_REPORT");
  if (path == nullptr) return;
  const int fd = RealNamed(&open, "open")(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (fd >= 0) (void)close(fd);
}

bool Fails(size_t index, uintptr_t caller) {
  if (g_places == nullptr && index != g_wanted) return false;
  const uint64_t offset = OffsetInTracer(caller);
  if (offset == 0) return false;
  if (g_places != nullptr) CountAt(index, offset);
  if (index != g_wanted || (g_wanted_offset != 0 && offset != g_wanted_offset)) return false;
  const long call = g_calls.fetch_add(1, std::memory_order_relaxed) + 1;
  if (call == g_wanted_call) Report();
  return call == g_wanted_call || (g_wanted_on && call > g_wanted_call);
}

void MapPlaces(const char* path) {
  const int fd = RealNamed(&open, "open")(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  if (fd < 0 || ftruncate(fd, sizeof(Places)) != 0) _exit(99);
  void* const memory =
      RealNamed(&mmap, "mmap")(nullptr, sizeof(Places), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) _exit(99);
  (void)close(fd);
  auto* const places = static_cast<Places*>(memory);
  places->functions = kCount;
  for (size_t i = 0; i < kCount; ++i) strcpy(places->names[i], kFunctions[i].name);
  g_places = places;
}

void Wrap(uint8_t* table, uint32_t slot, size_t index, void (*stub)()) {
  using namespace rtl::hsa_tables;
  uint32_t bytes;
  memcpy(&bytes, table + sizeof(uint32_t), sizeof bytes);  // where the minor version is
  if (slot == kNoSlot || kVersionBytes + (slot + 1) * kSlotBytes > bytes) return;
  void** const place = reinterpret_cast<void**>(table + kVersionBytes + slot * kSlotBytes);
  if (*place == reinterpret_cast<void*>(stub)) return;  // both lists of slots have it
  g_real[index].store(*place, std::memory_order_relaxed);
  *place = reinterpret_cast<void*>(stub);
}

}  // namespace

__attribute__((constructor)) void ReadWish() {
  for (size_t i = 0; i < kCount; ++i) {
    if (strncmp(kFunctions[i].name, "hsa_", 4) != 0) (void)Real(i);
  }
  if (const char* const path = getenv("RTL_FAULT_PLACES")) MapPlaces(path);
  const char* const wish = getenv("RTL_FAULT");
  if (wish == nullptr) return;
  const size_t name = strcspn(wish, "@:");
  const char* const call = strchr(wish, ':');
  if (call == nullptr) _exit(99);
  if (wish[name] == '@') g_wanted_offset = strtoull(wish + name + 1, nullptr, 16);
  char* rest;
  g_wanted_call = strtol(call + 1, &rest, 10);
  g_wanted_on = *rest == '+';
  g_wanted = NumberOf({wish, name});
  if (g_wanted == kCount) _exit(99);  // a test that would test nothing
}

extern "C" {

// The function to call, or null: the call fails.
__attribute__((used, visibility("hidden"))) void* fault_decide(size_t index, uintptr_t caller,
                                                               const char* second) {
  const int error = errno;
  void* real = Fails(index, caller) ? nullptr : Real(index);
  if (real != nullptr && index == kDlsym && KeepsActions(second)) {
    real = reinterpret_cast<void*>(&FindKeptAction);
  }
  errno = error;
  return real;
}

__attribute__((used, visibility("hidden"))) long fault_answer(size_t index) {
  if (kFunctions[index].error != 0) errno = kFunctions[index].error;
  return kFunctions[index].answer;
}

#define X(name) __attribute__((visibility("hidden"))) void fault_hsa_##name();
HSA_FAULTS(X)
#undef X

enum class HsaTable : uint8_t { kCore, kAmdExt, kImageExt, kFinalizeExt };

// The runtime's tools are loaded in the order of HSA_TOOLS_LIB.
__attribute__((visibility("default"))) bool OnLoad(void* root, uint64_t, uint64_t,
                                                   const char* const*) {
  using namespace rtl::hsa_tables;
  // A version, then the tables: core, AMD's.
  auto** const tables = reinterpret_cast<uint8_t**>(static_cast<uint8_t*>(root) + kVersionBytes);
  uint32_t amd_bytes;
  memcpy(&amd_bytes, tables[1] + sizeof(uint32_t), sizeof amd_bytes);
  const bool engines = amd_bytes >= kAmdWithEnginesBytes;
  struct Slot {
    const char* name;
    int table;
    uint32_t slot;
  };
  const Slot slots[] = {
#define HSA_FUNCTION(table, operation, old_slot, name, ...) \
  {#name, static_cast<int>(HsaTable::table), engines ? uint32_t{operation} : uint32_t{old_slot}},
#include "names/hsa_functions.inc"
#undef HSA_FUNCTION
#define X(name, old_slot, slot) {"hsa_" #name, 1, engines ? uint32_t{slot} : uint32_t{old_slot}},
      RTL_HSA_AMD_TOOL_SLOTS(X)
#undef X
  };
  void (*const stubs[])() = {
#define X(name) &fault_hsa_##name,
      HSA_FAULTS(X)
#undef X
  };
  constexpr size_t kFirst = kCount - sizeof stubs / sizeof stubs[0];
  for (size_t i = kFirst; i < kCount; ++i) {
    for (const Slot& slot : slots) {
      if (slot.table <= 1 && strcmp(slot.name, kFunctions[i].name) == 0) {
        Wrap(tables[slot.table], slot.slot, i, stubs[i - kFirst]);
      }
    }
  }
  return true;
}

__attribute__((visibility("default"))) void OnUnload() {}
}
