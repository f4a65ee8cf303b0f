// SPDX-License-Identifier: MIT
#include "capture/hip/hip_library.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "base/loaded_objects.h"

namespace rtl::capture {
namespace {

constexpr char kName[] = "libamdhip64";
// A function of every HIP library, which librtl_hip.so does not have.
constexpr char kMark[] = "hipApiName";

uint32_t ReadNumber(const char** at) {
  uint32_t number = 0;
  while (**at >= '0' && **at <= '9' && number < 100'000) {
    number = number * 10 + static_cast<uint32_t>(**at - '0');
    ++*at;
  }
  return number;
}

// Reads the newest version among the library's symbol versions.
bool ReadSymbolVersions(void* handle, uint32_t* major, uint32_t* minor) {
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) return false;
  const char* names = nullptr;
  const char* definitions = nullptr;
  size_t count = 0;
  for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
    // The loader has replaced the offset of this entry by an address.
    if (entry->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(entry->d_un.d_ptr);
    if (entry->d_tag == DT_VERDEF)
      definitions = reinterpret_cast<const char*>(map->l_addr + entry->d_un.d_ptr);
    if (entry->d_tag == DT_VERDEFNUM) count = entry->d_un.d_val;
  }
  if (names == nullptr || definitions == nullptr) return false;
  bool found = false;
  for (; count > 0; --count) {
    const auto* const definition = reinterpret_cast<const ElfW(Verdef)*>(definitions);
    const auto* const name =
        reinterpret_cast<const ElfW(Verdaux)*>(definitions + definition->vd_aux);
    uint32_t its_major = 0;
    uint32_t its_minor = 0;
    if (HipLibrary::ParseSymbolVersion(names + name->vda_name, &its_major, &its_minor) &&
        (its_major > *major || (its_major == *major && its_minor >= *minor))) {
      found = true;
      *major = its_major;
      *minor = its_minor;
    }
    if (definition->vd_next == 0) break;
    definitions += definition->vd_next;
  }
  return found;
}

}  // namespace

bool HipLibrary::ParseName(const char* path, uint32_t* major, uint32_t* minor) {
  const char* const slash = strrchr(path, '/');
  const char* at = slash == nullptr ? path : slash + 1;
  if (strncmp(at, kName, sizeof kName - 1) != 0) return false;
  at += sizeof kName - 1;
  if (*at == '-') at += strcspn(at, ".");
  if (strncmp(at, ".so", 3) != 0) return false;
  at += 3;
  if (*at != '\0' && *at != '.') return false;
  *major = 0;
  *minor = 0;
  if (*at == '.') *major = ReadNumber(&++at);
  if (*at == '.') *minor = ReadNumber(&++at);
  return true;
}

bool HipLibrary::ParseSymbolVersion(const char* name, uint32_t* major, uint32_t* minor) {
  if (strncmp(name, "hip_", 4) != 0) return false;
  const char* at = name + 4;
  *major = ReadNumber(&at);
  if (*major == 0 || *at != '.') return false;
  *minor = ReadNumber(&++at);
  return *at == '\0';
}

// Sets the version from the file's name and from the symbols. The file's name has the exact
// version; the symbols have only the last version that added a symbol. If the two differ in the
// major version, or the symbols are newer, the symbols' version is used.
void HipLibrary::ReadVersion(const char* path) {
  uint32_t major = 0;
  uint32_t minor = 0;
  const bool versioned = ReadSymbolVersions(handle_, &major, &minor);
  // The SONAME by which a library was loaded is a link to a file with a longer name.
  char file[PATH_MAX];
  if (realpath(path, file) == nullptr || !ParseName(file, &major_, &minor_) || major_ == 0) {
    if (!ParseName(path, &major_, &minor_)) major_ = minor_ = 0;
  }
  if (!versioned || (major_ == major && minor_ >= minor)) return;
  major_ = major;
  minor_ = minor;
}

const char* HipLibrary::path() const {
  link_map* map = nullptr;
  const bool known = handle_ != nullptr && dlinfo(handle_, RTLD_DI_LINKMAP, &map) == 0;
  return known && map != nullptr ? map->l_name : "";
}

void HipLibrary::TakeVersion(uint64_t registered) {
  if (registered < 10'000) return;
  major_ = static_cast<uint32_t>(registered / 10'000);
  minor_ = static_cast<uint32_t>(registered / 100 % 100);
}

bool HipLibrary::FindFirst() {
  SharedObject object;
  uint32_t major = 0;
  uint32_t minor = 0;
  for (size_t i = 0;; ++i) {
    const int found = SharedObjectAt(i, &object);
    if (found == 0) break;
    if (found == 1 && ParseName(object.path, &major, &minor)) handle_ = HandleOf(object);
    if (handle_ == nullptr) continue;
    ReadVersion(object.path);
    return true;
  }
  return ForEachObject([this](void* handle, const SharedObject& each) {
    if (OwnSymbol(handle, each.base, kMark) == nullptr) return false;
    handle_ = handle;
    ReadVersion(each.path);
    return true;
  });
}

// Opens only HIP libraries, and does not close them: this runs while the process ends, and closing
// a library then can run destructors of other libraries.
bool HipLibrary::FindBeside(std::initializer_list<const HipLibrary*> known) {
  SharedObject object;
  uint32_t major = 0;
  uint32_t minor = 0;
  for (size_t i = 0;; ++i) {
    const int found = SharedObjectAt(i, &object, kMark);
    if (found == 0) return false;
    if (found != 1 || !(object.defines || ParseName(object.path, &major, &minor))) continue;
    handle_ = HandleOf(object);
    bool is_known = handle_ == nullptr;
    for (const HipLibrary* each : known)
      is_known = is_known || (each != nullptr && each->handle_ == handle_);
    if (is_known) continue;
    ReadVersion(object.path);
    return true;
  }
}

bool HipLibrary::Find(const void* inside) {
  if (inside == nullptr) return handle_ != nullptr || FindFirst();
  SharedObject object;
  void* const handle = SharedObjectOf(inside, &object) ? HandleOf(object) : nullptr;
  if (handle == nullptr) return Find();
  uint32_t major = 0;
  uint32_t minor = 0;
  const bool is_hip =
      ParseName(object.path, &major, &minor) || OwnSymbol(handle, object.base, kMark) != nullptr;
  if (handle == handle_ || !is_hip) {
    (void)dlclose(handle);
    return Find();
  }
  handle_ = handle;  // the library that handle_ named before stays loaded, too
  ReadVersion(object.path);
  return true;
}

void* HipLibrary::Symbol(const char* name) const {
  return handle_ == nullptr ? nullptr : dlsym(handle_, name);
}

}  // namespace rtl::capture
