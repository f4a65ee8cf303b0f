// SPDX-License-Identifier: MIT
// analyze_arguments.h: `rtl analyze`, as it is typed.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/options.h"
#include "cli/selection_arguments.h"

namespace rtl::cli {

class AnalyzeArguments {
 public:
  void AddTo(CLI::App* app);
  // What is wrong with them; empty: nothing, and `options` has them.
  std::string Take(AnalyzeOptions* options);

 private:
  CLI::Option* table_ = nullptr;
  bool csv_ = false, json_ = false;
  SelectionArguments selection_;
  AnalyzeOptions options_;
};

}  // namespace rtl::cli
