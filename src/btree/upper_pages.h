// SPDX-License-Identifier: MIT
// upper_pages.h: writes the interior pages above the leaves of a table.
//
// Threads    one
// Blocking   file I/O
#pragma once

#include <cstdint>
#include <span>

#include "base/status.h"
#include "btree/page_file.h"

namespace rtl::btree {

struct Leaf {
  // an upper bound of the row ids in this leaf; the row ids in later leaves are greater
  int64_t last;
  uint32_t page;
};

// Writes the tree over `leaves`, which are at least one. The tree begins at page `root`, which must
// not be one of the leaves.
Status WriteAbove(PageFile* file, uint32_t root, std::span<const Leaf> leaves);

}  // namespace rtl::btree
