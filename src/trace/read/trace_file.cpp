// SPDX-License-Identifier: MIT
#include "trace/read/trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

#include "base/unique_fd.h"
#include "btree/format.h"
#include "trace/read/error.h"

namespace rtl::query {
namespace {

constexpr int kLongestValue = 16 << 20;
constexpr char kMagic[] = "SQLite format 3";

// The size that the header states, or 0 if it does not state the size.
uint64_t PromisedBytes(const uint8_t* header) {
  const bool pages_valid = btree::GetBig(header + btree::kChangeCounterOffset, 4) ==
                           btree::GetBig(header + btree::kVersionValidOffset, 4);
  const uint64_t pages = btree::GetBig(header + btree::kPageCountOffset, 4);
  return pages_valid ? btree::PageBytes(header) * pages : 0;
}

Status CheckHeader(const std::string& path, int fd, uint64_t file_bytes) {
  uint8_t header[btree::kDatabaseHeaderBytes];
  const ssize_t got = pread(fd, header, sizeof(header), 0);
  if (got < 0) return FileErrno(path, "cannot be read", errno);
  const size_t compared = std::min<size_t>(static_cast<size_t>(got), sizeof(kMagic));
  if (std::memcmp(header, kMagic, compared) != 0) return FileError(path, "not a database");
  if (static_cast<size_t>(got) < sizeof(header)) return FileError(path, "truncated in its header");
  const uint64_t promised = PromisedBytes(header);
  if (file_bytes < promised) {
    return FileError(path, "truncated: " + std::to_string(file_bytes) + " of " +
                               std::to_string(promised) + " bytes");
  }
  return Status::Ok();
}

bool NonEmpty(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && info.st_size > 0;
}

// The path in the form of SQLite's file: URI.
std::string FileUri(const std::string& path, const char* parameters) {
  std::string uri = "file:";
  for (const char c : path) {
    if (c == '?' || c == '#' || c == '%') {
      static constexpr char kHex[] = "0123456789ABCDEF";
      uri += '%';
      uri += kHex[static_cast<unsigned char>(c) >> 4];
      uri += kHex[static_cast<unsigned char>(c) & 15];
    } else {
      uri += c;
    }
  }
  return uri + "?" + parameters;
}

}  // namespace

Status CheckTraceFile(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) {
    if (errno == ENOENT) return FileError(path, "no such file");
    return FileErrno(path, "cannot be opened", errno);
  }
  if (S_ISDIR(info.st_mode)) return FileError(path, "a directory, not a trace");
  if (!S_ISREG(info.st_mode)) return FileError(path, "not a regular file");

  const UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return FileErrno(path, "cannot be opened", errno);
  if (info.st_size == 0) return FileError(path, "empty");
  RTL_TRY(CheckHeader(path, fd.get(), static_cast<uint64_t>(info.st_size)));
  for (const char* suffix : {"-wal", "-journal"}) {
    if (NonEmpty(path + suffix)) {
      return FileError(path, std::string("another program has it open for writing (") + suffix +
                                 " file beside it); finish that first");
    }
  }
  return Status::Ok();
}

Status OpenDatabase(const std::string& path, sqlite3** out) {
  // immutable=1: no locks, and no -wal or -shm files. This is correct, because a trace with its
  // final name is complete.
  int code = sqlite3_open_v2(FileUri(path, "mode=ro&immutable=1").c_str(), out,
                             SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  if (code != SQLITE_OK) return SqliteError(path, *out, code);
  // The file is not trusted: its schema must not be able to call functions, and its cells are
  // checked.
  (void)sqlite3_db_config(*out, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  (void)sqlite3_db_config(*out, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  (void)sqlite3_limit(*out, SQLITE_LIMIT_LENGTH, kLongestValue);
  code = sqlite3_exec(*out, "PRAGMA cell_size_check = ON; PRAGMA temp_store = FILE", nullptr,
                      nullptr, nullptr);
  return code == SQLITE_OK ? Status::Ok() : SqliteError(path, *out, code);
}

}  // namespace rtl::query
