// SPDX-License-Identifier: MIT
// hot_arguments.h: `rtl hot`, as it is typed.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/options.h"

namespace rtl::cli {

class HotArguments {
 public:
  void AddTo(CLI::App* app);
  // What is wrong with them; empty: nothing, and `options` has them.
  std::string Take(HotOptions* options) const;

 private:
  CLI::App* verb_ = nullptr;
  bool csv_ = false, json_ = false;
  HotOptions options_;
};

}  // namespace rtl::cli
