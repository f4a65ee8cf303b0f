// SPDX-License-Identifier: MIT
#include "base/loaded_objects.h"

#include <dlfcn.h>

#include "base/elf_symbols.h"
#include "base/text.h"

namespace rtl {
namespace {

struct ObjectSearch {
  size_t wanted;
  size_t at;
  SharedObject* found;
  const char* symbol;
};

bool Defines(const dl_phdr_info& info, const char* symbol) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info.dlpi_phdr[i];
    if (part.p_type != PT_DYNAMIC) continue;
    const auto* const dynamic = reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + part.p_vaddr);
    return ElfSymbols(dynamic, info.dlpi_addr).ValueOf(symbol) != 0;
  }
  return false;
}

int RememberObject(dl_phdr_info* info, size_t, void* data) {
  auto* const search = static_cast<ObjectSearch*>(data);
  if (search->at++ != search->wanted) return 0;
  SharedObject* const object = search->found;
  object->base = info->dlpi_addr;
  object->defines = search->symbol != nullptr && Defines(*info, search->symbol);
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

int SharedObjectAt(size_t index, SharedObject* object, const char* symbol) {
  ObjectSearch search = {index, 0, object, symbol};
  return dl_iterate_phdr(RememberObject, &search);
}

bool SharedObjectOf(const void* address, SharedObject* object) {
  Dl_info info = {};
  link_map* map = nullptr;
  if (dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0) return false;
  if (map == nullptr) return false;
  object->base = map->l_addr;
  return CopyText(object->path, sizeof object->path, map->l_name);
}

void ExtentOf(const SharedObject& object, uintptr_t* begin, uintptr_t* end) {
  struct Extent {
    ElfW(Addr) base;
    uintptr_t begin, end;
  } extent = {object.base, UINTPTR_MAX, 0};
  (void)dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        auto* const found = static_cast<Extent*>(data);
        if (info->dlpi_addr != found->base) return 0;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
          const uintptr_t at = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
          if (at < found->begin) found->begin = at;
          if (at + info->dlpi_phdr[i].p_memsz > found->end)
            found->end = at + info->dlpi_phdr[i].p_memsz;
        }
        return 1;
      },
      &extent);
  *begin = extent.end == 0 ? 0 : extent.begin;
  *end = extent.end;
}

void* HandleOf(const SharedObject& object) {
  return dlopen(object.path[0] == '\0' ? nullptr : object.path, RTLD_LAZY | RTLD_NOLOAD);
}

}  // namespace rtl
