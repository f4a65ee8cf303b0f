// SPDX-License-Identifier: MIT
#include "cli/trace/room.h"

#include <sys/statvfs.h>

#include "spool/format.h"
#include "trace/read/error.h"

namespace rtl::cli {
namespace {

constexpr uint64_t kLeastRoom = 4 * spool::kSegmentBytes;  // two segments in use, two under way

}  // namespace

Status CheckRoom(const std::string& folder, const std::string& shown) {
  struct statvfs disk;
  const bool known = statvfs(folder.c_str(), &disk) == 0;
  if (!known || uint64_t{disk.f_bavail} * disk.f_frsize >= kLeastRoom) return Status::Ok();
  return query::FileError(
      shown, "no room: the trace needs at least " + std::to_string(kLeastRoom >> 20) + " MB");
}

}  // namespace rtl::cli
