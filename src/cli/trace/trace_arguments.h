// SPDX-License-Identifier: MIT
// trace_arguments.h: the command line of `rtl trace`. Options that belong together have their own
// class and file: RingArguments is in ring_arguments.cpp. verb_arguments.h describes `AddTo` and
// `Resolve`.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/base/options.h"
#include "cli/base/verb_arguments.h"

namespace rtl::cli {

// Options that select events: --delay, --duration, --while-range, --kernel, --rank and --gpu. The
// first three also have the names that other verbs use.
class WindowArguments {
 public:
  void AddTo(CLI::App* verb);
  std::string Resolve(TraceOptions* options) const;

 private:
  std::string ResolveTimes(TraceOptions* options) const;
  std::string ResolveChoice(TraceOptions* options) const;

  std::string delay_;
  std::string duration_;
  std::string to_;
  std::string range_;
  std::string kernel_;
  std::optional<int32_t> rank_;
  std::optional<int64_t> gpu_;
};

// The option --ring, and options that trigger the writing of a window.
class RingArguments {
 public:
  void AddTo(CLI::App* verb);
  std::string Resolve(TraceOptions* options) const;

 private:
  std::string size_;
  std::string mark_;
  std::vector<std::string> ranges_;
};

// The options --dataset and --summaries.
class DatasetArguments {
 public:
  void AddTo(CLI::App* verb);
  // Call it after Resolve of the outputs' options and of RingArguments.
  std::string Resolve(bool has_output, TraceOptions* options) const;

 private:
  std::string folder_, summaries_, segment_;
};

// The option --pid.
class AttachArguments {
 public:
  void AddTo(CLI::App* verb);
  bool given() const { return process_->count() > 0; }
  std::string Resolve(TraceOptions* options) const;

 private:
  CLI::App* verb_ = nullptr;
  CLI::Option* process_ = nullptr;
  std::string pid_;
};

// The options --pc-sampling and --python.
class SamplingArguments {
 public:
  void AddTo(CLI::App* verb);
  bool has_python() const { return !hz_.empty(); }
  // Call it last of all.
  std::string Resolve(TraceOptions* options) const;

 private:
  std::string ResolvePython(TraceOptions* options) const;

  std::string interval_;
  std::string hz_;
};

class TraceArguments : public VerbArguments<TraceOptions> {
 public:
  // Removes "--" and the words after it from the arguments: they belong to the program to trace.
  void ExtractProgram(std::vector<std::string>* arguments);
  void AddTo(CLI::App* app);
  std::string Resolve();

 private:
  void AddEvents();
  void AddOutputs();
  std::string ResolveCommand();
  std::string ComplaintOfOutputs() const;
  std::string ResolveLimits();
  std::string ComplaintOfEvents() const;
  std::string ComplaintOfCounters() const;
  std::string ComplaintOfMode() const;

  CLI::App* verb_ = nullptr;
  CLI::Option* coverage_ = nullptr;
  CLI::Option* pftrace_ = nullptr;
  CLI::Option* events_ = nullptr;
  CLI::Option* output_ = nullptr;
  RingArguments ring_;
  DatasetArguments dataset_;
  SamplingArguments sampling_;
  WindowArguments window_;
  AttachArguments attach_;
  GpusArguments gpus_;
  std::string hang_timeout_;
  double min_coverage_ = 0;
  std::vector<std::string> program_;  // the words after "--"
  bool has_dashes_ = false;
};

}  // namespace rtl::cli
