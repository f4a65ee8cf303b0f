// SPDX-License-Identifier: MIT
#include "trace/read/error.h"

#include <sqlite3.h>

#include <cstring>

#include "trace/read/printable.h"

namespace rtl::query {
namespace {

constexpr size_t kLongestPath = 110;

std::string Shorten(const std::string& path) {
  if (path.empty()) return "''";
  if (path.size() <= kLongestPath) return path;
  const size_t tail = kLongestPath * 2 / 3;
  const size_t head = kLongestPath - tail - 3;
  return path.substr(0, head) + "..." + path.substr(path.size() - tail);
}

}  // namespace

Status FileError(const std::string& path, const std::string& cause) {
  return Status::Error("%s: %s", Shorten(path).c_str(), cause.c_str());
}

Status FileErrno(const std::string& path, const std::string& what, int error_number) {
  return Status::ErrnoError(error_number, "%s: %s", Shorten(path).c_str(), what.c_str());
}

Status SqliteError(const std::string& path, sqlite3* db, int code) {
  // The message may quote the schema of the file, which may have line breaks.
  const std::string text = Printable(db != nullptr ? sqlite3_errmsg(db) : sqlite3_errstr(code));
  switch (code & 0xff) {
    case SQLITE_INTERRUPT:
      return Status::Error("%s", kCancelled);
    case SQLITE_NOTADB:
      return FileError(path, "not a database");
    case SQLITE_CORRUPT:
      return FileError(path, "damaged: " + text);
    case SQLITE_FULL:
      return FileError(path, kNoRoomToSort);
    case SQLITE_IOERR:
      return FileErrno(path, "reading failed", sqlite3_system_errno(db));
    case SQLITE_NOMEM:
      return FileError(path, "out of memory");
    default:
      return FileError(path, "cannot be read as a trace: " + text);
  }
}

bool WasCancelled(const Status& status) { return std::strcmp(status.message(), kCancelled) == 0; }

}  // namespace rtl::query
