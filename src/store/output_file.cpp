// SPDX-License-Identifier: MIT
#include "store/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

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
  RemoveLeftovers();
  constexpr int kAttempts = 100;  // names that earlier runs may have left
  for (int i = 0; i < kAttempts; ++i) {
    const std::string name = output_ + ".tmp-" + std::to_string(getpid()) + "-" + std::to_string(i);
    if (TakeName(name)) {
      temporary_ = name;
      return Status::Ok();
    }
    if (errno != EEXIST) break;
  }
  return Status::ErrnoError(errno, "cannot write %s", output_.c_str());
}

// Makes the file and locks it. False with EEXIST: the name is taken.
bool OutputFile::TakeName(const std::string& name) {
  lock_.reset(open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (!lock_.valid()) return false;
  // A file system without locks: later writers do not remove the file
  (void)flock(lock_.get(), LOCK_EX | LOCK_NB);
  struct stat info;
  if (fstat(lock_.get(), &info) == 0 && info.st_nlink > 0) return true;
  errno = EEXIST;  // another writer removed it as a leftover before it was locked
  return false;
}

// Removes the files of killed writers: no process on any machine holds their locks.
void OutputFile::RemoveLeftovers() const {
  const std::filesystem::path path(output_);
  const std::string prefix = path.filename().string() + ".tmp-";
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.compare(0, prefix.size(), prefix) != 0) continue;
    if (name.find_first_not_of("0123456789-", prefix.size()) != std::string::npos) continue;
    const UniqueFd fd(open(entry.path().c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC));
    if (!fd.valid() || flock(fd.get(), LOCK_EX | LOCK_NB) != 0) continue;
    for (const char* suffix : {"", "-wal", "-shm", "-journal"})
      (void)unlink((entry.path().string() + suffix).c_str());  // a leftover that stays does no harm
  }
}

Status OutputFile::CopyEarlier() {
  std::error_code error;
  std::filesystem::copy_file(output_, temporary_, std::filesystem::copy_options::overwrite_existing,
                             error);
  if (!error) return Status::Ok();
  return Status::Error("cannot copy %s: %s", output_.c_str(), error.message().c_str());
}

// SQLite would replay a journal that an earlier database left under this name.
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
  lock_.reset();
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
  (void)unlink(temporary_.c_str());  // a leftover that stays is not under the output's name
  temporary_.clear();
  lock_.reset();
}

}  // namespace rtl::store
