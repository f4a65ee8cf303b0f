// SPDX-License-Identifier: MIT
// doctor_arguments.h: the command line of `rtl doctor`.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/base/gpus_arguments.h"
#include "cli/base/options.h"

namespace rtl::cli {

class DoctorArguments {
 public:
  void AddTo(CLI::App* app);
  // Returns the error, or fills in `options` and returns an empty string.
  std::string Take(DoctorOptions* options);

 private:
  GpusArguments gpus_;
  DoctorOptions options_;
};

}  // namespace rtl::cli
