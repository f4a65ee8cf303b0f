// SPDX-License-Identifier: MIT
// analyze_arguments.h: the command line of `rtl analyze`.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/base/options.h"
#include "cli/base/selection_arguments.h"

namespace rtl::cli {

class AnalyzeArguments {
 public:
  void AddTo(CLI::App* app);
  // Returns the error, or fills in `options` and returns an empty string.
  std::string Take(AnalyzeOptions* options);

 private:
  CLI::Option* table_ = nullptr;
  bool csv_ = false, json_ = false;
  SelectionArguments selection_;
  AnalyzeOptions options_;
};

}  // namespace rtl::cli
