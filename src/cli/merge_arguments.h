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
  const MergeOptions& options() const { return options_; }
  // What is wrong with them; empty: nothing.
  std::string Complaint() const;

 private:
  CLI::App* verb_ = nullptr;
  MergeOptions options_;
};

}  // namespace rtl::cli
