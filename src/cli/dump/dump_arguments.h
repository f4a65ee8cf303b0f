// SPDX-License-Identifier: MIT
// dump_arguments.h: the command line of `rtl dump`.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/base/options.h"

namespace rtl::cli {

class DumpArguments {
 public:
  void AddTo(CLI::App* app);
  // Returns the error, or fills in `options` and returns an empty string.
  std::string Take(DumpOptions* options);
  static const char* Missing() {
    return "dump needs a process: its pid, or the directory of its spool";
  }

 private:
  DumpOptions options_;
};

}  // namespace rtl::cli
