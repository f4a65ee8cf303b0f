// SPDX-License-Identifier: MIT
// repeated_steps.h: finds the steps of a process that has no ranges with numbers, as repetitions of
// its kernels (analysis/step_times.h), while the kernels come. A step begins with a kernel that
// occurs once in each step.
//
// Threads    one
// Memory     until a repetition is found: 16 bytes for each waiting kernel, and 8 for each of the
//            last kLooked
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace rtl::tables {

class RepeatedSteps {
 public:
  // A decision is made when so many kernels wait, or when they span so much time. Both depend on
  // the kernels alone, so the result does not depend on when they are read.
  static constexpr size_t kWaiting = 32768;
  static constexpr uint64_t kWaitNs = 60'000'000'000;
  static constexpr size_t kLooked = 4 * kWaiting;

  // The begin of a step, or of a time between steps.
  struct Begin {
    uint64_t time = 0;
    std::optional<int64_t> number;  // from 0; none: no step
  };

  // Adds a kernel. Kernels must come in the order of submission. `name`: a number that identifies
  // the name.
  void Add(uint64_t submit, int64_t name);
  // Decides about the waiting kernels now. Call it if no more kernels come, or none for a while.
  void Decide();
  // Whether the steps of all kernels with this submission or an earlier one are known.
  bool IsDecided(uint64_t submit) const {
    return waiting_.empty() || submit < waiting_.front().submit;
  }
  // The begins found since the last call, in order.
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
  // Number of kernels in the open step, and in the longest step before it.
  uint64_t kernels_ = 0, most_ = 0;
};

}  // namespace rtl::tables
