// SPDX-License-Identifier: MIT
#include "spool/own_file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

namespace rtl::spool {

UniqueFd OpenOwnFile(const std::string& path, struct stat* info) {
  UniqueFd fd(open(path.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid() || fstat(fd.get(), info) != 0) return UniqueFd();
  if (!S_ISREG(info->st_mode) || info->st_uid != geteuid() || info->st_nlink != 1) {
    errno = EPERM;
    return UniqueFd();
  }
  return fd;
}

size_t ReadAt(int fd, void* out, size_t bytes, uint64_t offset) {
  size_t done = 0;
  while (done < bytes) {
    const ssize_t got =
        pread(fd, static_cast<char*>(out) + done, bytes - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<size_t>(got);
  }
  return done;
}

}  // namespace rtl::spool
