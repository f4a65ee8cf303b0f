// SPDX-License-Identifier: MIT
// cli_check.h: `vgpu check FILE`: which of the instructions in a file's kernels are not modelled.
#pragma once

#include <string>

namespace vgpu {

struct CheckResult {
  bool read = false;  // else `why` says what is wrong with the file
  std::string why;
  bool can_run = false;  // there is code for a GPU that is modelled, and all of it is
  std::string text;      // what to print
};

CheckResult CheckFile(const std::string& path);

}  // namespace vgpu
