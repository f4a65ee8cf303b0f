// SPDX-License-Identifier: MIT
// window_triggers.h: finds events that request a window of `rtl trace --ring`: a matching roctx
// mark, or a range that took longer than its limit.
//
// Memory     with range triggers, an entry per open range
// Errors     Make returns the error in a regular expression
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "spool/reader.h"
#include "trace/write/choice.h"

namespace rtl::store {

struct RangeTrigger {
  std::string name;  // a NamePattern, found anywhere in the range's text
  uint64_t ns = 0;   // the limit
};

class WindowTriggers {
 public:
  // `mark`: a regular expression; empty: no mark requests a window.
  static Status Make(const std::string& mark, const std::vector<RangeTrigger>& ranges,
                     std::unique_ptr<WindowTriggers>* out);
  // The reason for a window after this record; empty if none is requested.
  std::optional<std::string> Look(uint32_t process, const spool::RecordView& record);
  // The process has ended: its open ranges will not end any more.
  void End(uint32_t process);

 private:
  struct Range {
    NamePattern name;
    uint64_t ns = 0;
  };
  struct Open {
    uint64_t start = 0;
    std::string text;
  };

  std::optional<std::string> Judge(const Open& range, uint64_t end) const;

  std::optional<NamePattern> mark_;
  std::deque<Range> ranges_;
  // indexed by process and thread
  std::map<std::pair<uint32_t, uint32_t>, std::vector<Open>> stacks_;
  // indexed by process and the range's id
  std::map<std::pair<uint32_t, uint64_t>, Open> started_;
};

}  // namespace rtl::store
