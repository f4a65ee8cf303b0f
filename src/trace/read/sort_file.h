// SPDX-License-Identifier: MIT
// sort_file.h: a file for rows that do not fit into memory while they are sorted. The file has no
// name and is in the folder in which SQLite sorts (SQLITE_TMPDIR, TMPDIR, /var/tmp, /tmp).
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
  // `trace`: path of the trace whose rows are sorted; errors name it.
  void SetTrace(std::string trace) { trace_ = std::move(trace); }
  // Makes the file when it is first called.
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
