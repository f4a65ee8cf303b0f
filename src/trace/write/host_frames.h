// SPDX-License-Identifier: MIT
// host_frames.h: adds sampled frames of Python to a complete database: rows of rtl_operator, and
// rows of rtl_process for processes that the database does not have.
//
// Threads    one
// Blocking   file I/O
// Errors     a Status; the database is then unchanged
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/status.h"
#include "trace/schema/database.h"

namespace rtl::store {

// The tag of rocpd_metadata that says how the stacks of Python were sampled.
inline constexpr char kPythonTag[] = "python_sampling";

struct HostFrame {
  uint32_t pid = 0, tid = 0;
  std::string_view command;  // of the process with this pid
  std::string_view name;     // for example "data.py(88): load_batch"
  std::string_view file;     // path of the source file
  uint64_t start = 0, end = 0;
};

class HostFrameWriter {
 public:
  // `how`: the value of kPythonTag.
  Status Open(const std::string& database, std::string_view how);
  Status Add(const HostFrame& frame);
  Status Commit();

 private:
  Status ProcessOf(const HostFrame& frame, int64_t* row);
  Status Intern(std::string_view text, int64_t* id);

  Database database_;
  Statement insert_, string_, find_string_, process_, find_process_;
  std::map<uint32_t, int64_t> processes_;
  std::map<std::string, int64_t, std::less<>> strings_;
};

}  // namespace rtl::store
