// SPDX-License-Identifier: MIT
// call_index.h: finds the calls that a CallTable holds by their ids. It is an open hash table that
// is built again when calls leave it.
//
// Memory     16 bytes for each slot; at most half of the slots are used
#pragma once

#include <cstdint>
#include <vector>

namespace rtl::store {

class CallIndex {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  // HOT. The position of the call; kNone if the call is not in the table.
  uint32_t Find(int64_t id) const {
    for (size_t at = Begin(id); slots_[at].position != kNone; at = Next(at)) {
      if (slots_[at].id == id) return slots_[at].position;
    }
    return kNone;
  }
  // Adds a call that is not in the table yet.
  void Add(int64_t id, uint32_t position) {
    if (++count_ * 2 > slots_.size()) [[unlikely]]
      Grow();
    Put({id, position});
  }
  void Clear() {
    slots_.assign(slots_.size(), Slot());
    count_ = 0;
  }

 private:
  struct Slot {
    int64_t id = 0;
    uint32_t position = kNone;
  };

  // Consecutive ids have consecutive slots, in groups of 8, because calls are mostly looked up one
  // after the other.
  size_t Begin(int64_t id) const {
    const uint64_t group = static_cast<uint64_t>(id) >> 3;
    const uint64_t place = group * 0x9e3779b97f4a7c15 >> (64 - bits_);
    return (place & ~uint64_t{7}) | (static_cast<uint64_t>(id) & 7);
  }
  size_t Next(size_t at) const { return (at + 1) & (slots_.size() - 1); }
  void Put(const Slot& slot) {
    size_t at = Begin(slot.id);
    while (slots_[at].position != kNone) at = Next(at);
    slots_[at] = slot;
  }
  void Grow() {
    std::vector<Slot> before(size_t{1} << ++bits_);
    before.swap(slots_);
    for (const Slot& slot : before) {
      if (slot.position != kNone) Put(slot);
    }
  }

  unsigned bits_ = 8;
  size_t count_ = 0;
  std::vector<Slot> slots_ = std::vector<Slot>(size_t{1} << bits_);
};

}  // namespace rtl::store
