// SPDX-License-Identifier: MIT
#include "cli/base/live_spool.h"

#include <sys/stat.h>

#include <charconv>
#include <vector>

#include "spool/directory.h"
#include "trace/read/error.h"
#include "trace/write/asks.h"
#include "trace/write/claim.h"

namespace rtl::cli {

Status LiveSpool(const std::string& name, std::string* spool, uint32_t* pid) {
  *pid = 0;
  struct stat info;
  if (stat(name.c_str(), &info) == 0) {
    if (!S_ISDIR(info.st_mode)) return Status::Ok();
    std::vector<std::string> processes;
    RTL_TRY(spool::ListProcesses(name, &processes));
    if (processes.empty() && !store::HasReader(name))
      return query::FileError(name, "a folder without the spool of a trace");
    *spool = name;
    return Status::Ok();
  }
  const char* const end = name.data() + name.size();
  if (std::from_chars(name.data(), end, *pid).ptr != end || *pid == 0) return Status::Ok();
  *spool = store::SpoolOf(*pid);
  if (!spool->empty()) return Status::Ok();
  return Status::Error("process %u is not traced, has ended, or belongs to another user", *pid);
}

}  // namespace rtl::cli
