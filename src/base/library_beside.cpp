// SPDX-License-Identifier: MIT
#include "base/library_beside.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "base/files_apart.h"

namespace rtl {
namespace {

struct Search {
  const char* name;
  char path[PATH_MAX];
};

int HasName(dl_phdr_info* object, size_t, void* data) {
  auto* const search = static_cast<Search*>(data);
  const char* const slash = strrchr(object->dlpi_name, '/');
  if (strcmp(slash == nullptr ? object->dlpi_name : slash + 1, search->name) != 0) return 0;
  const int used = snprintf(search->path, sizeof search->path, "%s", object->dlpi_name);
  return used > 0 && static_cast<size_t>(used) < sizeof search->path ? 1 : 0;
}

// Searches the list of loaded libraries, because the loader would search for a name in every folder
// of libraries, about sixty.
void* FindLoaded(const char* name) {
  Search search = {.name = name, .path = {}};
  if (dl_iterate_phdr(&HasName, &search) == 0) return nullptr;
  return dlopen(search.path, RTLD_NOW | RTLD_NOLOAD);
}

}  // namespace

bool PathBeside(const void* here, const char* name, char* path, size_t size) {
  Dl_info info = {};
  if (dladdr(here, &info) == 0) return false;
  const char* const slash = strrchr(info.dli_fname, '/');
  if (slash == nullptr) return false;
  const int used = snprintf(path, size, "%.*s/%s", static_cast<int>(slash - info.dli_fname),
                            info.dli_fname, name);
  return used >= 0 && static_cast<size_t>(used) < size;
}

void* LoadBeside(const void* here, const char* name) {
  char path[PATH_MAX];
  if (!PathBeside(here, name, path, sizeof path)) return nullptr;
  void* library = nullptr;
  FilesApart([&] { library = dlopen(path, RTLD_NOW | RTLD_LOCAL); });
  return library;
}

void* FindOrLoadBeside(const void* here, const char* name, bool wanted) {
  void* const library = FindLoaded(name);
  return library != nullptr || !wanted ? library : LoadBeside(here, name);
}

}  // namespace rtl
