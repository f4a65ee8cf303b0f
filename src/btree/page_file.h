// SPDX-License-Identifier: MIT
// page_file.h: adds pages to a database file that SQLite has open, while SQLite has no transaction
// open.
//
// SQLite must not hold the file in exclusive locking mode. Otherwise it would not read the change
// counter, which shows that the file's pages are not the ones that SQLite remembers.
//
// Threads    one
// Blocking   file I/O
// Memory     the numbers of pages that can be reused
// Errors     a Status that names the file; if the disk is full, the Status says so
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/unique_fd.h"

namespace rtl::btree {

class PageFile {
 public:
  // `shown`: the file's name in errors.
  Status Open(const std::string& path, const std::string& shown);
  // Called before the first of several calls of the functions below, because SQLite may have
  // written since: reads the header.
  Status Begin();
  // Called after the last of these calls: the file now has the pages that were taken. Pages that
  // were given back are taken again later, or, if `free_rest`, are left to SQLite.
  Status End(bool free_rest = false);

  size_t page_bytes() const { return page_bytes_; }
  uint32_t pages() const { return pages_; }
  Status Read(uint32_t page, uint8_t* bytes) const;
  Status Write(uint32_t page, const uint8_t* bytes);
  // Returns the number of a page for new content.
  uint32_t Take();
  // The page must not be part of any table any more.
  void GiveBack(uint32_t page) { unused_.push_back(page); }
  // Forgets the pages that were given back, because another file is open now.
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
