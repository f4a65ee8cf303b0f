// SPDX-License-Identifier: MIT
// fail_nth.so: preloaded before everything else, makes the n-th call of one function fail when the
// tracer's library makes it. Calls of anybody else pass.
//
//   RTL_FAULT=mmap:3       the third call of mmap
//   RTL_FAULT_REPORT=FILE  made when that call has happened
//
// Threads    any; one relaxed counter
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static char wanted[32];
static long wanted_call;
static atomic_long calls;

__attribute__((constructor)) static void ReadWish(void) {
  const char* wish = getenv("RTL_FAULT");
  const char* colon = wish == NULL ? NULL : strchr(wish, ':');
  if (colon == NULL || (size_t)(colon - wish) >= sizeof wanted) return;
  memcpy(wanted, wish, (size_t)(colon - wish));
  wanted_call = strtol(colon + 1, NULL, 10);
}

static void* Real(const char* name) { return dlsym(RTLD_NEXT, name); }

static int FromTracer(const void* caller) {
  Dl_info info;
  return dladdr(caller, &info) != 0 && info.dli_fname != NULL &&
         strstr(info.dli_fname, "librtl.so") != NULL;
}

static int Fails(const char* name, const void* caller) {
  if (strcmp(wanted, name) != 0 || !FromTracer(caller)) return 0;
  if (atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed) + 1 != wanted_call) return 0;
  const char* report = getenv("RTL_FAULT_REPORT");
  int (*real_open)(const char*, int, ...) = (int (*)(const char*, int, ...))Real("open");
  const int fd = report == NULL ? -1 : real_open(report, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (fd >= 0) (void)close(fd);
  return 1;
}

#define FAIL_WITH(code, value)                        \
  if (Fails(__func__, __builtin_return_address(0))) { \
    errno = code;                                     \
    return value;                                     \
  }

void* mmap(void* address, size_t bytes, int protection, int flags, int fd, off_t offset) {
  FAIL_WITH(ENOMEM, MAP_FAILED)
  static void* (*real)(void*, size_t, int, int, int, off_t);
  if (real == NULL) real = (void* (*)(void*, size_t, int, int, int, off_t))Real(__func__);
  return real(address, bytes, protection, flags, fd, offset);
}

int open(const char* path, int flags, ...) {
  FAIL_WITH(EMFILE, -1)
  va_list list;
  va_start(list, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, mode_t) : 0;
  va_end(list);
  static int (*real)(const char*, int, ...);
  if (real == NULL) real = (int (*)(const char*, int, ...))Real(__func__);
  return real(path, flags, mode);
}

int fallocate(int fd, int mode, off_t offset, off_t bytes) {
  FAIL_WITH(ENOSPC, -1)
  static int (*real)(int, int, off_t, off_t);
  if (real == NULL) real = (int (*)(int, int, off_t, off_t))Real(__func__);
  return real(fd, mode, offset, bytes);
}

ssize_t read(int fd, void* data, size_t bytes) {
  FAIL_WITH(EIO, -1)
  static ssize_t (*real)(int, void*, size_t);
  if (real == NULL) real = (ssize_t(*)(int, void*, size_t))Real(__func__);
  return real(fd, data, bytes);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* data) {
  if (Fails(__func__, __builtin_return_address(0))) return EAGAIN;
  static int (*real)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  if (real == NULL) {
    real = (int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*))Real(__func__);
  }
  return real(thread, attributes, start, data);
}

int pthread_key_create(pthread_key_t* key, void (*destroy)(void*)) {
  if (Fails(__func__, __builtin_return_address(0))) return EAGAIN;
  static int (*real)(pthread_key_t*, void (*)(void*));
  if (real == NULL) real = (int (*)(pthread_key_t*, void (*)(void*)))Real(__func__);
  return real(key, destroy);
}

void* aligned_alloc(size_t alignment, size_t bytes) {
  FAIL_WITH(ENOMEM, NULL)
  static void* (*real)(size_t, size_t);
  if (real == NULL) real = (void* (*)(size_t, size_t))Real(__func__);
  return real(alignment, bytes);
}

void* realloc(void* memory, size_t bytes) {
  FAIL_WITH(ENOMEM, NULL)
  static void* (*real)(void*, size_t);
  if (real == NULL) real = (void* (*)(void*, size_t))Real(__func__);
  return real(memory, bytes);
}
