// SPDX-License-Identifier: MIT
// summary_arguments.h: `rtl summary`, as it is typed.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/options.h"
#include "cli/selection_arguments.h"

namespace rtl::cli {

class SummaryArguments {
 public:
  void AddTo(CLI::App* app);
  // What is wrong with them; empty: nothing, and `options` has them.
  std::string Take(SummaryOptions* options);

 private:
  CLI::Option* table_ = nullptr;
  std::string order_ = "total";
  bool csv_ = false, json_ = false;
  SelectionArguments selection_;
  SummaryOptions options_;
};

}  // namespace rtl::cli
