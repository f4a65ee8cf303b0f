// SPDX-License-Identifier: MIT
// collect_arguments.h: `rtl collect`, as it is typed.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/options.h"

namespace rtl::cli {

class CollectArguments {
 public:
  void AddTo(CLI::App* app);
  // What is wrong with them; empty: nothing, and `options` has them.
  std::string Take(CollectCommand* options);
  static const char* Missing() { return "--spool and --output are required"; }

 private:
  CollectCommand options_;
};

}  // namespace rtl::cli
