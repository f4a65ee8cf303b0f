// SPDX-License-Identifier: MIT
// counters_arguments.h: the command line of `rtl counters`.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/base/options.h"

namespace rtl::cli {

class CountersArguments {
 public:
  void AddTo(CLI::App* app);
  // Returns the error, or fills in `options` and returns an empty string.
  std::string Take(CountersOptions* options) const;
  // The message for a missing argument.
  const char* Missing() const;

 private:
  CLI::App* Add(const char* name, const char* about);

  CLI::App* verb_ = nullptr;
  CLI::App* info_ = nullptr;
  CLI::App* check_ = nullptr;
  CountersOptions options_;
};

}  // namespace rtl::cli
