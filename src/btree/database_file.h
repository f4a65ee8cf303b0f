// SPDX-License-Identifier: MIT
// database_file.h: reads the pages of an SQLite file.
//
// Threads    one at a time
// Blocking   file I/O: one pread per call. The file is not mapped, because access to a mapped file
//            that becomes shorter, or whose disk fails, ends the program with SIGBUS
// Memory     one descriptor; closing it drops locks that the process holds on the file
// Errors     one line without the path, which the caller adds; the content is not trusted
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/status.h"
#include "base/unique_fd.h"

namespace rtl::btree {

class DatabaseFile {
 public:
  Status Open(const std::string& path);

  size_t page_bytes() const { return page_bytes_; }
  // The number of bytes of a page that can hold data.
  size_t usable_bytes() const { return usable_bytes_; }
  uint32_t page_count() const { return page_count_; }

  // `out` must have room for page_bytes() bytes. Pages are numbered from 1.
  Status ReadPage(uint32_t page, uint8_t* out) const;
  // Reads pages from `page` on: as many of `*pages` pages as the file has, at least one. `*pages`
  // gets the number read.
  Status ReadPages(uint32_t page, uint32_t* pages, uint8_t* out) const;

 private:
  UniqueFd fd_;
  size_t page_bytes_ = 0;
  size_t usable_bytes_ = 0;
  uint32_t page_count_ = 0;
};

}  // namespace rtl::btree
