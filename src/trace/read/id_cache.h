// SPDX-License-Identifier: MIT
// id_cache.h: what rows of a table have by their id: all that are needed when they are few, and
// otherwise the last of those with the same lowest bits.
//
// Threads    one
// Memory     kMost values
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rtl::query {

template <typename Value>
class IdCache {
 public:
  static constexpr size_t kMost = 65536;

  // Null when it is not known. Valid until the next Add.
  const Value* Find(int64_t id) const {
    const size_t place = PlaceOf(id);
    const bool is_known = place < slots_.size() && slots_[place].id == id && slots_[place].is_known;
    return is_known ? &slots_[place].value : nullptr;
  }
  const Value* Add(int64_t id, const Value& value) {
    const size_t place = PlaceOf(id);
    if (place >= slots_.size()) slots_.resize(std::bit_ceil(place + 1));
    slots_[place] = {id, true, value};
    return &slots_[place].value;
  }

 private:
  struct Slot {
    int64_t id = 0;
    bool is_known = false;
    Value value;
  };

  static size_t PlaceOf(int64_t id) { return static_cast<uint64_t>(id) % kMost; }

  std::vector<Slot> slots_;
};

}  // namespace rtl::query
