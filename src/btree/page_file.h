// SPDX-License-Identifier: MIT
// page_file.h: adds pages to a database file beside SQLite, while SQLite has no transaction open.
//
// SQLite must not hold the file in exclusive locking mode: it notices by the change counter that
// the file has other pages than it remembers.
//
// Threads    one
// Blocking   file I/O
// Memory     the numbers of pages to use again
// Errors     a Status that names the file; a full disk is named as such
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/unique_fd.h"

namespace rtl::btree {

class PageFile {
 public:
  // `shown`: the name that errors use.
  Status Open(const std::string& path, const std::string& shown);
  // Before the first of several calls below, after SQLite may have written: reads the header.
  Status Begin();
  // After the last of them: the file has the pages that were taken. Pages that were given back are
  // taken again later, or, with `free_rest`, by SQLite.
  Status End(bool free_rest = false);

  size_t page_bytes() const { return page_bytes_; }
  uint32_t pages() const { return pages_; }
  Status Read(uint32_t page, uint8_t* bytes) const;
  Status Write(uint32_t page, const uint8_t* bytes);
  // The number of a page for a new content.
  uint32_t Take();
  // The page will be part of no table any more.
  void GiveBack(uint32_t page) { unused_.push_back(page); }
  // The pages that were given back belong to another file by now.
  void Forget() { unused_.clear(); }
  Status Damaged() const;

 private:
  Status Free(uint8_t* header);
  Status Failure(int error_number) const;

  UniqueFd fd_;
  std::string shown_;
  size_t page_bytes_ = 0;
  uint32_t pages_ = 0;
  uint32_t change_counter_ = 0;
  std::vector<uint32_t> unused_;
};

}  // namespace rtl::btree
