// SPDX-License-Identifier: MIT
// fleet_arguments.h: the command line of `rtl fleet`.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "cli/base/options.h"

namespace rtl::cli {

class FleetArguments {
 public:
  void AddTo(CLI::App* app);
  // Returns the error, or fills in `options` and returns an empty string.
  std::string Take(FleetOptions* options);

 private:
  std::string TakeValues();
  std::string TakeFormat();

  CLI::App* verb_ = nullptr;
  FleetOptions options_;
  std::vector<std::string> words_;
  std::vector<std::string> values_;
  std::string limit_, step_;
  bool windows_ = false;
};

}  // namespace rtl::cli
