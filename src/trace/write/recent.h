// SPDX-License-Identifier: MIT
// recent.h: remembers the values of a map that were looked up last, for records that alternate
// between the same few keys.
#pragma once

#include <cstdint>

namespace rtl::store {

// The map must not move its values, and none may be removed.
template <typename Value>
class Recent {
 public:
  // Returns null if the map has no such key.
  template <typename Map>
  Value* Find(Map& map, uint32_t key) {
    Slot& slot = slots_[key % kSlots];
    if (slot.value != nullptr && slot.key == key) return slot.value;
    const auto found = map.find(key);
    if (found == map.end()) return nullptr;
    slot = {key, &found->second};
    return slot.value;
  }

 private:
  static constexpr uint32_t kSlots = 64;
  struct Slot {
    uint32_t key = 0;
    Value* value = nullptr;
  };
  Slot slots_[kSlots];
};

}  // namespace rtl::store
