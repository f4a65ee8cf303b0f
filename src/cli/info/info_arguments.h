// SPDX-License-Identifier: MIT
// info_arguments.h: the command line of `rtl info`.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/base/options.h"

namespace rtl::cli {

class InfoArguments {
 public:
  void AddTo(CLI::App* app);
  // Returns the error, or fills in `options` and returns an empty string.
  std::string Take(InfoOptions* options);

 private:
  InfoOptions options_;
};

}  // namespace rtl::cli
