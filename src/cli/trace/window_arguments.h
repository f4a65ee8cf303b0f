// SPDX-License-Identifier: MIT
// window_arguments.h: the options of rtl trace that select events: --delay, --duration,
// --while-range, --kernel, --rank, --gpu, and the other verbs' names of the first three.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>

#include "cli/base/options.h"

namespace rtl::cli {

class WindowArguments {
 public:
  void AddTo(CLI::App* verb);
  // Returns the error, or fills in `options` and returns an empty string.
  std::string Take(TraceOptions* options) const;

 private:
  std::string TakeTimes(TraceOptions* options) const;
  std::string TakeChoice(TraceOptions* options) const;

  std::string delay_;
  std::string duration_;
  std::string to_;
  std::string range_;
  std::string kernel_;
  std::optional<int32_t> rank_;
  std::optional<int64_t> gpu_;
};

}  // namespace rtl::cli
