// SPDX-License-Identifier: MIT
// import_arguments.h: the command line of `rtl import`.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/base/options.h"

namespace rtl::cli {

class ImportArguments {
 public:
  void AddTo(CLI::App* app);
  // Returns the error, or fills in `options` and returns an empty string.
  std::string Take(ImportOptions* options) const;

 private:
  std::string Complaint() const;

  ImportOptions options_;
};

}  // namespace rtl::cli
