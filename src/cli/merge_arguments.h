// SPDX-License-Identifier: MIT
// merge_arguments.h: `rtl merge`, as it is typed.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/options.h"

namespace rtl::cli {

class MergeArguments {
 public:
  void AddTo(CLI::App* app);
  // What is wrong with them; empty: nothing, and `options` has them.
  std::string Take(MergeOptions* options) const;

 private:
  std::string Complaint() const;

  CLI::App* verb_ = nullptr;
  MergeOptions options_;
};

}  // namespace rtl::cli
