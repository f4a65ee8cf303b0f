// SPDX-License-Identifier: MIT
#include "base/loaded_objects.h"

#include <dlfcn.h>

#include "base/text.h"

namespace rtl {
namespace {

struct ObjectSearch {
  size_t wanted;
  size_t at;
  LoadedObject* found;
};

int RememberObject(dl_phdr_info* info, size_t, void* data) {
  auto* const search = static_cast<ObjectSearch*>(data);
  if (search->at++ != search->wanted) return 0;
  LoadedObject* const object = search->found;
  object->base = info->dlpi_addr;
  return CopyText(object->path, sizeof object->path, info->dlpi_name) ? 1 : 2;
}

}  // namespace

void* OwnSymbol(void* handle, ElfW(Addr) base, const char* name) {
  void* const symbol = dlsym(handle, name);
  if (symbol == nullptr) return nullptr;
  Dl_info info = {};
  link_map* map = nullptr;
  const int known = dladdr1(symbol, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP);
  return known != 0 && map != nullptr && map->l_addr == base ? symbol : nullptr;
}

int LoadedObjectAt(size_t index, LoadedObject* object) {
  ObjectSearch search = {index, 0, object};
  return dl_iterate_phdr(RememberObject, &search);
}

bool LoadedObjectOf(const void* address, LoadedObject* object) {
  Dl_info info = {};
  link_map* map = nullptr;
  if (dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0) return false;
  if (map == nullptr) return false;
  object->base = map->l_addr;
  return CopyText(object->path, sizeof object->path, map->l_name);
}

void* HandleOf(const LoadedObject& object) {
  return dlopen(object.path[0] == '\0' ? nullptr : object.path, RTLD_LAZY | RTLD_NOLOAD);
}

}  // namespace rtl
