// SPDX-License-Identifier: MIT
// dump_arguments.h: `rtl dump`, as it is typed.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/options.h"

namespace rtl::cli {

class DumpArguments {
 public:
  void AddTo(CLI::App* app);
  // What is wrong with them; empty: nothing, and `options` has them.
  std::string Take(DumpOptions* options);
  static const char* Missing() {
    return "dump needs a process: its pid, or the directory of its spool";
  }

 private:
  DumpOptions options_;
};

}  // namespace rtl::cli
