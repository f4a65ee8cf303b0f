// SPDX-License-Identifier: MIT
// ring_arguments.h: --ring and what calls for a window, as they are typed.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "cli/options.h"

namespace rtl::cli {

class RingArguments {
 public:
  void AddTo(CLI::App* verb);
  // What is wrong with them; empty: nothing, and `options` has them.
  std::string Take(TraceOptions* options) const;

 private:
  std::string size_;
  std::string mark_;
  std::vector<std::string> ranges_;
};

}  // namespace rtl::cli
