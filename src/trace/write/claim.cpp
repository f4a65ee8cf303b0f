// SPDX-License-Identifier: MIT
#include "trace/write/claim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include "spool/directory.h"
#include "spool/reader.h"
#include "spool/sharing.h"

namespace rtl::store {
namespace {

constexpr char kClaimFile[] = "/reader";

bool WriterRuns(const std::string& directory, const std::string& stem) {
  std::unique_ptr<spool::ProcessReader> reader;
  if (spool::ProcessReader::Open(directory, stem, /*keep_segments=*/true, &reader).ok())
    return !reader->WriterGone();
  // The page is incomplete or of another version, so the process is identified by the stem:
  // "<pid>-<start time>", perhaps with an ending.
  spool::CollectorProcess process;
  char* end = nullptr;
  process.pid = static_cast<uint32_t>(strtoul(stem.c_str(), &end, 10));
  process.start_ticks = *end == '-' ? strtoull(end + 1, nullptr, 10) : 0;
  return spool::Alive(process);
}

// True if a process has announced a collector that lives, even if that collector has not begun to
// read.
bool CollectorRuns(const std::string& directory) {
  std::ifstream file(directory + "/" + spool::kCollectorFile);
  spool::CollectorProcess process;
  return file >> process.pid >> process.start_ticks && spool::Alive(process);
}

bool IsClaimed(const std::string& directory) {
  const UniqueFd file(open((directory + kClaimFile).c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  return file.valid() && flock(file.get(), LOCK_EX | LOCK_NB) != 0;
}

}  // namespace

bool Claim::Take(const std::string& directory) {
  file_.reset(
      open((directory + kClaimFile).c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file_.valid() || flock(file_.get(), LOCK_EX | LOCK_NB) == 0) return true;
  return errno != EWOULDBLOCK;
}

void RemoveClaim(const std::string& directory) {
  // if the file stays, removing the spool reports it
  (void)unlink((directory + kClaimFile).c_str());
}

bool HasReader(const std::string& directory) {
  return IsClaimed(directory) || CollectorRuns(directory);
}

bool HasWriter(const std::string& directory) {
  std::vector<std::string> stems;
  if (!spool::ListProcesses(directory, &stems).ok()) return false;
  return std::any_of(stems.begin(), stems.end(),
                     [&](const std::string& stem) { return WriterRuns(directory, stem); });
}

bool WasLeft(const std::string& directory) {
  struct stat info;
  if (lstat(directory.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != geteuid()) {
    return false;
  }
  std::vector<std::string> stems;
  if (!spool::ListProcesses(directory, &stems).ok() || stems.empty()) return false;
  return !HasReader(directory) && !HasWriter(directory);
}

std::vector<std::string> LeftBeside(const std::string& database) {
  const std::filesystem::path path(database);
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const std::string prefix = path.filename().string() + spool::kSpoolInfix;
  std::vector<std::string> left;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    if (!at->path().filename().string().starts_with(prefix)) continue;
    const std::string left_one =
        path.has_parent_path() ? at->path().string() : at->path().filename().string();
    if (WasLeft(left_one)) left.push_back(left_one);
  }
  std::sort(left.begin(), left.end());
  return left;
}

}  // namespace rtl::store
