// SPDX-License-Identifier: MIT
// repeated_steps.h: the steps of a process that has no ranges with numbers: what repeats itself in
// its kernels (analysis/step_times.h), found while they come. A step begins with a kernel that comes
// once in each.
//
// Threads    one
// Memory     16 bytes for each kernel that waits, 8 for each of the last kLooked, until something repeats itself
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace rtl::tables {

class RepeatedSteps {
 public:
  // Kernels that wait for a decision, at most, and for how long. Both as the kernels say: what is found
  // does not depend on when they are read.
  static constexpr size_t kWaiting = 32768;
  static constexpr uint64_t kWaitNs = 60'000'000'000;
  static constexpr size_t kLooked = 4 * kWaiting;

  // A step, or a time without one.
  struct Begin {
    uint64_t time = 0;
    std::optional<int64_t> number;  // from 0
  };

  // Kernels in the order of their submission. `name`: a number for each name.
  void Add(uint64_t submit, int64_t name);
  // Decides about the kernels that wait: no more come soon, or none at all.
  void Decide();
  // Of the kernels that were added, those up to this submission have their steps.
  bool IsDecided(uint64_t submit) const {
    return waiting_.empty() || submit < waiting_.front().submit;
  }
  // Those found since the last call, in order.
  std::vector<Begin> TakeBegins() { return std::exchange(begins_, {}); }

 private:
  struct Kernel {
    uint64_t submit = 0;
    int64_t name = 0;
  };
  void Count(const Kernel& kernel);

  std::vector<Kernel> waiting_;
  std::vector<int64_t> earlier_;  // names of kernels without a step
  std::optional<int64_t> first_;  // the name of each step's first kernel
  std::vector<Begin> begins_;
  int64_t next_ = 0;
  bool is_open_ = false;
  uint64_t kernels_ = 0, most_ = 0;  // of the open step, and of the longest before it
};

}  // namespace rtl::tables
