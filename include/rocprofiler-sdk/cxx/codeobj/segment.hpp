/* SPDX-License-Identifier: MIT
 * segment.hpp: finds the code object that contains an address. */
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

namespace rocprofiler {
namespace sdk {
namespace codeobj {
namespace segment {

using marker_id_t = size_t;

/* Overlapping ranges compare equal, so a set finds the range that contains an address. */
struct address_range_t {
  uint64_t addr{0};
  uint64_t size{0};
  marker_id_t id{0};

  bool operator==(const address_range_t& other) const {
    return (addr >= other.addr && addr - other.addr < other.size) ||
           (other.addr >= addr && other.addr - addr < size);
  }
  bool operator<(const address_range_t& other) const {
    return !(*this == other) && addr < other.addr;
  }
  bool inrange(uint64_t address) const { return address >= addr && address - addr < size; }
};

class CodeobjTableTranslator : public std::set<address_range_t> {
 public:
  /* Throws std::exception when there is none. */
  address_range_t find_codeobj_in_range(uint64_t address) {
    if (last_.inrange(address)) return last_;
    const auto found = find({address, 0, 0});
    if (found == end()) throw std::exception();
    return last_ = *found;
  }
  void clear_cache() { last_ = {}; }
  bool remove(const address_range_t& range) {
    clear_cache();
    return erase(range) != 0;
  }
  bool remove(uint64_t address) { return remove({address, 0, 0}); }

 private:
  address_range_t last_{};
};

}  // namespace segment
}  // namespace codeobj
}  // namespace sdk
}  // namespace rocprofiler
