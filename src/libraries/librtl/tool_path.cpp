// SPDX-License-Identifier: MIT
#include "libraries/librtl/tool_path.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/text.h"

namespace rtl {
namespace {

constexpr char kProgram[] = "rtl";

bool Runnable(const char* path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

// If `candidate` is a program, stores its absolute path without links and returns true.
bool Accept(const char* candidate, char* out, size_t size) {
  if (!Runnable(candidate)) return false;
  char absolute[PATH_MAX];
  return realpath(candidate, absolute) != nullptr && CopyText(out, size, absolute);
}

bool FindBeside(const char* library, char* out, size_t size) {
  char absolute[PATH_MAX];
  if (library == nullptr || realpath(library, absolute) == nullptr) return false;
  char* slash = strrchr(absolute, '/');
  if (slash == nullptr) return false;
  *slash = '\0';
  char candidate[PATH_MAX + 16];
  snprintf(candidate, sizeof candidate, "%s/../bin/%s", absolute, kProgram);
  return Accept(candidate, out, size);
}

bool FindInPath(const char* path, char* out, size_t size) {
  while (path != nullptr && *path != '\0') {
    const size_t bytes = strcspn(path, ":");
    char candidate[PATH_MAX];
    const int used = snprintf(candidate, sizeof candidate, "%.*s/%s", static_cast<int>(bytes),
                              bytes == 0 ? "" : path, kProgram);
    const bool fits = used > 0 && static_cast<size_t>(used) < sizeof candidate;
    // An empty entry means the current directory, from which no program is started.
    if (bytes != 0 && fits && Accept(candidate, out, size)) return true;
    path += bytes;
    if (*path == ':') ++path;
  }
  return false;
}

}  // namespace

Status FindTool(const char* wish, const char* library, const char* path, char* out, size_t size) {
  if (*wish != '\0') {
    if (Accept(wish, out, size)) return Status::Ok();
    return Status::Error("RTL_TOOL=%.160s is not a program", wish);
  }
  if (FindBeside(library, out, size) || FindInPath(path, out, size)) return Status::Ok();
  return Status::Error("there is no program `rtl` in ../bin beside the library, nor in PATH");
}

Status FindTool(const char* wish, char* out, size_t size) {
  Dl_info info = {};
  const auto here = reinterpret_cast<const void*>(&Runnable);
  const char* library = dladdr(here, &info) != 0 ? info.dli_fname : nullptr;
  return FindTool(wish, library, EnvironmentValue("PATH"), out, size);
}

}  // namespace rtl
