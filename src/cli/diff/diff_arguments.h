// SPDX-License-Identifier: MIT
// diff_arguments.h: the command line of `rtl diff`.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "cli/base/options.h"
#include "cli/base/selection_arguments.h"

namespace rtl::cli {

class DiffArguments {
 public:
  void AddTo(CLI::App* app);
  // Returns the error, or fills in `options` and returns an empty string.
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
