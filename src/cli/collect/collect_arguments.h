// SPDX-License-Identifier: MIT
// collect_arguments.h: the command line of `rtl collect`.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/base/options.h"

namespace rtl::cli {

class CollectArguments {
 public:
  void AddTo(CLI::App* app);
  // Returns the error, or fills in `options` and returns an empty string.
  std::string Take(CollectCommand* options);
  static const char* Missing() { return "--spool and --output are required"; }

 private:
  CollectCommand options_;
};

}  // namespace rtl::cli
