// SPDX-License-Identifier: MIT
// summary_arguments.h: the command line of `rtl summary`.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/base/options.h"
#include "cli/base/selection_arguments.h"

namespace rtl::cli {

class SummaryArguments {
 public:
  void AddTo(CLI::App* app);
  // Returns the error, or fills in `options` and returns an empty string.
  std::string Take(SummaryOptions* options);

 private:
  CLI::Option* table_ = nullptr;
  std::string by_;
  std::string order_ = "total";
  bool csv_ = false, json_ = false;
  SelectionArguments selection_;
  SummaryOptions options_;
};

}  // namespace rtl::cli
