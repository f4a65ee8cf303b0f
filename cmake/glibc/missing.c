/* SPDX-License-Identifier: MIT
 * Functions of newer C libraries that the static parts of programs refer to: libstdc++, libgcc_eh and LLVM of the
 * machine that builds. With them, programs run with glibc 2.28. docs/adr/0199-older-c-libraries.md */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define HIDDEN __attribute__((visibility("hidden")))
enum { kSecond = 1000000000 };

/* 2.32: libstdc++ leaves atomics out while it is not 0. */
HIDDEN char __libc_single_threaded = 0;

/* 2.36: std::random_device. */
HIDDEN uint32_t arc4random(void);
HIDDEN uint32_t arc4random(void) {
  uint32_t number = 0;
  while (syscall(SYS_getrandom, &number, sizeof number, 0) != (long)sizeof number) {
    if (errno != EINTR) abort(); /* every kernel that ROCm runs on has the call */
  }
  return number;
}

/* 2.35: where an exception finds the tables of the code around an address. */
struct Sought {
  uintptr_t pc;
  struct dl_find_object* result;
};

static int Look(struct dl_phdr_info* object, size_t size, void* data) {
  struct Sought* const sought = data;
  uintptr_t begin = UINTPTR_MAX, end = 0;
  void* frames = NULL;
  int holds = 0;
  int i;
  (void)size;
  for (i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)* const part = &object->dlpi_phdr[i];
    const uintptr_t from = object->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_GNU_EH_FRAME) frames = (void*)from;
    if (part->p_type != PT_LOAD) continue;
    if (from < begin) begin = from;
    if (from + part->p_memsz > end) end = from + part->p_memsz;
    if (sought->pc >= from && sought->pc < from + part->p_memsz) holds = 1;
  }
  if (!holds || frames == NULL) return 0;
  memset(sought->result, 0, sizeof *sought->result);
  sought->result->dlfo_map_start = (void*)begin;
  sought->result->dlfo_map_end = (void*)end;
  sought->result->dlfo_eh_frame = frames;
  return 1;
}

HIDDEN int _dl_find_object(void* address, struct dl_find_object* result) {
  struct Sought sought = {(uintptr_t)address, result};
  return dl_iterate_phdr(Look, &sought) == 1 ? 0 : -1;
}

/* 2.30: std::condition_variable with the monotonic clock. The older call waits by the wall clock, so a wait that ends
 * early is one without a reason, which callers expect. */
static int64_t Nanoseconds(const struct timespec* time) {
  return (int64_t)time->tv_sec * kSecond + time->tv_nsec;
}

HIDDEN int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                  clockid_t clock, const struct timespec* until) {
  struct timespec now, wall, end;
  int64_t at;
  int result;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &wall);
  at = Nanoseconds(&wall) + (Nanoseconds(until) - Nanoseconds(&now));
  if (at < 0) at = 0;
  end.tv_sec = at / kSecond;
  end.tv_nsec = at % kSecond;
  result = pthread_cond_timedwait(condition, mutex, &end);
  if (result != ETIMEDOUT) return result;
  clock_gettime(clock, &now);
  return Nanoseconds(&now) >= Nanoseconds(until) ? ETIMEDOUT : 0;
}

/* 2.33: LLVM. */
HIDDEN struct mallinfo2 mallinfo2(void) {
  const struct mallinfo old = mallinfo();
  struct mallinfo2 result = {0};
  result.uordblks = (unsigned)old.uordblks;
  result.hblkhd = (unsigned)old.hblkhd;
  return result;
}
