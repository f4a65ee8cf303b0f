// SPDX-License-Identifier: MIT
// known_rows.h: the rows of a table with the common part of other rows, each written once.
//
// Memory     kMost keys; beyond that, known keys are forgotten and written again
#pragma once

#include <cstdint>
#include <unordered_map>

#include "store/word_hash.h"

namespace rtl::store {

template <typename Key>
class KnownRows {
 public:
  static constexpr size_t kMost = 65536;

  // `last`: the highest id in the table.
  void Begin(int64_t last) { last_ = last; }

  // The id of the key's row. True: the row is new, and the caller writes it.
  bool Add(const Key& key, int64_t* id) {
    if (rows_.size() >= kMost && !rows_.contains(key)) rows_.clear();
    const auto [row, is_new] = rows_.try_emplace(key, last_ + 1);
    if (is_new) ++last_;
    *id = row->second;
    return is_new;
  }

 private:
  std::unordered_map<Key, int64_t, WordHash<Key>, WordEqual<Key>> rows_;
  int64_t last_ = 0;
};

}  // namespace rtl::store
