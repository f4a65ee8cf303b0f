// SPDX-License-Identifier: MIT
#include "trace/collect/spool_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "spool/directory.h"
#include "spool/overflow.h"
#include "spool/sharing.h"
#include "trace/write/asks.h"

namespace rtl::store {

Status SpoolFolder::Open(const std::string& name) {
  name_ = name;
  struct stat info;
  if (stat(name.c_str(), &info) != 0) {
    return Status::ErrnoError(errno, "cannot read the spool %s", name.c_str());
  }
  if (!S_ISDIR(info.st_mode)) {
    return Status::Error("cannot read the spool %s: it is not a directory", name.c_str());
  }
  if (!claim_.Take(name)) {
    return Status::Error("another collector reads the spool %s", name.c_str());
  }
  path_ = name;
  folder_.reset(open(name.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  const std::string by_number = "/proc/self/fd/" + std::to_string(folder_.get()) + "/.";
  if (access(by_number.c_str(), F_OK) == 0) path_ = by_number;
  return Status::Ok();
}

std::string SpoolFolder::Readable(std::string sentence) const {
  const size_t at = sentence.find(path_);
  return at == std::string::npos ? sentence : sentence.replace(at, path_.size(), name_);
}

bool SpoolFolder::HasItsName() const {
  struct stat ours, named;
  if (fstat(folder_.get(), &ours) != 0) return true;  // not known, so assumed
  return stat(name_.c_str(), &named) == 0 && named.st_dev == ours.st_dev &&
         named.st_ino == ours.st_ino;
}

void SpoolFolder::Remove(const std::function<bool(const std::string& stem)>& read,
                         const std::function<void(std::string sentence)>& warn) {
  const Status removed = spool::RemoveProcesses(path_, read);
  if (!removed.ok()) warn(removed.message());
  spool::RemoveSharing(path_.c_str());
  spool::RemoveOverflow(path_.c_str());
  RemoveAsks(path_);
  RemoveClaim(path_);
  // The folder is not empty if a process has just opened its spool, or if it has a foreign file.
  std::error_code error;
  const std::filesystem::path now =
      std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(folder_.get()), error);
  if (rmdir(error ? name_.c_str() : now.c_str()) != 0) {
    warn("the spool directory " + name_ + " could not be removed");
  }
}

}  // namespace rtl::store
