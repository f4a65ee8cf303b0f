// SPDX-License-Identifier: MIT
// id_cache.h: caches values by the ids of rows. If there are few rows, it keeps all; otherwise, of
// rows whose ids have the same lowest bits, it keeps the last one.
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

  // Returns null if the id is not in the cache. Valid until the next Add.
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
