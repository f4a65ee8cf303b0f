// SPDX-License-Identifier: MIT
// convert_arguments.h: the command line of `rtl convert`.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/base/options.h"
#include "cli/base/selection_arguments.h"

namespace rtl::cli {

class ConvertArguments {
 public:
  void AddTo(CLI::App* app);
  // Returns the error, or fills in `options` and returns an empty string.
  std::string Take(ConvertOptions* options);

 private:
  CLI::App* verb_ = nullptr;
  CLI::Option* output_ = nullptr;
  std::string format_;  // the value of --to; empty: not given
  SelectionArguments selection_;
  ConvertOptions options_;
};

}  // namespace rtl::cli
