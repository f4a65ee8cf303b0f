// SPDX-License-Identifier: MIT
// doctor_arguments.h: `rtl doctor`, as it is typed.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/gpus_arguments.h"
#include "cli/options.h"

namespace rtl::cli {

class DoctorArguments {
 public:
  void AddTo(CLI::App* app);
  // What is wrong with them; empty: nothing, and `options` has them.
  std::string Take(DoctorOptions* options);

 private:
  GpusArguments gpus_;
  DoctorOptions options_;
};

}  // namespace rtl::cli
