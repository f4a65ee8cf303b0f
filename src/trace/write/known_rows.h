// SPDX-License-Identifier: MIT
// known_rows.h: remembers the rows of a table that has the common part of other rows, so that each
// is written once.
//
// Memory     KnownRows: kMost keys; if there are more, all are forgotten and written again.
//            Interned: until Clear
#pragma once

#include <string.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace rtl::store {

// Equality and hash of plain structs without padding, as keys of unordered maps.
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

template <typename Key>
class KnownRows {
 public:
  static constexpr size_t kMost = 65536;

  // `last`: the highest id in the table.
  void Begin(int64_t last) { last_ = last; }

  // Sets *id to the id of the key's row. True if the row is new; the caller then writes it.
  bool Add(const Key& key, int64_t* id) {
    if (rows_.size() >= kMost && !rows_.contains(key)) rows_.clear();
    const auto [row, is_new] = rows_.try_emplace(key, last_ + 1);
    if (is_new) ++last_;
    *id = row->second;
    return is_new;
  }
  void Clear() { rows_.clear(); }

 private:
  std::unordered_map<Key, int64_t, WordHash<Key>, WordEqual<Key>> rows_;
  int64_t last_ = 0;
};

// Keeps each value once, and gives it a small number.
template <typename Key, typename Value>
class Interned {
 public:
  uint32_t Add(const Key& key, const Value& value) {
    if (!values_.empty() && WordEqual<Key>()(key, last_key_)) return last_;
    const auto next = static_cast<uint32_t>(values_.size());
    const auto [known, is_new] = numbers_.try_emplace(key, next);
    if (is_new) values_.push_back(value);
    last_key_ = key;
    return last_ = known->second;
  }
  const Value& operator[](uint32_t number) const { return values_[number]; }
  size_t size() const { return values_.size(); }
  void Clear() {
    numbers_.clear();
    values_.clear();
  }

 private:
  std::unordered_map<Key, uint32_t, WordHash<Key>, WordEqual<Key>> numbers_;
  std::vector<Value> values_;
  Key last_key_ = {};
  uint32_t last_ = 0;  // number of last_key_
};

}  // namespace rtl::store
