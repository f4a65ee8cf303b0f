// SPDX-License-Identifier: MIT
// verb_arguments.h: the command lines of the verbs. `AddTo` declares a verb's options. `Resolve`
// completes the options and returns the error, or an empty string. `Missing` is the message for a
// missing argument. A class that is long, or that needs its verb's headers, has a file in the
// verb's folder: DiffArguments is in diff/diff_arguments.cpp.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/base/options.h"
#include "trace/read/selection.h"

namespace rtl::cli {

// An option with a value, or an operand. `type`: the name of the value in the help.
template <typename T>
CLI::Option* AddValue(CLI::App* verb, const std::string& names, const char* type, T& value,
                      const std::string& text) {
  return verb->add_option(names, value, text)->type_name(type);
}

template <typename Options>
class VerbArguments {
 public:
  std::string Resolve() { return ""; }
  Options& options() { return options_; }  // valid after Resolve

 protected:
  Options options_;
};

// The options --vgpu and --vgpu=N.
class GpusArguments {
 public:
  void AddTo(CLI::App* verb, const char* text);
  // True for --vgpu without a number.
  bool is_bare() const;
  // Returns the error, or sets *on_vgpu and *gpus and returns an empty string.
  std::string Resolve(bool* on_vgpu, std::optional<uint32_t>* gpus) const;

 private:
  std::string text_;  // kBare, or the number; empty: the option was not given
};

// The options --kernel, --range, --from, --to, --rank and --gpu.
class SelectionArguments {
 public:
  // `to`: the names of the option --to. In rtl convert --to selects the format, so another name is
  // used.
  void AddTo(CLI::App* verb, const char* to = "--to,--until");
  bool empty() const { return selection_.empty(); }
  // Returns the error, or fills in `out` and returns an empty string.
  std::string Resolve(query::SelectionRequest* out, const char* to = "--to");

 private:
  query::SelectionRequest selection_;
  std::string from_;
  std::string to_;
};

class AnalyzeArguments : public VerbArguments<AnalyzeOptions> {
 public:
  void AddTo(CLI::App* app);
  std::string Resolve();

 private:
  CLI::Option* table_ = nullptr;
  bool csv_ = false, json_ = false;
  SelectionArguments selection_;
};

class CollectArguments : public VerbArguments<CollectCommand> {
 public:
  void AddTo(CLI::App* app);
  std::string Resolve();
  static const char* Missing() { return "--spool and --output are required"; }
};

class ConvertArguments : public VerbArguments<ConvertOptions> {
 public:
  void AddTo(CLI::App* app);
  std::string Resolve();

 private:
  std::string format_;  // the value of --to; empty: not given
  SelectionArguments selection_;
};

class CountersArguments : public VerbArguments<CountersOptions> {
 public:
  void AddTo(CLI::App* app);
  std::string Resolve();
  const char* Missing() const;

 private:
  CLI::App* Add(const char* name, const char* about);

  CLI::App* verb_ = nullptr;
  CLI::App* info_ = nullptr;
  CLI::App* check_ = nullptr;
};

class DiffArguments : public VerbArguments<DiffOptions> {
 public:
  void AddTo(CLI::App* app);
  std::string Resolve();

 private:
  bool csv_ = false, json_ = false;
  std::vector<std::string> traces_;  // the files before --with
  std::vector<std::string> limits_;  // values of --fail-if
  SelectionArguments selection_;
};

class DoctorArguments : public VerbArguments<DoctorOptions> {
 public:
  void AddTo(CLI::App* app);
  std::string Resolve();

 private:
  GpusArguments gpus_;
};

class DumpArguments : public VerbArguments<DumpOptions> {
 public:
  void AddTo(CLI::App* app);
  std::string Resolve();
  static const char* Missing() {
    return "dump needs a process: its pid, or the directory of its spool";
  }
};

class FleetArguments : public VerbArguments<FleetOptions> {
 public:
  void AddTo(CLI::App* app);
  std::string Resolve();

 private:
  std::string ResolveValues();
  std::string ResolveFormat();

  std::vector<std::string> words_;
  std::vector<std::string> values_;
  std::string limit_, step_;
  bool windows_ = false;
};

class HotArguments : public VerbArguments<HotOptions> {
 public:
  void AddTo(CLI::App* app);
  std::string Resolve();

 private:
  bool csv_ = false, json_ = false;
};

class ImportArguments : public VerbArguments<ImportOptions> {
 public:
  void AddTo(CLI::App* app);
  std::string Resolve();
};

class InfoArguments : public VerbArguments<InfoOptions> {
 public:
  void AddTo(CLI::App* app);
};

class MergeArguments : public VerbArguments<MergeOptions> {
 public:
  void AddTo(CLI::App* app);
  std::string Resolve();
};

class ReportArguments : public VerbArguments<ReportOptions> {
 public:
  void AddTo(CLI::App* app);
  std::string Resolve();

 private:
  SelectionArguments selection_;
};

class SelftestArguments : public VerbArguments<SelftestOptions> {
 public:
  void AddTo(CLI::App* app);
  std::string Resolve();

 private:
  GpusArguments gpus_;
};

class SummaryArguments : public VerbArguments<SummaryOptions> {
 public:
  void AddTo(CLI::App* app);
  std::string Resolve();

 private:
  CLI::Option* table_ = nullptr;
  std::string by_;
  std::string order_ = "total";
  bool csv_ = false, json_ = false;
  SelectionArguments selection_;
};

}  // namespace rtl::cli
