// SPDX-License-Identifier: MIT
#include "cli/base/installation.h"

#include <filesystem>
#include <system_error>

namespace rtl::cli {

namespace fs = std::filesystem;

Status FindLibrary(const std::string& name, std::string* path) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return Status::Error("/proc/self/exe: %s", error.message().c_str());
  const fs::path library = program.parent_path().parent_path() / "lib" / name;
  if (!fs::exists(library, error)) {
    return Status::Error("%s is missing from this installation", library.c_str());
  }
  // LD_PRELOAD and HSA_TOOLS_LIB are lists.
  if (library.string().find_first_of(": ") != std::string::npos) {
    return Status::Error(
        "%s cannot be loaded: its path contains a blank or a colon; install rtl elsewhere",
        library.c_str());
  }
  *path = library.string();
  return Status::Ok();
}

}  // namespace rtl::cli
