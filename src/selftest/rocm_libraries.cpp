// SPDX-License-Identifier: MIT
#include "selftest/rocm_libraries.h"

#include <dlfcn.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>

namespace rtl::selftest {
namespace {

namespace fs = std::filesystem;

// Finds files NAME, NAME.7 and NAME.7.2. The shortest version comes first: it is a link that does
// not change.
void AddFilesOf(const fs::path& folder, const std::string& name, std::vector<std::string>* files) {
  std::error_code error;  // ignored: most of the folders do not exist
  std::vector<std::string> found;
  for (fs::directory_iterator each(folder, error), end; !error && each != end;
       each.increment(error)) {
    const std::string file = each->path().filename().string();
    if (file == name || file.starts_with(name + ".")) found.push_back(each->path().string());
  }
  std::sort(found.begin(), found.end());
  files->insert(files->end(), found.begin(), found.end());
}

// Folders of the Python environment in which this program is installed: PyTorch and AMD's own
// packages contain ROCm.
std::vector<fs::path> FoldersOfPython() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path packages = program.parent_path().parent_path().parent_path();
  if (error || program.parent_path().parent_path().filename() != "rocm_trace_lite") return {};
  return {packages / "_rocm_sdk_core/lib", packages / "torch/lib"};
}

std::vector<fs::path> FoldersOfRocm() {
  std::vector<fs::path> folders;
  const char* const chosen = getenv("ROCM_PATH");
  if (chosen != nullptr && *chosen != '\0') folders.emplace_back(fs::path(chosen) / "lib");
  folders.emplace_back("/opt/rocm/lib");
  std::error_code error;  // ignored: /opt may not exist
  std::vector<fs::path> versions;
  for (fs::directory_iterator each("/opt", error), end; !error && each != end;
       each.increment(error)) {
    if (each->path().filename().string().starts_with("rocm-"))
      versions.push_back(each->path() / "lib");
  }
  std::sort(versions.rbegin(), versions.rend());
  folders.insert(folders.end(), versions.begin(), versions.end());
  return folders;
}

}  // namespace

std::vector<std::string> LibraryCandidates(const std::string& name,
                                           const std::vector<std::string>& majors,
                                           const std::string& hip) {
  std::vector<std::string> candidates;
  if (hip.find('/') != std::string::npos)
    AddFilesOf(fs::path(hip).parent_path(), name, &candidates);
  for (const std::string& major : majors) candidates.push_back(name + "." + major);
  candidates.push_back(name);
  for (const fs::path& folder : FoldersOfPython()) AddFilesOf(folder, name, &candidates);
  for (const fs::path& folder : FoldersOfRocm()) AddFilesOf(folder, name, &candidates);
  return candidates;
}

void* OpenLibrary(const std::vector<std::string>& candidates, std::string* why) {
  for (const std::string& candidate : candidates) {
    void* const library = dlopen(candidate.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library != nullptr) return library;
    const std::string said = dlerror();
    // The error of a file that exists and cannot be loaded is more useful than that of a missing
    // file.
    if (why->empty() ||
        said.find("cannot open shared object file: No such file") == std::string::npos)
      *why = said;
  }
  return nullptr;
}

}  // namespace rtl::selftest
