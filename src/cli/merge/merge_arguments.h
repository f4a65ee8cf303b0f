// SPDX-License-Identifier: MIT
// merge_arguments.h: the command line of `rtl merge`.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/base/options.h"

namespace rtl::cli {

class MergeArguments {
 public:
  void AddTo(CLI::App* app);
  // Returns the error, or fills in `options` and returns an empty string.
  std::string Take(MergeOptions* options) const;

 private:
  std::string Complaint() const;

  CLI::App* verb_ = nullptr;
  MergeOptions options_;
};

}  // namespace rtl::cli
