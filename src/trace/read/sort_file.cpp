// SPDX-License-Identifier: MIT
#include "trace/read/sort_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <string>

#include "base/environment.h"
#include "trace/read/error.h"

namespace rtl::query {
namespace {

bool IsWritableFolder(const char* path) {
  struct stat info;
  return path != nullptr && stat(path, &info) == 0 && S_ISDIR(info.st_mode) &&
         access(path, W_OK | X_OK) == 0;
}

const char* Folder() {
  for (const char* path :
       {EnvironmentValue("SQLITE_TMPDIR"), EnvironmentValue("TMPDIR"), "/var/tmp", "/tmp"}) {
    if (IsWritableFolder(path)) return path;
  }
  return ".";
}

}  // namespace

Status SortFile::Failure(int error_number) const {
  if (error_number == ENOSPC || error_number == EDQUOT || error_number == EFBIG) {
    return FileError(trace_, kNoRoomToSort);
  }
  return FileErrno(trace_, "a temporary file failed while sorting; set TMPDIR", error_number);
}

Status SortFile::Make() {
  std::string path = std::string(Folder()) + "/rtl-sort-XXXXXX";
  fd_.reset(mkostemp(path.data(), O_CLOEXEC));
  if (!fd_.valid()) return Failure(errno);
  return unlink(path.c_str()) == 0 ? Status::Ok() : Failure(errno);
}

Status SortFile::Append(const void* bytes, size_t size) {
  if (!fd_.valid()) RTL_TRY(Make());
  for (size_t done = 0; done < size;) {
    const ssize_t wrote = pwrite(fd_.get(), static_cast<const char*>(bytes) + done, size - done,
                                 static_cast<off_t>(size_ + done));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return Failure(wrote < 0 ? errno : ENOSPC);
    done += static_cast<size_t>(wrote);
  }
  size_ += size;
  return Status::Ok();
}

Status SortFile::Read(uint64_t offset, void* bytes, size_t size) const {
  for (size_t done = 0; done < size;) {
    const ssize_t got = pread(fd_.get(), static_cast<char*>(bytes) + done, size - done,
                              static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Failure(got < 0 ? errno : EIO);
    done += static_cast<size_t>(got);
  }
  return Status::Ok();
}

}  // namespace rtl::query
