// SPDX-License-Identifier: MIT
// upper_pages.h: the pages above the leaves of a table.
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
  int64_t last;  // no row in the leaf has a greater id, and none after it a smaller one
  uint32_t page;
};

// The tree over `leaves`, at least one, begins at page `root`, which is none of them.
Status WriteAbove(PageFile* file, uint32_t root, std::span<const Leaf> leaves);

}  // namespace rtl::btree
