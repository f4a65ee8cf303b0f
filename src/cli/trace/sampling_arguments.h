// SPDX-License-Identifier: MIT
// sampling_arguments.h: the options --pc-sampling and --python.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/base/options.h"

namespace rtl::cli {

class SamplingArguments {
 public:
  void AddTo(CLI::App* verb);
  bool has_python() const { return !hz_.empty(); }
  // Returns the error, or completes `options` and returns an empty string. Call it last.
  std::string Take(TraceOptions* options) const;

 private:
  std::string TakePython(TraceOptions* options) const;

  std::string interval_;
  std::string hz_;
};

}  // namespace rtl::cli
