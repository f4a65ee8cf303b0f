// SPDX-License-Identifier: MIT
// operation_set.h: operations of one kind, as bits.
#pragma once

#include <stdint.h>

namespace rtl::sdk {

struct OperationSet {
  static constexpr int32_t kMost = 1024;
  uint64_t words[kMost / 64] = {};

  void Add(int32_t operation) { words[operation / 64] |= uint64_t{1} << operation % 64; }
  void AddAll() {
    for (uint64_t& word : words) word = UINT64_MAX;
  }
  bool Has(int32_t operation) const { return (words[operation / 64] >> operation % 64 & 1) != 0; }
};

}  // namespace rtl::sdk
