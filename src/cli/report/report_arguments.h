// SPDX-License-Identifier: MIT
// report_arguments.h: the command line of `rtl report`.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/base/options.h"
#include "cli/base/selection_arguments.h"

namespace rtl::cli {

class ReportArguments {
 public:
  void AddTo(CLI::App* app);
  // Returns the error, or fills in `options` and returns an empty string.
  std::string Take(ReportOptions* options);

 private:
  CLI::Option* output_ = nullptr;
  SelectionArguments selection_;
  ReportOptions options_;
};

}  // namespace rtl::cli
