// SPDX-License-Identifier: MIT
// attach_arguments.h: rtl trace --pid, as it is typed. --duration is window_arguments.h's.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/options.h"

namespace rtl::cli {

class AttachArguments {
 public:
  void AddTo(CLI::App* verb);
  bool given() const { return process_->count() > 0; }
  // What is wrong with them; empty: nothing, and `options` has them.
  std::string Take(TraceOptions* options) const;

 private:
  CLI::App* verb_ = nullptr;
  CLI::Option* process_ = nullptr;
  std::string pid_;
};

}  // namespace rtl::cli
