// SPDX-License-Identifier: MIT
// range_names.h: the names that a thread's push/pop ranges and marks give to kernels, as AMD's
// rocprofv3 gives them with --kernel-rename: each range and each mark is put onto a stack, and the
// end of a range takes off what is on top. So a mark names the kernels behind it.
//
// Threads    one
// Memory     open ranges, and marks since
#pragma once

#include <cstdint>
#include <vector>

namespace rtl::exporting {

// Times never go back.
class RangeNames {
 public:
  void Begin(int64_t name, uint64_t start, uint64_t end) {
    Mark(name, start);
    ends_.push_back(end);
  }
  void Mark(int64_t name, uint64_t time) {
    EndUntil(time);
    names_.push_back(name);
  }
  // 0: none.
  int64_t At(uint64_t time) {
    EndUntil(time);
    return names_.empty() ? 0 : names_.back();
  }

 private:
  void EndUntil(uint64_t time) {
    for (; !ends_.empty() && ends_.back() < time; ends_.pop_back()) names_.pop_back();
  }

  std::vector<int64_t> names_;
  std::vector<uint64_t> ends_;  // of open ranges; each has a name in names_
};

}  // namespace rtl::exporting
