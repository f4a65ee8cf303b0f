// SPDX-License-Identifier: MIT
// sampling_arguments.h: --pc-sampling, as it is typed.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/options.h"

namespace rtl::cli {

class SamplingArguments {
 public:
  void AddTo(CLI::App* verb);
  // What is wrong with them; empty: nothing, and `options`, which has all others, has them.
  std::string Take(TraceOptions* options) const;

 private:
  std::string interval_;
};

}  // namespace rtl::cli
