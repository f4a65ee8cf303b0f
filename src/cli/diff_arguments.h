// SPDX-License-Identifier: MIT
// diff_arguments.h: `rtl diff`, as it is typed.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "cli/options.h"
#include "cli/selection_arguments.h"

namespace rtl::cli {

class DiffArguments {
 public:
  void AddTo(CLI::App* app);
  // What is wrong with them; empty: nothing, and `options` has them.
  std::string Take(DiffOptions* options);

 private:
  CLI::App* verb_ = nullptr;
  bool csv_ = false, json_ = false;
  std::vector<std::string> traces_;  // before --with
  std::vector<std::string> limits_;  // of --fail-if
  SelectionArguments selection_;
  DiffOptions options_;
};

}  // namespace rtl::cli
