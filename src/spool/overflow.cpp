// SPDX-License-Identifier: MIT
#include "spool/overflow.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/files_apart.h"
#include "base/text.h"
#include "base/unique_fd.h"

namespace rtl::spool {
namespace {

void FormatPath(const char* directory, char* out, size_t capacity) {
  snprintf(out, capacity, "%s/%s", directory, kOverflowFile);
}

// Returns null if the file is not one that MakeOverflow has made.
OverflowPage* Map(const char* directory) {
  char path[PATH_MAX + 16];
  FormatPath(directory, path, sizeof path);
  void* memory = MAP_FAILED;
  FilesApart([&] {
    const UniqueFd fd(open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
    struct stat info;
    if (!fd.valid() || fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode) ||
        info.st_uid != geteuid() || info.st_size != sizeof(OverflowPage))
      return;
    memory = mmap(nullptr, sizeof(OverflowPage), PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
  });
  if (memory == MAP_FAILED) return nullptr;
  auto* const page = static_cast<OverflowPage*>(memory);
  if (memcmp(page->magic, kOverflowMagic, sizeof page->magic) == 0 && page->version == kVersion &&
      page->bytes == sizeof(OverflowPage))
    return page;
  (void)munmap(memory, sizeof(OverflowPage));  // cannot fail for a mapping made here
  return nullptr;
}

}  // namespace

int WriteZeros(int fd, size_t offset, size_t bytes) {
  static char zeros[1 << 16];  // never written, so these zeros take no room in the library's file
  // Growing a file beyond this limit raises SIGXFSZ, which ends the process by default.
  rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < offset + bytes) return EFBIG;
  size_t done = 0;
  while (done < bytes) {
    const size_t step = std::min(bytes - done, sizeof zeros);
    const ssize_t wrote = pwrite(fd, zeros, step, static_cast<off_t>(offset + done));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return wrote < 0 ? errno : ENOSPC;
    done += static_cast<size_t>(wrote);
  }
  return 0;
}

void MakeOverflow(const char* directory) {
  char path[PATH_MAX + 16];
  FormatPath(directory, path, sizeof path);
  const UniqueFd fd(open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd.valid()) return;
  OverflowPage head = {};
  memcpy(head.magic, kOverflowMagic, sizeof head.magic);
  head.version = kVersion;
  head.bytes = sizeof head;
  constexpr size_t kHead = offsetof(OverflowPage, taken);
  const bool made = WriteZeros(fd.get(), 0, sizeof(OverflowPage)) == 0 &&
                    pwrite(fd.get(), &head, kHead, 0) == static_cast<ssize_t>(kHead);
  if (!made) (void)unlink(path);
}

const OverflowPage* MapOverflow(const char* directory) { return Map(directory); }

void RemoveOverflow(const char* directory) {
  char path[PATH_MAX + 16];
  FormatPath(directory, path, sizeof path);
  (void)unlink(path);  // the file may be missing
}

OverflowPlace* JoinOverflow(const char* directory, const ProcessInfo& process, const char* why) {
  OverflowPage* const page = Map(directory);
  if (page == nullptr) return nullptr;
  const uint32_t number = page->taken.fetch_add(1, std::memory_order_relaxed);
  OverflowPlace& place = page->places[std::min<size_t>(number, kOverflowPlaces - 1)];
  if (number >= kOverflowPlaces) return &place;
  place.process = process;
  CopyText(place.why, sizeof place.why, why);
  place.ready.store(1, std::memory_order_release);
  return &place;
}

}  // namespace rtl::spool
