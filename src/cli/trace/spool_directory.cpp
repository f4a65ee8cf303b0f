// SPDX-License-Identifier: MIT
#include "cli/trace/spool_directory.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <filesystem>
#include <vector>

#include "spool/directory.h"
#include "spool/format.h"
#include "trace/read/error.h"

namespace rtl::cli {

namespace fs = std::filesystem;

SpoolDirectory::~SpoolDirectory() {
  std::error_code ignored;
  if (!path_.empty() && (is_collected_ || !HoldsRecords())) fs::remove_all(path_, ignored);
}

Status SpoolDirectory::Make(const std::string& output) {
  struct stat info;
  if (stat(output.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) {
    return query::FileError(output, "cannot be written: a directory");
  }
  std::error_code error;
  const fs::path absolute = fs::absolute(output, error);
  if (error) return query::FileErrno(output, "cannot be written", error.value());
  std::string pattern = absolute.string() + ".spool-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) {
    return query::FileErrno(output, "cannot be written", errno);
  }
  path_ = pattern;
  return CheckRoom(path_, output);
}

bool SpoolDirectory::HoldsRecords() const {
  std::vector<std::string> processes;
  return spool::ListProcesses(path_, &processes).ok() && !processes.empty();
}

namespace {

// Two segments in use, and two spare ones.
constexpr uint64_t kLeastRoom = 4 * spool::kSegmentBytes;

}  // namespace

Status CheckRoom(const std::string& folder, const std::string& shown) {
  struct statvfs disk;
  const bool known = statvfs(folder.c_str(), &disk) == 0;
  if (!known || uint64_t{disk.f_bavail} * disk.f_frsize >= kLeastRoom) return Status::Ok();
  return query::FileError(
      shown, "no room: the trace needs at least " + std::to_string(kLeastRoom >> 20) + " MB");
}

}  // namespace rtl::cli
