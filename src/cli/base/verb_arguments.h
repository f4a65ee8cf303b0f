// SPDX-License-Identifier: MIT
// verb_arguments.h: the command lines of the verbs. `AddTo` declares the options of one; `Take`
// fills in `options` and returns an empty string, or returns the error; `Missing` is the message
// for a missing argument.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "cli/base/gpus_arguments.h"
#include "cli/base/options.h"
#include "cli/base/selection_arguments.h"

namespace rtl::cli {

class AnalyzeArguments {
 public:
  void AddTo(CLI::App* app);
  std::string Take(AnalyzeOptions* options);

 private:
  CLI::Option* table_ = nullptr;
  bool csv_ = false, json_ = false;
  SelectionArguments selection_;
  AnalyzeOptions options_;
};

class CollectArguments {
 public:
  void AddTo(CLI::App* app);
  std::string Take(CollectCommand* options);
  static const char* Missing() { return "--spool and --output are required"; }

 private:
  CollectCommand options_;
};

class ConvertArguments {
 public:
  void AddTo(CLI::App* app);
  std::string Take(ConvertOptions* options);

 private:
  CLI::App* verb_ = nullptr;
  std::string format_;  // the value of --to; empty: not given
  SelectionArguments selection_;
  ConvertOptions options_;
};

class CountersArguments {
 public:
  void AddTo(CLI::App* app);
  std::string Take(CountersOptions* options) const;
  const char* Missing() const;

 private:
  CLI::App* Add(const char* name, const char* about);

  CLI::App* verb_ = nullptr;
  CLI::App* info_ = nullptr;
  CLI::App* check_ = nullptr;
  CountersOptions options_;
};

class DiffArguments {
 public:
  void AddTo(CLI::App* app);
  std::string Take(DiffOptions* options);

 private:
  CLI::App* verb_ = nullptr;
  bool csv_ = false, json_ = false;
  std::vector<std::string> traces_;  // before --with
  std::vector<std::string> limits_;  // of --fail-if
  SelectionArguments selection_;
  DiffOptions options_;
};

class DoctorArguments {
 public:
  void AddTo(CLI::App* app);
  std::string Take(DoctorOptions* options);

 private:
  GpusArguments gpus_;
  DoctorOptions options_;
};

class DumpArguments {
 public:
  void AddTo(CLI::App* app);
  std::string Take(DumpOptions* options);
  static const char* Missing() {
    return "dump needs a process: its pid, or the directory of its spool";
  }

 private:
  DumpOptions options_;
};

class FleetArguments {
 public:
  void AddTo(CLI::App* app);
  std::string Take(FleetOptions* options);

 private:
  std::string TakeValues();
  std::string TakeFormat();

  CLI::App* verb_ = nullptr;
  FleetOptions options_;
  std::vector<std::string> words_;
  std::vector<std::string> values_;
  std::string limit_, step_;
  bool windows_ = false;
};

class HotArguments {
 public:
  void AddTo(CLI::App* app);
  std::string Take(HotOptions* options) const;

 private:
  CLI::App* verb_ = nullptr;
  bool csv_ = false, json_ = false;
  HotOptions options_;
};

class ImportArguments {
 public:
  void AddTo(CLI::App* app);
  std::string Take(ImportOptions* options) const;

 private:
  std::string Complaint() const;

  ImportOptions options_;
};

class InfoArguments {
 public:
  void AddTo(CLI::App* app);
  std::string Take(InfoOptions* options);

 private:
  InfoOptions options_;
};

class MergeArguments {
 public:
  void AddTo(CLI::App* app);
  std::string Take(MergeOptions* options) const;

 private:
  std::string Complaint() const;

  CLI::App* verb_ = nullptr;
  MergeOptions options_;
};

class ReportArguments {
 public:
  void AddTo(CLI::App* app);
  std::string Take(ReportOptions* options);

 private:
  SelectionArguments selection_;
  ReportOptions options_;
};

class SelftestArguments {
 public:
  void AddTo(CLI::App* app);
  std::string Take(SelftestOptions* options);

 private:
  SelftestOptions options_;
  GpusArguments gpus_;
};

class SummaryArguments {
 public:
  void AddTo(CLI::App* app);
  std::string Take(SummaryOptions* options);

 private:
  CLI::Option* table_ = nullptr;
  std::string by_;
  std::string order_ = "total";
  bool csv_ = false, json_ = false;
  SelectionArguments selection_;
  SummaryOptions options_;
};

}  // namespace rtl::cli
