// SPDX-License-Identifier: MIT
// trace_arguments.h: the command line of `rtl trace`.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "cli/base/gpus_arguments.h"
#include "cli/base/options.h"
#include "cli/trace/attach_arguments.h"
#include "cli/trace/dataset_arguments.h"
#include "cli/trace/ring_arguments.h"
#include "cli/trace/sampling_arguments.h"
#include "cli/trace/window_arguments.h"

namespace rtl::cli {

class TraceArguments {
 public:
  // Removes "--" and the words after it from the arguments: they belong to the program to trace.
  void TakeProgram(std::vector<std::string>* arguments);
  void AddTo(CLI::App* app);
  // Returns the error, or fills in `options` and returns an empty string.
  std::string Take(TraceOptions* options);

 private:
  void AddEvents();
  void AddOutputs();
  std::string TakeCommand();
  std::string ComplaintOfOutputs() const;
  std::string TakeLimits();
  std::string ComplaintOfEvents() const;
  std::string ComplaintOfCounters() const;
  std::string ComplaintOfMode() const;

  CLI::App* verb_ = nullptr;
  CLI::Option* coverage_ = nullptr;
  CLI::Option* pftrace_ = nullptr;
  CLI::Option* events_ = nullptr;
  TraceOptions options_;
  CLI::Option* output_ = nullptr;
  RingArguments ring_;
  DatasetArguments dataset_;
  SamplingArguments sampling_;
  WindowArguments window_;
  AttachArguments attach_;
  GpusArguments gpus_;
  std::string hang_timeout_;
  double min_coverage_ = 0;
  std::vector<std::string> program_;  // after "--"
  bool has_dashes_ = false;
};

}  // namespace rtl::cli
