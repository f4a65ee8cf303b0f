// SPDX-License-Identifier: MIT
#include "base/loaded_image.h"

#include <link.h>

namespace rtl {

LoadedImage::LoadedImage(const void* address) {
  struct Search {
    uintptr_t address;
    LoadedImage* out;
  } search = {reinterpret_cast<uintptr_t>(address), this};
  const auto look = [](dl_phdr_info* info, size_t, void* data) {
    const auto& wanted = *static_cast<Search*>(data);
    bool has = false;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const ElfW(Phdr)& part = info->dlpi_phdr[i];
      const uintptr_t begin = info->dlpi_addr + part.p_vaddr;
      has |= part.p_type == PT_LOAD && Range{begin, begin + part.p_memsz}.Has(wanted.address);
    }
    if (!has) return 0;
    LoadedImage& image = *wanted.out;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const ElfW(Phdr)& part = info->dlpi_phdr[i];
      if (part.p_type != PT_LOAD) continue;
      const uintptr_t begin = info->dlpi_addr + part.p_vaddr;
      const Range range = {begin, begin + part.p_memsz};
      if ((part.p_flags & PF_X) != 0) {
        if (image.code_count_ != kMostRanges) image.code_[image.code_count_++] = range;
      } else if ((part.p_flags & PF_W) != 0 && image.data_count_ != kMostRanges) {
        image.data_[image.data_count_++] = range;
      }
    }
    return 1;
  };
  (void)dl_iterate_phdr(look, &search);
}

bool LoadedImage::IsIn(const Range* ranges, size_t count, uintptr_t address) {
  for (size_t i = 0; i < count; ++i) {
    if (ranges[i].Has(address)) return true;
  }
  return false;
}

}  // namespace rtl
