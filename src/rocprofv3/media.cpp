// SPDX-License-Identifier: MIT
#include "rocprofv3/media.h"

#include <stdlib.h>

#include <filesystem>
#include <sstream>
#include <vector>

namespace rtl::v3 {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> Folders() {
  std::vector<std::string> folders;
  if (const char* const paths = getenv("LD_LIBRARY_PATH"); paths != nullptr) {
    std::istringstream list(paths);
    for (std::string path; std::getline(list, path, ':');) folders.push_back(path);
  }
  for (const char* name : {"ROCM_PATH", "ROCM_HOME"}) {
    if (const char* const root = getenv(name); root != nullptr) {
      folders.push_back(std::string(root) + "/lib");
    }
  }
  for (const char* path :
       {"/opt/rocm/lib", "/usr/lib", "/usr/lib64", "/usr/lib/x86_64-linux-gnu", "/usr/local/lib"}) {
    folders.emplace_back(path);
  }
  return folders;
}

}  // namespace

std::string FindInstalled(const std::string& name) {
  for (const std::string& folder : Folders()) {
    std::error_code none;
    for (auto file = fs::directory_iterator(folder, none); !none && file != fs::end(file);
         file.increment(none)) {
      if (file->path().filename().string().starts_with(name)) return file->path().string();
    }
  }
  return "";
}

}  // namespace rtl::v3
