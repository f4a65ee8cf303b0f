// SPDX-License-Identifier: MIT
// texts.h: finds the strings of a trace by their ids. Strings that were read are kept, up to a
// limit.
//
// Threads    one
// Blocking   file I/O, once for each text that is kept
// Memory     kMostBytes of texts, and one text
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/status.h"
#include "trace/read/statement.h"
#include "trace/read/trace_database.h"

namespace rtl::query {

class Texts {
 public:
  static constexpr size_t kMostBytes = 16u << 20;

  Status Prepare(const TraceDatabase& database);
  // *out is empty if there is no string with this id. Valid until the next call.
  Status Find(int64_t id, std::string_view* out);
  // The memory of the kept texts and of their table.
  size_t bytes() const { return bytes_; }

 private:
  Statement by_id_;
  std::unordered_map<int64_t, std::string> known_;
  size_t bytes_ = 0;
};

}  // namespace rtl::query
