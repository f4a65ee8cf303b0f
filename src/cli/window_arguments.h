// SPDX-License-Identifier: MIT
// window_arguments.h: --delay, --duration and --while-range, as they are typed.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/options.h"

namespace rtl::cli {

class WindowArguments {
 public:
  void AddTo(CLI::App* verb);
  // What is wrong with them; empty: nothing, and `options` has them.
  std::string Take(TraceOptions* options) const;

 private:
  std::string delay_;
  std::string duration_;
  std::string range_;
  CLI::Option* range_option_ = nullptr;
};

}  // namespace rtl::cli
