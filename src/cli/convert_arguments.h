// SPDX-License-Identifier: MIT
// convert_arguments.h: `rtl convert`, as it is typed.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/options.h"
#include "cli/selection_arguments.h"

namespace rtl::cli {

class ConvertArguments {
 public:
  void AddTo(CLI::App* app);
  // What is wrong with them; empty: nothing, and `options` has them.
  std::string Take(ConvertOptions* options);

 private:
  CLI::App* verb_ = nullptr;
  CLI::Option* output_ = nullptr;
  std::string format_;  // of --to; empty: not said
  SelectionArguments selection_;
  ConvertOptions options_;
};

}  // namespace rtl::cli
