// SPDX-License-Identifier: MIT
// selftest_arguments.h: the options of `rtl selftest`.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/base/gpus_arguments.h"
#include "cli/base/options.h"

namespace rtl::cli {

class SelftestArguments {
 public:
  void AddTo(CLI::App* app);
  std::string Take(SelftestOptions* options);

 private:
  SelftestOptions options_;
  GpusArguments gpus_;
};

}  // namespace rtl::cli
