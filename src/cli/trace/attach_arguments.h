// SPDX-License-Identifier: MIT
// attach_arguments.h: the option rtl trace --pid. window_arguments.h has --duration.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/base/options.h"

namespace rtl::cli {

class AttachArguments {
 public:
  void AddTo(CLI::App* verb);
  bool given() const { return process_->count() > 0; }
  // Returns the error, or fills in `options` and returns an empty string.
  std::string Take(TraceOptions* options) const;

 private:
  CLI::App* verb_ = nullptr;
  CLI::Option* process_ = nullptr;
  std::string pid_;
};

}  // namespace rtl::cli
