// SPDX-License-Identifier: MIT
// Preloaded, it makes a machine with a GPU whose driver this user may not open.
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

__attribute__((visibility("default"))) int access(const char* path, int how) {
  const int is_driver = strcmp(path, "/dev/kfd") == 0;
  if (is_driver && how == F_OK) return 0;
  if (!is_driver) return faccessat(AT_FDCWD, path, how, 0);
  errno = EACCES;
  return -1;
}
