// SPDX-License-Identifier: MIT
// py_spy.h: what `py-spy record --format chrometrace --threads` writes: the stacks of Python threads
// as spans of frames. A span begins and ends with samples.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/status.h"

namespace rtl::import {

struct SampledFrame {
  uint32_t pid = 0;
  uint32_t tid = 0;     // zero: py-spy does not know it, as before Python 3.11
  uint64_t handle = 0;  // of pthreads
  bool is_main = true;  // as far as the name of the thread says
  std::string command;  // of the process
  std::string function, file;
  uint32_t line = 0;
  int64_t start = 0, end = 0;  // ns since py-spy's start
};

// No sample is later: sums with times of the trace, and of two samples, are in range.
inline constexpr int64_t kLatestSample = INT64_MAX / 4;

// Frames of a thread come innermost first where they end together. Each has a file, and
// 0 <= start < end <= kLatestSample. `*lost`: frames without such times, and begins and ends without
// a pair.
Status ReadPySpy(const std::string& path, const std::function<void(const SampledFrame&)>& take,
                 uint64_t* lost);

}  // namespace rtl::import
