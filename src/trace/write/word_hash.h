// SPDX-License-Identifier: MIT
// word_hash.h: equality and hash of plain structs without padding, as keys of unordered maps.
#pragma once

#include <string.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace rtl::store {

template <typename Key>
struct WordEqual {
  bool operator()(const Key& a, const Key& b) const { return memcmp(&a, &b, sizeof a) == 0; }
};

template <typename Key>
struct WordHash {
  static_assert(sizeof(Key) % sizeof(uint64_t) == 0);
  static_assert(std::has_unique_object_representations_v<Key>);
  size_t operator()(const Key& key) const {
    uint64_t words[sizeof key / sizeof(uint64_t)];
    memcpy(words, &key, sizeof key);
    uint64_t hash = 0;
    for (const uint64_t word : words) {
      hash = (hash ^ word) * 0x9e3779b97f4a7c15;
      hash ^= hash >> 32;
    }
    return hash;
  }
};

}  // namespace rtl::store
