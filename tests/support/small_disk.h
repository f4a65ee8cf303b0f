// SPDX-License-Identifier: MIT
// small_disk.h: a file system of a few megabytes on a directory, for the lifetime of this object.
#pragma once

#include <sys/mount.h>

#include <string>

namespace rtl::test {

class SmallDisk {
 public:
  // `options`: of mount(2) for a tmpfs, such as "size=8m".
  SmallDisk(const std::string& path, const char* options)
      : path_(path), mounted_(mount("none", path.c_str(), "tmpfs", 0, options) == 0) {}
  ~SmallDisk() {
    // Lazily: files may still be mapped. The file system is gone when the process ends.
    if (mounted_) (void)umount2(path_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  // False without the right to mount: skip the test.
  bool mounted() const { return mounted_; }

 private:
  std::string path_;
  bool mounted_;
};

}  // namespace rtl::test
