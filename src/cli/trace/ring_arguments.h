// SPDX-License-Identifier: MIT
// ring_arguments.h: the option --ring, and those that trigger a window.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "cli/base/options.h"

namespace rtl::cli {

class RingArguments {
 public:
  void AddTo(CLI::App* verb);
  // Returns the error, or fills in `options` and returns an empty string.
  std::string Take(TraceOptions* options) const;

 private:
  std::string size_;
  std::string mark_;
  std::vector<std::string> ranges_;
};

}  // namespace rtl::cli
