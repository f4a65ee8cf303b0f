// SPDX-License-Identifier: MIT
// dataset_arguments.h: the options of `rtl trace --dataset` and `--summaries`.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/base/options.h"

namespace rtl::cli {

class DatasetArguments {
 public:
  void AddTo(CLI::App* verb);
  // After the options of outputs and of --ring. Returns the error, or an empty string.
  std::string Take(bool has_output, TraceOptions* options) const;

 private:
  std::string folder_, summaries_, segment_;
};

}  // namespace rtl::cli
