// SPDX-License-Identifier: MIT
// loaded_image.h: finds where the code and the data of a loaded library are in memory.
//
// Threads    any
// Blocking   takes the loader's lock
// Memory     a fixed number of ranges; of a library with more ranges, the first ones
// Errors     if no library contains the address, found() is false
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace rtl {

class LoadedImage {
 public:
  static constexpr size_t kMostRanges = 16;
  struct Range {
    uintptr_t begin = 0, end = 0;
    bool Has(uintptr_t address) const { return address >= begin && address < end; }
  };

  // Describes the library that contains this address.
  explicit LoadedImage(const void* address);

  bool found() const { return code_count_ != 0; }
  bool IsCode(uintptr_t address) const { return IsIn(code_, code_count_, address); }
  bool IsData(uintptr_t address) const { return IsIn(data_, data_count_, address); }
  // The ranges that are writable, or were writable until the library was loaded.
  const Range* data() const { return data_; }
  size_t data_count() const { return data_count_; }

 private:
  static bool IsIn(const Range* ranges, size_t count, uintptr_t address);

  Range code_[kMostRanges];
  Range data_[kMostRanges];
  size_t code_count_ = 0;
  size_t data_count_ = 0;
};

}  // namespace rtl
