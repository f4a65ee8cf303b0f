// SPDX-License-Identifier: MIT
#include "dataset/claim.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <vector>

#include "dataset/columns.h"
#include "dataset/table_writer.h"
#include "tables/columns.h"

namespace rtl::dataset {
namespace {

std::vector<std::string> TableNames() {
  // The file of processes is removed first: without it, readers treat the rank as incomplete.
  std::vector<std::string> names = {"processes"};
  for (const tables::Table& table : tables::Tables()) {
    if (table.id != tables::TableId::kProcesses) names.emplace_back(table.name);
  }
  for (const Table& table : OwnTables()) names.emplace_back(table.name);
  return names;
}

}  // namespace

Status Claim::Acquire(const std::string& folder, const std::string& label, bool replace) {
  is_of_others_ = false;
  RTL_TRY(MakeFolder(folder));
  RTL_TRY(MakeFolder(folder + "/processes"));
  path_ = folder + "/processes/." + label + ".writing";
  while (true) {
    lock_.reset(open(path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (!lock_.valid()) return Status::ErrnoError(errno, "cannot write %s", path_.c_str());
    if (flock(lock_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      lock_.reset();
      is_of_others_ = true;
      return Status::Error(
          "another program is writing %s to %s: two processes have the same rank, or two runs the "
          "same folder",
          label.c_str(), folder.c_str());
    }
    // The last holder may have removed the file between open and flock. Then this lock is on no
    // file of the folder, so try again.
    struct stat mine, now;
    if (fstat(lock_.get(), &mine) == 0 && stat(path_.c_str(), &now) == 0 &&
        mine.st_ino == now.st_ino) {
      break;
    }
  }
  for (const std::string& table : TableNames()) {
    for (int number = 0;; ++number) {
      const std::string name = fmt::format("{}/{}/{}-{:06}.parquet", folder, table, label, number);
      if (access(name.c_str(), F_OK) != 0) break;
      if (!replace) {
        End();
        is_of_others_ = true;
        return Status::Error(
            "%s is there already; choose another folder, or replace the files of %s with --force",
            name.c_str(), label.c_str());
      }
      if (unlink(name.c_str()) != 0) {
        return Status::ErrnoError(errno, "cannot remove %s", name.c_str());
      }
    }
  }
  return Status::Ok();
}

void Claim::End() {
  if (!lock_.valid()) return;
  (void)unlink(path_.c_str());
  lock_.reset();
}

}  // namespace rtl::dataset
