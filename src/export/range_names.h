// SPDX-License-Identifier: MIT
// range_names.h: finds the names that a thread's push/pop ranges and marks give to kernels, like
// AMD's rocprofv3 with --kernel-rename. Each range and each mark is pushed onto a stack, and the
// end of a range pops the top of the stack. So a mark gives its name to the kernels after it.
//
// Threads    one
// Memory     open ranges, and the marks in them
#pragma once

#include <cstdint>
#include <vector>

namespace rtl::exporting {

// The times of successive calls must not decrease.
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
  // The name at `time`; 0: none.
  int64_t At(uint64_t time) {
    EndUntil(time);
    return names_.empty() ? 0 : names_.back();
  }

 private:
  void EndUntil(uint64_t time) {
    for (; !ends_.empty() && ends_.back() < time; ends_.pop_back()) names_.pop_back();
  }

  std::vector<int64_t> names_;
  std::vector<uint64_t> ends_;  // ends of the open ranges, each of which has a name in names_
};

}  // namespace rtl::exporting
