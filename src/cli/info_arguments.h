// SPDX-License-Identifier: MIT
// info_arguments.h: `rtl info`, as it is typed.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/options.h"

namespace rtl::cli {

class InfoArguments {
 public:
  void AddTo(CLI::App* app);
  // What is wrong with them; empty: nothing, and `options` has them.
  std::string Take(InfoOptions* options);

 private:
  InfoOptions options_;
};

}  // namespace rtl::cli
