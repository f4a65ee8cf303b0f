// SPDX-License-Identifier: MIT
// Exported functions that jump into librtl_engine.so beside this library: librtl.so and
// librocprofiler-sdk.so.1. A process has one engine. A shell's only state is the table of jump
// addresses.
//
//   caller ──► X: jmp *slot ──► the engine's X
//                      └─ first, before the shell's constructor has run: Open, then the same
//
// Threads    any
// Blocking   the first call takes the loader's lock
// Errors     without the engine: one line on stderr, and the results of absent_*.h
// Why        docs/adr/0051-one-engine.md
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char kEngine[] = "librtl_engine.so";

static const char* const kNames[] = {
#define RTL_JUMP(place, name) #name,
#include JUMPS
#undef RTL_JUMP
};
enum { kCount = sizeof kNames / sizeof *kNames };

// The target of each function's jump. At first it is the code below that opens the engine.
extern void* rtl_shell_slots[] __attribute__((visibility("hidden")));

// A function X jumps to its slot. Its first call passes the slot's number to rtl_shell_first, which
// saves the arguments, fills in the slots, and calls the function again.
__asm__(
    ".data\n.balign 8\n.hidden rtl_shell_slots\n.globl rtl_shell_slots\nrtl_shell_slots:\n"
#define RTL_JUMP(place, name) ".quad rtl_shell_first_calls+16*" #place "\n"
#include JUMPS
#undef RTL_JUMP
    ".text\n"
#define RTL_JUMP(place, name)                            \
  ".globl " #name "\n.type " #name ", @function\n" #name \
  ":\n"                                                  \
  "  jmp *rtl_shell_slots+8*" #place "(%rip)\n.size " #name ", .-" #name "\n"
#include JUMPS
#undef RTL_JUMP
    ".balign 16\nrtl_shell_first_calls:\n"
#define RTL_JUMP(place, name) ".balign 16\n  pushq $" #place "\n  jmp rtl_shell_first\n"
#include JUMPS
#undef RTL_JUMP
    "rtl_shell_first:\n"
    "  pushq %rbp\n  movq %rsp, %rbp\n  andq $-16, %rsp\n  subq $192, %rsp\n"
    "  movq %rdi, (%rsp)\n  movq %rsi, 8(%rsp)\n  movq %rdx, 16(%rsp)\n  movq %rcx, 24(%rsp)\n"
    "  movq %r8, 32(%rsp)\n  movq %r9, 40(%rsp)\n  movq %rax, 48(%rsp)\n"
    "  movups %xmm0, 64(%rsp)\n  movups %xmm1, 80(%rsp)\n  movups %xmm2, 96(%rsp)\n"
    "  movups %xmm3, 112(%rsp)\n  movups %xmm4, 128(%rsp)\n  movups %xmm5, 144(%rsp)\n"
    "  movups %xmm6, 160(%rsp)\n  movups %xmm7, 176(%rsp)\n"
    "  call rtl_shell_open\n"
    "  movq (%rsp), %rdi\n  movq 8(%rsp), %rsi\n  movq 16(%rsp), %rdx\n  movq 24(%rsp), %rcx\n"
    "  movq 32(%rsp), %r8\n  movq 40(%rsp), %r9\n  movq 48(%rsp), %rax\n"
    "  movups 64(%rsp), %xmm0\n  movups 80(%rsp), %xmm1\n  movups 96(%rsp), %xmm2\n"
    "  movups 112(%rsp), %xmm3\n  movups 128(%rsp), %xmm4\n  movups 144(%rsp), %xmm5\n"
    "  movups 160(%rsp), %xmm6\n  movups 176(%rsp), %xmm7\n"
    "  movq %rbp, %rsp\n  popq %rbp\n"
    "  popq %r11\n"
    "  leaq rtl_shell_slots(%rip), %r10\n"
    "  jmp *(%r10,%r11,8)\n");

// The results of functions without the engine.
static long AnswerZero(void) { return 0; }
static long AnswerOne(void) { return 1; }
static const char* AnswerText(void) { return "librtl_engine.so is missing"; }

#include ABSENT

// Opens the engine beside this library; `path` gets its location.
static void* OpenEngine(char* path, size_t bytes) {
  // A copy from another folder may be in the process: one engine serves all.
  void* const there = dlopen(kEngine, RTLD_NOW | RTLD_NOLOAD);
  if (there != NULL) return there;
  Dl_info info = {0};
  if (dladdr((const void*)rtl_shell_slots, &info) == 0 || info.dli_fname == NULL) return NULL;
  const char* const slash = strrchr(info.dli_fname, '/');
  const int folder = slash == NULL ? 0 : (int)(slash - info.dli_fname) + 1;
  const int used = snprintf(path, bytes, "%.*s%s", folder, info.dli_fname, kEngine);
  if (used < 0 || (size_t)used >= bytes) return NULL;
  return dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

static void SayMissing(const char* path, const char* why) {
  char line[2 * PATH_MAX];
  const int used =
      snprintf(line, sizeof line, "rtl: process %d is not traced: %s cannot be used: %s\n",
               (int)getpid(), *path == '\0' ? kEngine : path, why);
  const size_t bytes = used < 0 ? 0 : (size_t)used < sizeof line ? (size_t)used : sizeof line - 1;
  if (write(STDERR_FILENO, line, bytes) < 0) return;  // nothing else can be done
}

static void Fill(void) {
  typedef void* Find(const char* shell, const char* name);
  char path[PATH_MAX] = "";
  void* const engine = OpenEngine(path, sizeof path);
  const char* why = engine == NULL ? dlerror() : "it is from another build";
  Find* const find = engine == NULL ? NULL : (Find*)dlsym(engine, "rtl_engine_function");
  void* found[kCount];
  int all = find != NULL;
  for (int i = 0; i < kCount && all; ++i) {
    found[i] = find(SHELL, kNames[i]);
    all = found[i] != NULL;
  }
  if (!all) SayMissing(path, why == NULL ? "its folder is unknown" : why);
  for (int i = 0; i < kCount; ++i)
    __atomic_store_n(&rtl_shell_slots[i], all ? found[i] : Absent(kNames[i]), __ATOMIC_RELEASE);
}

__attribute__((used, visibility("hidden"))) void rtl_shell_open(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  (void)pthread_once(&once, Fill);
}

__attribute__((constructor)) static void Open(void) { rtl_shell_open(); }
