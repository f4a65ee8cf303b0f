// SPDX-License-Identifier: MIT
// temporary_folder.h: a private folder in TMPDIR. The destructor removes it with its contents.
#pragma once

#include <errno.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

#include "base/status.h"

namespace rtl::cli {

class TemporaryFolder {
 public:
  TemporaryFolder() = default;
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;  // a leftover folder does no harm
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }

  // `name`: how its name begins. `purpose`: what it is for, in the error.
  Status Make(const std::string& name, const char* purpose) {
    std::error_code error;
    const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
    std::string pattern = (error ? "/tmp" : parent) / (name + "-XXXXXX");
    if (mkdtemp(pattern.data()) == nullptr)
      return Status::ErrnoError(errno, "cannot make a directory for %s", purpose);
    path_ = pattern;
    return Status::Ok();
  }
  // Empty before Make.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace rtl::cli
