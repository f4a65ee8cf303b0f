// SPDX-License-Identifier: MIT
// sort_file.h: rows that do not fit in memory while they are sorted: a file without a name, in the
// folder that SQLite sorts in (SQLITE_TMPDIR, TMPDIR, /var/tmp, /tmp).
//
// Threads    one
// Blocking   file I/O
// Errors     one line that names the trace
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "base/status.h"
#include "base/unique_fd.h"

namespace rtl::query {

class SortFile {
 public:
  // `trace`: the path of what is sorted.
  void SetTrace(std::string trace) { trace_ = std::move(trace); }
  // Makes the file at its first use.
  Status Append(const void* bytes, size_t size);
  Status Read(uint64_t offset, void* bytes, size_t size) const;
  uint64_t size() const { return size_; }

 private:
  Status Make();
  Status Failure(int error_number) const;

  std::string trace_;
  UniqueFd fd_;
  uint64_t size_ = 0;
};

}  // namespace rtl::query
