// SPDX-License-Identifier: MIT
// window_triggers.h: what a program says that calls for a window of `rtl trace --ring`: a roctx mark that matches, or
// a range that took longer than it should.
//
// Memory     with range triggers, an entry per open range
// Errors     Make: a regular expression that is none
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "spool/reader.h"

namespace rtl::store {

struct RangeTrigger {
  std::string name;  // regular expression, found anywhere in the range's text
  uint64_t ns = 0;   // longer than this
};

class WindowTriggers {
 public:
  // `mark`: regular expression; empty: no mark calls for a window.
  static Status Make(const std::string& mark, const std::vector<RangeTrigger>& ranges,
                     std::unique_ptr<WindowTriggers>* out);
  // Why a window is due after this record; none: it is not.
  std::optional<std::string> Look(uint32_t process, const spool::RecordView& record);
  // Ranges of it that are open will not end any more.
  void End(uint32_t process);

 private:
  struct Range {
    std::regex name;
    uint64_t ns = 0;
  };
  struct Open {
    uint64_t start = 0;
    std::string text;
  };

  std::optional<std::string> Judge(const Open& range, uint64_t end) const;

  std::optional<std::regex> mark_;
  std::vector<Range> ranges_;
  std::map<std::pair<uint32_t, uint32_t>, std::vector<Open>> stacks_;  // by process and thread
  std::map<std::pair<uint32_t, uint64_t>, Open> started_;              // by process and range
};

}  // namespace rtl::store
