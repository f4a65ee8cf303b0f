// SPDX-License-Identifier: MIT
// leaf_page.h: a leaf page of a table while it is filled with cells, in the order of row ids.
//
// Threads    one
// Memory     the page
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "btree/format.h"

namespace rtl::btree {

class LeafPage {
 public:
  explicit LeafPage(size_t bytes = 0) : bytes_(bytes), begin_(bytes) {}

  // Adds a cell for the row `id`. Returns the address for its bytes, or null if the page is full.
  uint8_t* Add(int64_t id, size_t bytes) {
    if (kLeafHeaderBytes + kPlaceBytes * (cells_ + 1) + bytes > begin_) return nullptr;
    begin_ -= bytes;
    PutBig(&bytes_[kLeafHeaderBytes + kPlaceBytes * cells_++], begin_, kPlaceBytes);
    last_ = id;
    return &bytes_[begin_];
  }
  bool empty() const { return cells_ == 0; }
  int64_t last() const { return last_; }  // the last row's id, also after Clear
  size_t size() const { return bytes_.size(); }
  size_t used() const { return bytes_.size() - begin_ + kPlaceBytes * cells_; }
  const uint8_t* Complete() {
    bytes_[0] = kLeafPage;
    PutBig(&bytes_[kCellCountOffset], cells_, 2);
    PutBig(&bytes_[kCellsBeginOffset], begin_, 2);  // 65536 is written as 0
    return bytes_.data();
  }
  void Clear() {
    std::fill(bytes_.begin(), bytes_.end(), 0);
    begin_ = bytes_.size();
    cells_ = 0;
  }

 private:
  std::vector<uint8_t> bytes_;
  size_t begin_ = 0;  // where the cells begin; they grow down towards their offsets
  size_t cells_ = 0;
  int64_t last_ = 0;
};

}  // namespace rtl::btree
