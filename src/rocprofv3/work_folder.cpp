// SPDX-License-Identifier: MIT
#include "rocprofv3/work_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "cli/trace/recovery.h"
#include "cli/trace/spool_directory.h"
#include "spool/directory.h"
#include "trace/read/error.h"
#include "trace/write/claim.h"
#include "trace/write/earlier_trace.h"

namespace rtl::v3 {
namespace {

namespace fs = std::filesystem;

constexpr char kPrefix[] = ".rocprofv3-";
constexpr char kOwnerFile[] = "owner";
constexpr char kSpoolFolder[] = "spool";

// A lock ends with the process that holds it, whichever boot, PID namespace or host that process is
// of.
bool Lock(const std::string& path, int flags, UniqueFd* file) {
  file->reset(open(path.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC | flags, 0600));
  return file->valid() && flock(file->get(), LOCK_EX | LOCK_NB) == 0;
}

std::vector<std::string> TracesIn(const fs::path& folder) {
  std::vector<std::string> traces;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const bool is_named = at->path().filename().string().starts_with("trace.");
    if (is_named && store::IsTrace(at->path().string())) traces.push_back(at->path().string());
  }
  std::sort(traces.begin(), traces.end());
  return traces;
}

bool IsEmptySpool(const std::string& spool) {
  std::vector<std::string> processes;
  return !spool::ListProcesses(spool, &processes).ok() || processes.empty();
}

// Returns a sentence about a folder whose owner has ended; empty: there is nothing to report. A
// folder without records and traces is removed.
std::string Look(const fs::path& folder) {
  struct stat info;
  if (lstat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != geteuid()) {
    return "";
  }
  UniqueFd owner;
  if (!Lock((folder / kOwnerFile).string(), 0, &owner)) return "";
  const std::string spool = (folder / kSpoolFolder).string();
  const std::vector<std::string> traces = TracesIn(folder);
  if (IsEmptySpool(spool) && traces.empty()) {
    std::error_code ignored;  // a leftover does no harm
    fs::remove_all(folder, ignored);
    return "";
  }
  if (store::WasLeft(spool)) {
    return "an earlier run was killed and left its records in " + folder.string() +
           "; this makes the database of them: rtl collect --spool " + cli::Quoted(spool) +
           " --output FILE.db";
  }
  if (traces.empty()) return "";  // the traced program still runs
  return "an earlier run left a trace without files; this writes them: rtl convert --to csv -o "
         "NAME " +
         cli::Quoted(traces.front()) + " (then remove " + folder.string() + ")";
}

void FindLeft(const fs::path& beside, std::vector<std::string>* left) {
  constexpr size_t kMost = 3;
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator at(beside, error), end; !error && at != end; at.increment(error)) {
    if (at->path().filename().string().starts_with(kPrefix)) found.push_back(at->path());
  }
  std::sort(found.begin(), found.end());
  for (const fs::path& folder : found) {
    if (left->size() == kMost) return;
    const std::string sentence = Look(folder);
    if (!sentence.empty()) left->push_back(sentence);
  }
}

}  // namespace

WorkFolder::~WorkFolder() {
  std::error_code ignored;  // a leftover does no harm
  if (!path_.empty() && !is_kept_) fs::remove_all(path_, ignored);
}

fs::file_time_type WorkFolder::made() const {
  std::error_code error;
  const fs::file_time_type time = fs::last_write_time(File(kOwnerFile), error);
  return error ? fs::file_time_type::max() : time;
}

bool WorkFolder::HoldsRecords() const { return !IsEmptySpool(File(kSpoolFolder)); }

Status WorkFolder::Make(const std::string& beside, std::vector<std::string>* left) {
  std::error_code error;
  fs::create_directories(beside, error);
  if (error) return query::FileErrno(beside, "cannot be made", error.value());
  const fs::path absolute = fs::absolute(beside, error);
  std::string pattern = (absolute / kPrefix).string() + "XXXXXX";
  if (error || mkdtemp(pattern.data()) == nullptr) {
    return query::FileErrno(beside, "cannot be written to", errno);
  }
  path_ = pattern;
  RTL_TRY(cli::CheckRoom(path_, beside));
  if (!Lock(File(kOwnerFile), O_CREAT, &owner_) && !owner_.valid()) {
    return query::FileErrno(beside, "cannot be written to", errno);
  }
  const std::string spool = File(kSpoolFolder);
  fs::create_directory(spool, error);
  if (error) return query::FileErrno(spool, "cannot be made", error.value());
  fs::permissions(spool, fs::perms::owner_all, error);
  FindLeft(absolute, left);
  return Status::Ok();
}

}  // namespace rtl::v3
