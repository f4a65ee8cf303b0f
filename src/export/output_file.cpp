// SPDX-License-Identifier: MIT
#include "export/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/clock.h"
#include "trace/read/error.h"

namespace rtl::exporting {
namespace {

using query::FileErrno;
using query::FileError;

constexpr char kStdout[] = "-";
constexpr char kCannotWrite[] = "cannot be written";

}  // namespace

Status OutputFile::Open(const std::string& path, std::unique_ptr<OutputFile>* out) {
  std::unique_ptr<OutputFile> file(new OutputFile());
  file->path_ = path == kStdout ? "standard output" : path;
  RTL_TRY(MakeCompressor(path, &file->compressor_));
  struct stat info;
  if (path == kStdout) {
    file->fd_.reset(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0));
    if (!file->fd_.valid()) return FileErrno(file->path_, kCannotWrite, errno);
  } else if (stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    if (S_ISDIR(info.st_mode)) return FileError(path, "cannot be written: a directory");
    RTL_TRY(S_ISFIFO(info.st_mode) ? file->OpenPipe() : file->OpenInPlace());
  } else {
    RTL_TRY(file->OpenTemporary());
  }
  *out = std::move(file);
  return Status::Ok();
}

Status OutputFile::OpenInPlace() {
  fd_.reset(open(path_.c_str(), O_WRONLY | O_CLOEXEC));
  return fd_.valid() ? Status::Ok() : FileErrno(path_, kCannotWrite, errno);
}

// Waits a limited time, because a pipe without a reader would block for ever.
Status OutputFile::OpenPipe() {
  constexpr uint64_t kWaitNs = 10'000'000'000;
  constexpr uint64_t kPauseNs = 20'000'000;
  const uint64_t deadline = BootTimeNs() + kWaitNs;
  for (;;) {
    fd_.reset(open(path_.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
    if (fd_.valid()) break;
    if (errno != ENXIO) return FileErrno(path_, kCannotWrite, errno);
    if (BootTimeNs() >= deadline) {
      return FileError(path_, "cannot be written: a pipe that no program reads");
    }
    Nap(kPauseNs);
  }
  const int flags = fcntl(fd_.get(), F_GETFL);
  if (flags >= 0 && fcntl(fd_.get(), F_SETFL, flags & ~O_NONBLOCK) == 0) return Status::Ok();
  return FileErrno(path_, kCannotWrite, errno);
}

Status OutputFile::OpenTemporary() {
  const size_t slash = path_.rfind('/');
  const size_t name = slash == std::string::npos ? 0 : slash + 1;
  if (name == path_.size()) return FileError(path_, "cannot be written: no file name");
  const std::string stem =
      path_.substr(0, name) + "." + path_.substr(name) + "." + std::to_string(getpid()) + "-";
  constexpr int kAttempts = 100;  // number of names that earlier runs may have left
  for (int i = 0; i < kAttempts; ++i) {
    const std::string attempt = stem + std::to_string(i);
    fd_.reset(open(attempt.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (fd_.valid()) {
      temporary_ = attempt;
      return Status::Ok();
    }
    if (errno != EEXIST) break;
  }
  return FileErrno(path_, kCannotWrite, errno);
}

OutputFile::~OutputFile() {
  // If the temporary file cannot be removed, it stays.
  if (!temporary_.empty()) (void)unlink(temporary_.c_str());
}

Status OutputFile::WriteAll(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = write(fd_.get(), bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return FileErrno(path_, "writing failed", errno);
    bytes.remove_prefix(static_cast<size_t>(wrote));
  }
  return Status::Ok();
}

Status OutputFile::Write(std::string_view bytes, bool last) {
  if (compressor_ == nullptr) return WriteAll(bytes);
  compressed_.clear();
  RTL_TRY(compressor_->Compress(bytes, last, &compressed_));
  return WriteAll(compressed_);
}

void OutputFile::NextBuffer() { failure_ = behind_.Give(&buffer_); }

void OutputFile::Append(std::string_view bytes) {
  while (!bytes.empty()) {
    if (buffer_.used == WriteBehind::kBufferBytes) NextBuffer();
    const size_t part = std::min(bytes.size(), WriteBehind::kBufferBytes - buffer_.used);
    std::memcpy(buffer_.bytes.get() + buffer_.used, bytes.data(), part);
    buffer_.used += part;
    bytes.remove_prefix(part);
  }
}

Status OutputFile::Flush() {
  if (flushed_) return result();
  flushed_ = true;
  failure_ = behind_.Finish();
  if (failure_.ok()) failure_ = Write(buffer_.view(), true);
  RTL_TRY(failure_);
  // Some file systems report a full disk only when the file is closed.
  if (close(fd_.release()) != 0) failure_ = FileErrno(path_, "writing failed", errno);
  return result();
}

Status OutputFile::Commit() {
  RTL_TRY(Flush());
  if (temporary_.empty()) return Status::Ok();
  if (rename(temporary_.c_str(), path_.c_str()) != 0) return FileErrno(path_, kCannotWrite, errno);
  temporary_.clear();
  return Status::Ok();
}

}  // namespace rtl::exporting
