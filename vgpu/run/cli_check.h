// SPDX-License-Identifier: MIT
// cli_check.h: `vgpu check FILE`: which of the instructions in a file's kernels are not modelled.
#pragma once

#include <string>

namespace vgpu {

struct CheckResult {
  bool read = false;  // else `why` says what is wrong with the file
  std::string why;
  bool can_run = false;  // there is code for a modelled GPU, and all of it is modelled
  std::string text;      // what to print
};

CheckResult CheckFile(const std::string& path);

}  // namespace vgpu
