// SPDX-License-Identifier: MIT
// sampling_arguments.h: the option --pc-sampling.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/base/options.h"

namespace rtl::cli {

class SamplingArguments {
 public:
  void AddTo(CLI::App* verb);
  // Returns the error, or completes `options` and returns an empty string. Call it last.
  std::string Take(TraceOptions* options) const;

 private:
  std::string interval_;
};

}  // namespace rtl::cli
