// SPDX-License-Identifier: MIT
#include "btree/upper_pages.h"

#include <vector>

#include "btree/format.h"

namespace rtl::btree {
namespace {

// Writes one interior page. All children except the last have cells in it; the last one is the
// right-most child.
Status WriteInterior(PageFile* file, uint32_t number, std::span<const Leaf> children) {
  std::vector<uint8_t> page(file->page_bytes());
  size_t begin = page.size();
  for (size_t i = 0; i + 1 < children.size(); ++i) {
    uint8_t cell[4 + kMostVarintBytes];
    PutBig(cell, children[i].page, 4);
    const uint8_t* const end = PutVarint(cell + 4, static_cast<uint64_t>(children[i].last));
    const auto size = static_cast<size_t>(end - cell);
    begin -= size;
    memcpy(&page[begin], cell, size);
    PutBig(&page[kInteriorHeaderBytes + kPlaceBytes * i], begin, kPlaceBytes);
  }
  page[0] = kInteriorPage;
  PutBig(&page[kCellCountOffset], children.size() - 1, 2);
  PutBig(&page[kCellsBeginOffset], begin, 2);
  PutBig(&page[kRightChildOffset], children.back().page, 4);
  return file->Write(number, page.data());
}

}  // namespace

Status WriteAbove(PageFile* file, uint32_t root, std::span<const Leaf> leaves) {
  constexpr size_t kMostChildBytes = 4 + kMostVarintBytes + kPlaceBytes;
  const size_t most = (file->page_bytes() - kInteriorHeaderBytes) / kMostChildBytes;
  std::vector<Leaf> level(leaves.begin(), leaves.end());
  while (level.size() > most) {
    std::vector<Leaf> above;
    const size_t pages = (level.size() + most - 1) / most;
    for (size_t i = 0; i < pages; ++i) {
      const size_t begin = level.size() * i / pages;
      const size_t end = level.size() * (i + 1) / pages;
      const std::span children(level.data() + begin, end - begin);
      above.push_back({children.back().last, file->Take()});
      RTL_TRY(WriteInterior(file, above.back().page, children));
    }
    level.swap(above);
  }
  return WriteInterior(file, root, level);
}

}  // namespace rtl::btree
