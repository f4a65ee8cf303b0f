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

// Frames of a thread come innermost first where they end together.
Status ReadPySpy(const std::string& path, const std::function<void(const SampledFrame&)>& take);

}  // namespace rtl::import
