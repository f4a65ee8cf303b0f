// SPDX-License-Identifier: MIT
#include "selftest/driver_access.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rtl::selftest {
namespace {

constexpr char kDriver[] = "/dev/kfd";
constexpr char kInContainers[] = "a container needs --device /dev/kfd --device /dev/dri";

// The error of opening the file, or 0. It is opened because permissions do not show what a
// container forbids.
int ErrorOf(const char* path) {
  const int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) return errno;
  close(fd);
  return 0;
}

// "; is this user in the groups render and video? The file belongs to the group render".
std::string GroupOf(const char* path) {
  std::string text = "; is this user in the groups render and video?";
  struct stat about = {};
  if (stat(path, &about) != 0) return text;
  const group* const owner = getgrgid(about.st_gid);
  const std::string number = std::to_string(about.st_gid);
  text += " It belongs to the group " + (owner != nullptr ? owner->gr_name : number);
  return text + " (a container: --group-add " + number + ")";
}

}  // namespace

std::string WhyNoDriver() {
  const int error = ErrorOf(kDriver);
  if (error == 0) return "";
  const std::string name = kDriver;
  if (error == ENOENT)
    return "no AMD GPU (no " + name + "): the driver amdgpu is not loaded, or " + kInContainers;
  const std::string why = name + ": " + strerror(error);
  if (error == EACCES) return why + GroupOf(kDriver);
  if (error == EPERM) return why + "; " + kInContainers;
  return why + "; dmesg may say more about the driver amdgpu";
}

std::string WhyNoRenderNode(const std::string& path) {
  const int error = ErrorOf(path.c_str());
  if (error == 0) return "";
  return path + ": " + strerror(error) + (error == EACCES ? GroupOf(path.c_str()) : "");
}

}  // namespace rtl::selftest
