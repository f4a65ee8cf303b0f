// SPDX-License-Identifier: MIT
// Preloaded, it makes a machine with a GPU whose driver this user may not open: for the reason
// CLOSED_DRIVER_ERROR (a number of errno), else for lack of rights.
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int Open(const char* path, int flags, int mode) {
  const char* const error = getenv("CLOSED_DRIVER_ERROR");
  if (strcmp(path, "/dev/kfd") != 0) return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  errno = error == NULL ? EACCES : atoi(error);
  return -1;
}

#define OPEN(name)                                                                    \
  __attribute__((visibility("default"))) int name(const char* path, int flags, ...) { \
    va_list more;                                                                     \
    int mode;                                                                         \
    va_start(more, flags);                                                            \
    mode = va_arg(more, int); /* without meaning where the caller gives none */       \
    va_end(more);                                                                     \
    return Open(path, flags, mode);                                                   \
  }
OPEN(open)
OPEN(open64)
