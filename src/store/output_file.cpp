// SPDX-License-Identifier: MIT
#include "store/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/unique_fd.h"

namespace rtl::store {

OutputFile::Identity OutputFile::Identity::Of(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return {};
  return {true, info.st_ino, info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec};
}

Status OutputFile::Make(const std::string& output) {
  struct stat info;
  if (stat(output.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    return Status::Error("cannot write %s: it is not a regular file", output.c_str());
  }
  output_ = output;
  replaced_ = Identity::Of(output);
  constexpr int kAttempts = 100;  // names that earlier runs may have left
  for (int i = 0; i < kAttempts; ++i) {
    const std::string name = output_ + ".tmp-" + std::to_string(getpid()) + "-" + std::to_string(i);
    const UniqueFd fd(open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (fd.valid()) {
      temporary_ = name;
      return Status::Ok();
    }
    if (errno != EEXIST) break;
  }
  return Status::ErrnoError(errno, "cannot write %s", output_.c_str());
}

Status OutputFile::CopyEarlier() {
  std::error_code error;
  std::filesystem::copy_file(output_, temporary_, std::filesystem::copy_options::overwrite_existing,
                             error);
  if (!error) return Status::Ok();
  return Status::Error("cannot copy %s: %s", output_.c_str(), error.message().c_str());
}

// One that an earlier database left under this name would be replayed into ours.
Status OutputFile::RemoveStaleJournals() const {
  for (const char* suffix : {"-wal", "-shm", "-journal"}) {
    const std::string stale = output_ + suffix;
    if (unlink(stale.c_str()) != 0 && errno != ENOENT) {
      return Status::ErrnoError(errno, "cannot remove %s", stale.c_str());
    }
  }
  return Status::Ok();
}

Status OutputFile::Publish(std::string* written) {
  RTL_TRY(RemoveStaleJournals());
  struct stat info;
  const bool regular = stat(output_.c_str(), &info) == 0 && S_ISREG(info.st_mode);
  if (regular && Identity::Of(output_) != replaced_) {
    RTL_TRY(PublishBeside(written));
  } else if (rename(temporary_.c_str(), output_.c_str()) == 0) {
    *written = output_;
  } else {
    return Status::ErrnoError(errno, "cannot write %s", output_.c_str());
  }
  temporary_.clear();
  return Status::Ok();
}

Status OutputFile::PublishBeside(std::string* written) {
  constexpr int kLastNumber = 9999;
  const std::filesystem::path path(output_);
  for (int number = 2; number <= kLastNumber; ++number) {
    std::filesystem::path name = path;
    name.replace_extension("." + std::to_string(number) + path.extension().string());
    if (renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, name.c_str(), RENAME_NOREPLACE) == 0) {
      *written = name.string();
      return Status::Ok();
    }
    if (errno != EEXIST) break;
  }
  return Status::ErrnoError(errno, "cannot write %s, nor beside it", output_.c_str());
}

void OutputFile::Drop() {
  if (temporary_.empty()) return;
  (void)unlink(temporary_.c_str());  // nobody to tell; it is not under the output's name
  temporary_.clear();
}

}  // namespace rtl::store
