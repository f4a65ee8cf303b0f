// SPDX-License-Identifier: MIT
// temp_dir.h: a private directory for one test, removed with everything in it.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

namespace rtl::test {

class TempDir {
 public:
  TempDir() {
    std::string pattern = (std::filesystem::temp_directory_path() / "rtl-test-XXXXXX").string();
    const char* made = mkdtemp(pattern.data());
    if (made == nullptr) abort();
    path_ = made;
  }
  ~TempDir() {
    std::error_code ignored;  // a leftover in /tmp must not fail the test
    std::filesystem::remove_all(path_, ignored);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::string& path() const { return path_; }
  std::string File(const std::string& name) const { return path_ + "/" + name; }
  size_t Count() const {
    const auto entries = std::filesystem::directory_iterator(path_);
    return static_cast<size_t>(std::distance(begin(entries), end(entries)));
  }

 private:
  std::string path_;
};

}  // namespace rtl::test
