// SPDX-License-Identifier: MIT
// py_spy.h: reads the output of `py-spy record --format chrometrace --threads`: the stacks of
// Python threads as spans of frames. The begin and the end of a span are times of samples.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/status.h"

namespace rtl::import {

struct SampledFrame {
  uint32_t pid = 0;
  uint32_t tid = 0;     // zero: py-spy does not know it, as before Python 3.11
  uint64_t handle = 0;  // pthread handle
  bool is_main = true;  // judged by the name of the thread
  std::string command;  // command line of the process
  std::string function, file;
  uint32_t line = 0;
  int64_t start = 0, end = 0;  // ns since py-spy's start
};

// No sample is later than this, so that the sum of two samples, or of a sample and a time of the
// trace, does not overflow.
inline constexpr int64_t kLatestSample = INT64_MAX / 4;

// Calls `take` for each frame. If frames of a thread end together, the innermost comes first. Each
// has a file, and 0 <= start < end <= kLatestSample. `*lost`: number of frames without valid times,
// and of begins and ends without a partner.
Status ReadPySpy(const std::string& path, const std::function<void(const SampledFrame&)>& take,
                 uint64_t* lost);

}  // namespace rtl::import
