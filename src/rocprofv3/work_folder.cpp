// SPDX-License-Identifier: MIT
#include "rocprofv3/work_folder.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <fstream>

#include "query/error.h"
#include "spool/directory.h"
#include "spool/process_stat.h"
#include "spool/sharing.h"

namespace rtl::v3 {
namespace {

namespace fs = std::filesystem;

constexpr char kPrefix[] = ".rocprofv3-";
constexpr char kOwnerFile[] = "owner";
constexpr char kSpoolFolder[] = "spool";

// The scope of process numbers: this boot and this namespace. Other nodes and containers may use
// the same disk. Empty: not known.
std::string PlaceOf(const spool::ProcessInfo& self) {
  std::error_code error;
  const std::string numbers = fs::read_symlink("/proc/self/ns/pid", error).string();
  const std::string boot = self.boot_id;
  return error || boot.empty() ? "" : boot + " " + numbers;
}

Status WriteOwner(const std::string& path) {
  spool::ProcessInfo self;
  spool::DescribeThisProcess(&self);
  std::ofstream file(path);
  file << PlaceOf(self) << '\n' << self.pid << ' ' << self.start_ticks << '\n' << std::flush;
  return file ? Status::Ok() : query::FileErrno(path, "cannot be written", errno);
}

// "<pid>-<start>" or "<pid>-<start>-<n>".
bool ProcessRuns(const std::string& stem) {
  spool::CollectorProcess process;
  const char* const end = stem.data() + stem.size();
  const char* const dash = std::from_chars(stem.data(), end, process.pid).ptr;
  if (dash == end || *dash != '-') return true;  // not known
  std::from_chars(dash + 1, end, process.start_ticks);
  return spool::Alive(process);
}

// The folder of a killed run of this user. False when that is uncertain.
bool IsAbandoned(const fs::path& folder, const std::string& place) {
  struct stat info;
  if (lstat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != geteuid()) {
    return false;
  }
  std::ifstream file(folder / kOwnerFile);
  std::string owners_place;
  spool::CollectorProcess owner;
  if (!std::getline(file, owners_place) || !(file >> owner.pid >> owner.start_ticks)) return false;
  if (owners_place != place || owner.pid == 0 || spool::Alive(owner)) return false;
  std::vector<std::string> stems;
  if (!spool::ListProcesses((folder / kSpoolFolder).string(), &stems).ok()) return false;
  for (const std::string& stem : stems) {
    if (ProcessRuns(stem)) return false;
  }
  return true;
}

void RemoveAbandoned(const fs::path& beside, std::vector<std::string>* removed) {
  spool::ProcessInfo self;
  spool::DescribeThisProcess(&self);
  const std::string place = PlaceOf(self);
  if (place.empty()) return;
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator at(beside, error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    if (at->path().filename().string().starts_with(kPrefix)) found.push_back(at->path());
  }
  for (const fs::path& folder : found) {
    if (!IsAbandoned(folder, place)) continue;
    fs::remove_all(folder, error);
    if (!error) removed->push_back(folder.filename().string());
  }
}

}  // namespace

WorkFolder::~WorkFolder() {
  std::error_code ignored;  // a leftover does no harm
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

Status WorkFolder::Make(const std::string& beside, std::vector<std::string>* removed) {
  std::error_code error;
  fs::create_directories(beside, error);
  if (error) return query::FileErrno(beside, "cannot be made", error.value());
  const fs::path absolute = fs::absolute(beside, error);
  std::string pattern = (absolute / kPrefix).string() + "XXXXXX";
  if (error || mkdtemp(pattern.data()) == nullptr) {
    return query::FileErrno(beside, "cannot be written to", errno);
  }
  path_ = pattern;
  const std::string spool = File(kSpoolFolder);
  fs::create_directory(spool, error);
  if (error) return query::FileErrno(spool, "cannot be made", error.value());
  fs::permissions(spool, fs::perms::owner_all, error);
  RTL_TRY(WriteOwner(File(kOwnerFile)));
  RemoveAbandoned(absolute, removed);
  return Status::Ok();
}

}  // namespace rtl::v3
