// SPDX-License-Identifier: MIT
#include "trace/write/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "trace/write/earlier_trace.h"

namespace rtl::store {

OutputFile::Identity OutputFile::Identity::Of(int folder, const std::string& name) {
  struct stat info;
  if (fstatat(folder, name.c_str(), &info, 0) != 0) return {};
  return {true, info.st_ino, info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec};
}

// In a folder with the sticky bit, such as /tmp, only the owner of a file may replace it.
Status OutputFile::CheckReplaceable() const {
  struct stat folder, file;
  if (geteuid() == 0 || fstat(folder_.get(), &folder) != 0 ||
      fstatat(folder_.get(), name_.c_str(), &file, AT_SYMLINK_NOFOLLOW) != 0) {
    return Status::Ok();
  }
  const bool is_mine = file.st_uid == geteuid() || folder.st_uid == geteuid();
  if ((folder.st_mode & S_ISVTX) == 0 || is_mine) return Status::Ok();
  return Status::Error(
      "cannot write %s: the file belongs to another user, and only its owner may replace it in "
      "this "
      "folder (sticky bit); choose another name",
      output_.c_str());
}

Status OutputFile::Make(const std::string& output) {
  struct stat info;
  if (stat(output.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    return Status::Error("cannot write %s: it is not a regular file", output.c_str());
  }
  output_ = output;
  const std::filesystem::path path(output);
  name_ = path.filename().string();
  const std::string folder = path.has_parent_path() ? path.parent_path().string() : ".";
  folder_.reset(open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder_.valid()) return Status::ErrnoError(errno, "cannot write %s", output.c_str());
  RTL_TRY(CheckReplaceable());
  replaced_ = Identity::Of(folder_.get(), name_);
  RemoveLeftovers(folder);
  constexpr int kAttempts = 100;  // number of names that earlier runs may have left
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

// Makes the file and locks it. False with EEXIST if the name is taken.
bool OutputFile::TakeName(const std::string& name) {
  lock_.reset(open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (!lock_.valid()) return false;
  // Fails if the file system has no locks; later writers then do not remove the file.
  (void)flock(lock_.get(), LOCK_EX | LOCK_NB);
  struct stat info;
  if (fstat(lock_.get(), &info) == 0 && info.st_nlink > 0) return true;
  errno = EEXIST;  // another writer took it for a leftover and removed it before it was locked
  return false;
}

// Removes the temporary files of killed writers: their locks are held by no process on any machine.
void OutputFile::RemoveLeftovers(const std::string& folder) const {
  const std::string prefix = name_ + ".tmp-";
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.compare(0, prefix.size(), prefix) != 0) continue;
    if (name.find_first_not_of("0123456789-", prefix.size()) != std::string::npos) continue;
    const UniqueFd fd(open(entry.path().c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC));
    if (!fd.valid() || flock(fd.get(), LOCK_EX | LOCK_NB) != 0) continue;
    // a complete trace that only lacks its name, see Publish
    if (IsTrace(entry.path().string())) continue;
    for (const char* suffix : {"", "-wal", "-shm", "-journal"})
      (void)unlink((entry.path().string() + suffix).c_str());  // one that stays is harmless
  }
}

Status OutputFile::CopyEarlier() {
  std::error_code error;
  std::filesystem::copy_file(output_, temporary_, std::filesystem::copy_options::overwrite_existing,
                             error);
  if (!error) return Status::Ok();
  return Status::Error("cannot copy %s: %s", output_.c_str(), error.message().c_str());
}

// Removes journals that an earlier database left with this name, because SQLite would replay them.
void OutputFile::RemoveStaleJournals() const {
  for (const char* suffix : {"-wal", "-shm", "-journal"}) {
    // If this is not possible, the file cannot be renamed either.
    (void)unlinkat(folder_.get(), (name_ + suffix).c_str(), 0);
  }
}

// The present path of the folder, which may have changed since Make.
std::string OutputFile::FolderNow() const {
  std::error_code error;
  const std::filesystem::path before = std::filesystem::path(output_).parent_path();
  struct stat now, then;
  if (fstat(folder_.get(), &now) == 0 && stat(before.empty() ? "." : before.c_str(), &then) == 0 &&
      now.st_dev == then.st_dev && now.st_ino == then.st_ino) {
    return before.string();
  }
  const auto link = "/proc/self/fd/" + std::to_string(folder_.get());
  const std::filesystem::path path = std::filesystem::read_symlink(link, error);
  return error ? before.string() : path.string();
}

Status OutputFile::Publish(std::string* written, std::string* note) {
  const std::string temporary = std::filesystem::path(temporary_).filename().string();
  const std::filesystem::path folder = FolderNow();
  struct stat info;
  const bool regular =
      fstatat(folder_.get(), name_.c_str(), &info, 0) == 0 && S_ISREG(info.st_mode);
  const bool is_new = regular && Identity::Of(folder_.get(), name_) != replaced_;
  std::string name = name_;
  std::string why = output_ + " was written by another program meanwhile";
  bool done = false;
  if (!is_new) {
    RemoveStaleJournals();
    done = renameat(folder_.get(), temporary.c_str(), folder_.get(), name.c_str()) == 0;
    if (!done)
      why = std::string(Status::ErrnoError(errno, "cannot write %s", output_.c_str()).message());
  }
  if (!done && !TakeFreeName(&name)) name = temporary;
  bool as_asked = done && folder == std::filesystem::path(output_).parent_path();
  *written = as_asked ? output_ : (folder / name).string();
  struct stat named;
  const bool gone = fstatat(folder_.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0;
  const bool hidden = !gone && (stat(written->c_str(), &named) != 0 ||
                                named.st_dev != info.st_dev || named.st_ino != info.st_ino);
  if (gone || hidden) RTL_TRY(CopyAside(written));
  if (hidden) as_asked = false;
  if (hidden) why = "the folder of " + output_ + " cannot be reached by its name any more";
  if (done && !hidden && !as_asked) why = "the folder of " + output_ + " has another name now";
  if (note != nullptr && !as_asked) *note = why + "; this one is in " + *written;
  temporary_.clear();
  lock_.reset();
  return Status::Ok();
}

// Finds a free name such as "trace.2.db". False if no name can be used.
bool OutputFile::TakeFreeName(std::string* name) {
  constexpr int kLastNumber = 9999;
  const std::filesystem::path path(name_);
  const std::string temporary = std::filesystem::path(temporary_).filename().string();
  for (int number = 2; number <= kLastNumber; ++number) {
    std::filesystem::path free = path;
    free.replace_extension("." + std::to_string(number) + path.extension().string());
    if (renameat2(folder_.get(), temporary.c_str(), folder_.get(), free.c_str(),
                  RENAME_NOREPLACE) == 0) {
      *name = free.string();
      return true;
    }
    if (errno != EEXIST) return false;
  }
  return false;
}

// Copies the file to another folder. The file has no name any more, but its contents exist while it
// is open.
Status OutputFile::CopyAside(std::string* written) const {
  std::error_code error;
  std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  if (error) folder = "/tmp";
  std::string pattern = (folder / (name_ + ".XXXXXX")).string();
  const UniqueFd copy(mkostemp(pattern.data(), O_CLOEXEC));
  struct stat info;
  if (!copy.valid() || fstat(lock_.get(), &info) != 0) {
    return Status::ErrnoError(errno, "cannot write %s, nor %s", output_.c_str(), pattern.c_str());
  }
  off_t at = 0;
  while (at < info.st_size) {
    const ssize_t sent =
        sendfile(copy.get(), lock_.get(), &at, static_cast<size_t>(info.st_size - at));
    if (sent > 0 || (sent < 0 && errno == EINTR)) continue;
    (void)unlink(pattern.c_str());  // an incomplete copy is of no use
    return Status::ErrnoError(errno, "cannot write %s, nor %s", output_.c_str(), pattern.c_str());
  }
  *written = pattern;
  return Status::Ok();
}

void OutputFile::Drop() {
  if (temporary_.empty()) return;
  // A file that cannot be removed does no harm, because it does not have the output's name.
  (void)unlinkat(folder_.get(), std::filesystem::path(temporary_).filename().c_str(), 0);
  temporary_.clear();
  lock_.reset();
}

}  // namespace rtl::store
