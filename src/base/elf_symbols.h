// SPDX-License-Identifier: MIT
// elf_symbols.h: finds the symbols that a loaded object itself defines. It reads the object's own
// tables and calls no function of the loader.
//
// Threads    any; the object must stay loaded meanwhile
// Blocking   never
// Memory     none
// Errors     in an object without a hash table no symbol is found
#pragma once

#include <elf.h>
#include <link.h>
#include <stdint.h>

namespace rtl {

class ElfSymbols {
 public:
  // `dynamic`: the object's dynamic section in memory; null: it has none. `base`: the object's
  // l_addr.
  ElfSymbols(const ElfW(Dyn) * dynamic, uintptr_t base) {
    for (const ElfW(Dyn)* each = dynamic; each != nullptr && each->d_tag != DT_NULL; ++each) {
      // glibc's loader has replaced these offsets by addresses; other loaders have not.
      const uintptr_t value = each->d_un.d_ptr;
      const auto* const at = reinterpret_cast<const void*>(value < base ? base + value : value);
      if (each->d_tag == DT_SYMTAB) list_ = static_cast<const ElfW(Sym)*>(at);
      if (each->d_tag == DT_STRTAB) names_ = static_cast<const char*>(at);
      if (each->d_tag == DT_GNU_HASH) hashes_ = static_cast<const uint32_t*>(at);
      if (each->d_tag == DT_HASH) old_hashes_ = static_cast<const uint32_t*>(at);
    }
  }

  // The symbol's value, without the object's base; zero if the object does not define the symbol.
  uint64_t ValueOf(const char* name) const {
    if (list_ == nullptr || names_ == nullptr) return 0;
    return hashes_ != nullptr ? FindNew(name) : old_hashes_ != nullptr ? FindOld(name) : 0;
  }

 private:
  static bool IsSame(const char* a, const char* b) {
    while (*a != '\0' && *a == *b) ++a, ++b;
    return *a == *b;
  }
  bool IsIt(uint32_t index, const char* name) const {
    return list_[index].st_shndx != SHN_UNDEF && IsSame(names_ + list_[index].st_name, name);
  }

  uint64_t FindNew(const char* name) const {
    uint32_t hash = 5381;
    for (const char* at = name; *at != '\0'; ++at) hash = hash * 33 + static_cast<uint8_t>(*at);
    const uint32_t buckets = hashes_[0], first = hashes_[1], words = hashes_[2];
    const uint32_t* const bucket = hashes_ + 4 + 2 * words;
    const uint32_t* const chain = bucket + buckets;
    uint32_t index = buckets == 0 ? 0 : bucket[hash % buckets];
    if (index < first) return 0;
    for (;; ++index) {
      const uint32_t there = chain[index - first];
      if ((there | 1) == (hash | 1) && IsIt(index, name)) return list_[index].st_value;
      if ((there & 1) != 0) return 0;
    }
  }

  uint64_t FindOld(const char* name) const {
    const uint32_t symbols = old_hashes_[1];
    for (uint32_t index = 1; index < symbols; ++index) {
      if (IsIt(index, name)) return list_[index].st_value;
    }
    return 0;
  }

  const ElfW(Sym) * list_ = nullptr;
  const char* names_ = nullptr;
  const uint32_t* hashes_ = nullptr;      // the table DT_GNU_HASH
  const uint32_t* old_hashes_ = nullptr;  // the table DT_HASH
};

}  // namespace rtl
