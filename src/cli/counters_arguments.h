// SPDX-License-Identifier: MIT
// counters_arguments.h: `rtl counters`, as it is typed.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/options.h"

namespace rtl::cli {

class CountersArguments {
 public:
  void AddTo(CLI::App* app);
  // What is wrong with them; empty: nothing, and `options` has them.
  std::string Take(CountersOptions* options) const;
  // What is to be said when something is missing.
  const char* Missing() const;

 private:
  CLI::App* Add(const char* name, const char* about);

  CLI::App* verb_ = nullptr;
  CLI::App* info_ = nullptr;
  CLI::App* check_ = nullptr;
  CountersOptions options_;
};

}  // namespace rtl::cli
