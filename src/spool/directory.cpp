// SPDX-License-Identifier: MIT
#include "spool/directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>

namespace rtl::spool {
namespace {

bool IsStem(std::string_view text) {
  size_t numbers = 0;
  for (;;) {
    const size_t dash = text.find('-');
    if (!AllDigits(text.substr(0, dash))) return false;
    ++numbers;
    if (dash == std::string_view::npos) return numbers == 2 || numbers == 3;
    text.remove_prefix(dash + 1);
  }
}

}  // namespace

Status ForEachName(const std::string& directory,
                   const std::function<void(std::string_view name)>& visit) {
  DIR* dir = opendir(directory.c_str());
  if (dir == nullptr) return Status::ErrnoError(errno, "cannot read %s", directory.c_str());
  while (const dirent* entry = readdir(dir)) visit(std::string_view(entry->d_name));
  (void)closedir(dir);
  return Status::Ok();
}

bool AllDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

namespace {

// Removes the files of these processes whose names have this ending.
Status RemoveFiles(const std::string& directory, std::string_view ending,
                   const std::function<bool(const std::string& stem)>& which) {
  std::vector<std::string> names;
  RTL_TRY(ForEachName(directory, [&](std::string_view name) {
    const size_t dot = name.find('.');
    if (dot != std::string_view::npos && name.ends_with(ending) &&
        which(std::string(name.substr(0, dot)))) {
      names.emplace_back(name);
    }
  }));
  for (const std::string& name : names) {
    const std::string path = directory + "/" + name;
    if (unlink(path.c_str()) != 0 && errno != ENOENT) {
      return Status::ErrnoError(errno, "cannot remove %s", path.c_str());
    }
  }
  return Status::Ok();
}

}  // namespace

Status RemoveProcesses(const std::string& directory,
                       const std::function<bool(const std::string& stem)>& which) {
  return RemoveFiles(directory, "", which);
}

Status RemoveSegments(const std::string& directory,
                      const std::function<bool(const std::string& stem)>& which) {
  return RemoveFiles(directory, ".seg", which);
}

std::string NextStem(const std::string& stem) {
  const size_t start = stem.find('-');
  const size_t number = stem.find('-', start + 1);
  if (number == std::string::npos) return stem + "-1";
  const unsigned long program = strtoul(stem.c_str() + number + 1, nullptr, 10);
  return stem.substr(0, number + 1) + std::to_string(program + 1);
}

Status ListProcesses(const std::string& directory, std::vector<std::string>* stems) {
  stems->clear();
  RTL_TRY(ForEachName(directory, [&](std::string_view name) {
    if (!name.ends_with(".ctl")) return;
    const std::string_view stem = name.substr(0, name.size() - 4);
    if (IsStem(stem)) stems->emplace_back(stem);
  }));
  std::sort(stems->begin(), stems->end());
  return Status::Ok();
}

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
