// SPDX-License-Identifier: MIT
// report_arguments.h: `rtl report`, as it is typed.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/options.h"
#include "cli/selection_arguments.h"

namespace rtl::cli {

class ReportArguments {
 public:
  void AddTo(CLI::App* app);
  // What is wrong with them; empty: nothing, and `options` has them.
  std::string Take(ReportOptions* options);

 private:
  CLI::Option* output_ = nullptr;
  SelectionArguments selection_;
  ReportOptions options_;
};

}  // namespace rtl::cli
