// SPDX-License-Identifier: MIT
// hot_arguments.h: the command line of `rtl hot`.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/base/options.h"

namespace rtl::cli {

class HotArguments {
 public:
  void AddTo(CLI::App* app);
  // Returns the error, or fills in `options` and returns an empty string.
  std::string Take(HotOptions* options) const;

 private:
  CLI::App* verb_ = nullptr;
  bool csv_ = false, json_ = false;
  HotOptions options_;
};

}  // namespace rtl::cli
